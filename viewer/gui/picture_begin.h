#pragma once

#include <functional>
#include <utility>

#include <osg/Camera>

namespace fitup::viewer {

/// Calls a function at the begin of each picture of a camera, in the context of OpenGL.
class PictureBegin : public osg::Camera::DrawCallback {
 public:
  explicit PictureBegin(std::function<void(osg::RenderInfo&)> call) : call_(std::move(call)) {}
  void operator()(osg::RenderInfo& info) const override { call_(info); }

 private:
  std::function<void(osg::RenderInfo&)> call_;
};

}  // namespace fitup::viewer
