#pragma once

#include <optional>

#include <osg/Group>

#include <viewer/core/section_handle.h>
#include <viewer/gui/document.h>

namespace fitup::viewer {

/// The section plane's handle in the view: an arrow that is dragged along the plane's normal, and the plane's
/// outline. A drag is one undoable change.
class SectionTool {
 public:
  explicit SectionTool(Document& document);
  /// The drawn node; world coordinates.
  [[nodiscard]] osg::Group* node() noexcept { return node_.get(); }

  /// Fits the handle to plane and camera; `visible` is the box of what is cut. `pixels`: length of the arrow.
  void update(const Camera& camera, const Box& visible, double pixels);
  [[nodiscard]] const std::optional<SectionHandle>& handle() const noexcept { return handle_; }
  [[nodiscard]] bool isAt(const Camera& camera, PicturePoint point, double reach) const;
  /// Draws the handle highlighted or not. Returns true if that is a change.
  bool setLit(bool lit);

  void begin(const Ray& ray);
  void moveTo(const Ray& ray);
  void finish();

 private:
  void draw();

  Document& document_;
  osg::ref_ptr<osg::Group> node_;
  std::optional<SectionHandle> handle_;
  std::optional<SectionDrag> drag_;
  bool lit_ = false;
};

}  // namespace fitup::viewer
