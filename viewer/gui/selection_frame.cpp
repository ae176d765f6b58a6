#include <viewer/gui/selection_frame.h>

#include <viewer/gui/overlay_shapes.h>

namespace fitup::viewer {
namespace {

const osg::Vec4 frameColour{0.1F, 0.4F, 0.95F, 1};
constexpr double cornerShare = 0.2;  // of an edge, drawn at each of its ends

/// Adds the ends of the edges of a box, as pairs of points in the world.
void addCorners(const SelectionFrame::Part& part, std::vector<Vec3>& lines) {
  const Vec3 size = part.box.max - part.box.min;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const auto isMax = [&](int axis) { return (corner >> axis & 1U) != 0; };
    Vec3 from;
    for (int axis = 0; axis < 3; ++axis) from[axis] = isMax(axis) ? part.box.max[axis] : part.box.min[axis];
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 to = from;
      to[axis] += (isMax(axis) ? -cornerShare : cornerShare) * size[axis];
      lines.push_back(part.worldFromPart.apply(from));
      lines.push_back(part.worldFromPart.apply(to));
    }
  }
}

}  // namespace

SelectionFrame::SelectionFrame() : geode_(new osg::Geode) {
  addChild(geode_);
  drawOverEverything(*this);
}

void SelectionFrame::show(const std::vector<Part>& parts) {
  if (parts == parts_) return;
  parts_ = parts;
  geode_->removeDrawables(0, geode_->getNumDrawables());
  std::vector<Vec3> lines;
  for (const Part& part : parts_) addCorners(part, lines);
  if (!lines.empty()) geode_->addDrawable(makeShape(lines, GL_LINES, frameColour));
}

}  // namespace fitup::viewer
