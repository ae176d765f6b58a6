#pragma once

#include <optional>
#include <vector>

#include <osg/Group>

#include <QString>

#include <viewer/core/section_handle.h>
#include <viewer/gui/document.h>

namespace fitup::viewer {

/// The handles of the section planes in the view: of each enabled plane, an arrow that is dragged along the
/// plane's normal, and the plane's outline. A drag is one undoable change, and chooses the plane.
class SectionTool {
 public:
  explicit SectionTool(Document& document);
  /// The drawn node; world coordinates.
  [[nodiscard]] osg::Group* node() noexcept { return node_.get(); }

  /// Fits the handles to planes and camera; `visible` is the box of what is cut. `pixels`: length of an
  /// arrow.
  void update(const Camera& camera, const Box& visible, double pixels);
  [[nodiscard]] const std::vector<SectionHandle>& handles() const noexcept { return handles_; }
  /// The handle whose arrow is at most `reach` pixels from the point, or null. It lives until `update`.
  [[nodiscard]] const SectionHandle* handleAt(const Camera& camera, PicturePoint point, double reach) const;
  /// The same for the half of the arrow with its head.
  [[nodiscard]] const SectionHandle* headAt(const Camera& camera, PicturePoint point, double reach) const;
  /// Highlights the handle of a plane, or none. Returns true if that is a change.
  bool setLit(std::optional<std::size_t> plane);

  void begin(const SectionHandle& handle, const Ray& ray);
  void moveTo(const Ray& ray);
  /// Where the dragged plane is, such as "x = 47.5 mm"; empty if none is dragged.
  [[nodiscard]] QString displacement() const;
  void finish();

 private:
  void draw();

  Document& document_;
  osg::ref_ptr<osg::Group> node_;
  std::vector<SectionHandle> handles_;
  std::optional<SectionDrag> drag_;
  std::size_t dragged_ = 0;  ///< index of the plane
  std::optional<std::size_t> lit_;
};

}  // namespace fitup::viewer
