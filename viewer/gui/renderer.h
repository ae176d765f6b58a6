#pragma once

#include <cstddef>
#include <memory>

#include <QImage>
#include <QOpenGLFramebufferObject>

#include <osg/Vec4>
#include <osgViewer/Viewer>

#include <viewer/core/camera.h>
#include <viewer/gui/scene_presenter.h>

namespace fitup::viewer {

/// Draws the presenter's scene graph with OSG. The context of OpenGL must be current in all functions with
/// which it has to do: `begin`, `end`, `resize` and `draw`.
class Renderer {
 public:
  explicit Renderer(ScenePresenter& presenter) : presenter_(presenter) {}
  ~Renderer() = default;
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Makes what OpenGL needs; again with another context, if the one before was deleted. Sizes in device
  /// pixels.
  void begin(int width, int height);
  [[nodiscard]] bool hasBegun() const noexcept { return viewer_.valid(); }
  void end();
  void resize(int width, int height);
  void setBackground(const osg::Vec4& colour);
  /// Draws into a framebuffer. `isHasty`: the picture is soon replaced, and may be coarser to be quick;
  /// otherwise it is complete, and edges are smooth.
  void draw(const Camera& camera, bool isHasty, GLuint framebuffer);
  /// Draws a complete picture of the camera's size; null if OpenGL cannot. `resize` must have set the size.
  [[nodiscard]] QImage image(const Camera& camera, bool isTransparent);

 private:
  void setCamera(const Camera& camera);
  void adaptTo(double milliseconds);

  ScenePresenter& presenter_;
  osg::ref_ptr<osgViewer::Viewer> viewer_;
  osg::ref_ptr<osgViewer::GraphicsWindowEmbedded> window_;
  std::unique_ptr<QOpenGLFramebufferObject> smooth_;  ///< with several samples a pixel
  std::size_t mostTriangles_ = 250'000;               ///< of a hasty picture
};

}  // namespace fitup::viewer
