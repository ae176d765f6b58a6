#pragma once

#include <vector>

#include <osg/Geode>

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/transform.h>

namespace fitup::viewer {

/// Marks the selected parts by the corners of their boxes, over everything else. They can be told as selected
/// also where all of their faces are highlighted. Place it below a node in world coordinates; change it
/// between frames.
class SelectionFrame : public osg::Group {
 public:
  /// A part's box, in the part's frame.
  struct Part {
    Transform worldFromPart;
    Box box;
    friend bool operator==(const Part& x, const Part& y) {
      return x.worldFromPart == y.worldFromPart && x.box.min == y.box.min && x.box.max == y.box.max;
    }
  };
  /// Above this number of parts, `show` should get one box around all of them, which costs less to draw.
  static constexpr std::size_t mostParts = 12;

  SelectionFrame();
  void show(const std::vector<Part>& parts);
  /// The parts that are marked.
  [[nodiscard]] const std::vector<Part>& parts() const noexcept { return parts_; }

 private:
  osg::ref_ptr<osg::Geode> geode_;
  std::vector<Part> parts_;
};

}  // namespace fitup::viewer
