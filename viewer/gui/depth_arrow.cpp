#include <viewer/gui/depth_arrow.h>

#include <algorithm>
#include <cmath>

#include <viewer/gui/overlay_label.h>
#include <viewer/gui/overlay_shapes.h>

namespace fitup::viewer {
namespace {

// In the widget's pixels.
constexpr double headLength = 11, headWidth = 4, shaftWidth = 1, endWidth = 8, tail = 20, border = 1.5;
/// A shorter arrow has its heads outside.
constexpr double leastInside = 3 * headLength;
/// An arrow along the line of sight is a dot.
constexpr double leastLength = 1.5;

/// Collects flat shapes in the plane of the picture, in the widget's pixels about a point of the world: `x`
/// along the arrow, `y` across it.
class FlatShapes {
 public:
  FlatShapes(const Vec3& centre, const Vec3& x, const Vec3& y) : centre_(centre), x_(x), y_(y) {}
  void addBar(double fromX, double toX, double fromY, double toY) {
    add(fromX, fromY, toX, fromY, toX, toY);
    add(fromX, fromY, toX, toY, fromX, toY);
  }
  /// A head whose point is at `tip`; `way` is 1 or -1. `grown` by a border.
  void addHead(double tip, double way, double grown) {
    const double base = tip - way * (headLength + grown), half = headWidth + 1.5 * grown;
    add(tip + way * 2 * grown, 0, base, -half, base, half);
  }
  [[nodiscard]] osg::ref_ptr<osg::Geometry> shape(const osg::Vec4& colour) const {
    return makeShape(corners_, GL_TRIANGLES, colour);
  }

 private:
  void add(double ax, double ay, double bx, double by, double cx, double cy) {
    corners_.push_back(centre_ + x_ * ax + y_ * ay);
    corners_.push_back(centre_ + x_ * bx + y_ * by);
    corners_.push_back(centre_ + x_ * cx + y_ * cy);
  }
  Vec3 centre_, x_, y_;
  std::vector<Vec3> corners_;
};

/// Adds an arrow of a length, each shape grown by a border.
void addArrow(FlatShapes& shapes, double length, double grown) {
  const double half = 0.5 * length;
  if (length < leastLength) {
    shapes.addBar(-3 - grown, 3 + grown, -3 - grown, 3 + grown);
    return;
  }
  const double shaft = shaftWidth + grown;
  const bool isOutside = length < leastInside;
  for (const double way : {-1.0, 1.0}) {
    const double end = way * half;
    shapes.addBar(end - 0.5 - grown, end + 0.5 + grown, -endWidth - grown, endWidth + grown);
    shapes.addHead(end, isOutside ? -way : way, grown);
    if (isOutside) {
      const double from = end + way * headLength, to = end + way * (headLength + tail + grown);
      shapes.addBar(std::min(from, to), std::max(from, to), -shaft, shaft);
    }
  }
  const double inner = isOutside ? half : half - headLength;
  shapes.addBar(-inner, inner, -shaft, shaft);
}

}  // namespace

DepthArrow::DepthArrow(QWidget& view) : node_(new osg::Geode), label_(makeOverlayLabel(view)) {
  drawOverEverything(*node_);
}

void DepthArrow::show(const std::optional<DepthPlace>& place, const QString& text) {
  place_ = place;
  label_->setText(text);
  label_->adjustSize();
}

void DepthArrow::place(const Camera& camera, double ratio) {
  node_->removeDrawables(0, node_->getNumDrawables());
  const bool isSeen =
      place_ && camera.project(place_->from).has_value() && camera.project(place_->to).has_value();
  label_->setVisible(isSeen);
  if (!isSeen) return;
  const Vec3 middle = (place_->from + place_->to) * 0.5, sight = camera.forward();
  const double pixel = ratio * camera.worldPerPixel(middle);
  const Vec3 way = place_->to - place_->from, flat = way - sight * dot(way, sight);
  const double length = norm(flat) / pixel;
  const Vec3 x = length < leastLength ? camera.right() : normalized(flat);
  const Vec3 y = cross(sight, x);
  FlatShapes around(middle, x * pixel, y * pixel), inside = around;
  addArrow(around, length, border);
  addArrow(inside, length, 0);
  node_->addDrawable(around.shape({1, 1, 1, 1}));
  node_->addDrawable(inside.shape({0.05F, 0.05F, 0.05F, 1}));
  label_->move(placeOfLabel(camera, ratio));
}

QPoint DepthArrow::placeOfLabel(const Camera& camera, double ratio) const {
  if (!place_) return {};
  const auto from = camera.project(place_->from), to = camera.project(place_->to);
  if (!from || !to) return {};
  const double x = 0.5 * (from->x + to->x) / ratio, y = 0.5 * (from->y + to->y) / ratio;
  const bool isUpright = std::abs(to->y - from->y) > std::abs(to->x - from->x);
  constexpr int beside = 14;
  if (isUpright) return {qRound(x) + beside, qRound(y) - label_->height() / 2};
  return {qRound(x) - label_->width() / 2, qRound(y) - beside - label_->height()};
}

}  // namespace fitup::viewer
