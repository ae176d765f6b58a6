#include <fitup/query/detail/volume_columns.h>

#include <array>
#include <cmath>
#include <limits>

namespace fitup::detail {
namespace {

/// Number of triangles with edges in a column up to which it is cut along an edge; with more it is halved.
constexpr std::size_t mostEdgesToCut = 16;

/// The centre of area. The mean of a linear function over the polygon is its value there.
Vec3 centroidOf(const ConvexPolygon& polygon) noexcept {
  Vec3 sum;
  double area = 0;
  for (std::size_t i = 2; i < polygon.count; ++i) {
    const double part = cross(polygon.p[i - 1] - polygon.p[0], polygon.p[i] - polygon.p[0]).z;
    sum = sum + (polygon.p[i - 1] + polygon.p[i] - 2 * polygon.p[0]) * part;
    area += part;
  }
  return area > 0 ? polygon.p[0] + sum * (1 / (3 * area)) : polygon.middle();
}

}  // namespace

VolumeColumns::VolumeColumns(const PosedSolid& a, const PosedSolid& b, const PairFrame& frame, int up) {
  const PlacedTree treeA(a.solid->sharedModel()), treeB(b.solid->sharedModel(), frame.placement.aFromB);
  Box boxA, boxB;
  for (const Point3f& p : a.solid->mesh().points()) boxA.extend(toVec3(p));
  for (const Point3f& p : b.solid->mesh().points()) boxB.extend(frame.placement.aFromB.apply(toVec3(p)));
  if (boxA.empty() || boxB.empty()) return;
  Box common;
  for (int k = 0; k < 3; ++k) {
    common.min[k] = std::max(boxA.min[k], boxB.min[k]);
    common.max[k] = std::min(boxA.max[k], boxB.max[k]);
    if (!(common.min[k] < common.max[k])) return;
    for (const Box* box : {&boxA, &boxB})
      reach_ = std::max({reach_, std::abs(box->min[k]), std::abs(box->max[k])});
  }
  const Vec3 low = turnedUp(common.min, up), high = turnedUp(common.max, up);
  bottom_ = low.z;
  top_ = high.z;
  near_ = 0x1p-44 * reach_;
  // Everything above a point decides whether it is inside.
  common.max[up] = std::numeric_limits<double>::infinity();
  add(treeA, a.solid->watertightness(), 0, up, common);
  add(treeB, b.solid->watertightness(), 1, up, common);
  std::vector<std::uint32_t> all(faces_.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  ConvexPolygon whole;
  for (const Vec3& p : {low, Vec3{high.x, low.y, 0}, high, Vec3{low.x, high.y, 0}}) whole.add({p.x, p.y, 0});
  push(whole, all, 0);
}

ReportStatus VolumeColumns::refine(double relativeAccuracy, std::size_t maxPieces,
                                   const std::function<ReportStatus()>& ended) {
  for (std::size_t round = 0; !open_.empty(); ++round) {
    if (errorBound() <= relativeAccuracy * volume()) break;
    // What is left is less than rounding has already cost.
    if (open_.front().open() * static_cast<double>(open_.size()) <= lost_) break;
    if (pieces_ >= maxPieces) return ReportStatus::truncated;
    if (round % 64 == 0)
      if (const ReportStatus status = ended(); status != ReportStatus::complete) return status;
    std::pop_heap(open_.begin(), open_.end());
    const Column next = std::move(open_.back());
    open_.pop_back();
    lower_ -= next.lower;
    upper_ -= next.upper;
    split(next);
  }
  return ReportStatus::complete;
}

double VolumeColumns::errorBound() const noexcept {
  // Each column was added to the sums and perhaps taken away.
  const double ofSums = 0x1p-51 * greatest_ * static_cast<double>(pieces_);
  return std::max(0.0, 0.5 * (upper_ - lower_)) + lost_ + ofSums;
}

void VolumeColumns::add(const PlacedTree& tree, const Watertightness& watertightness, int side, int up,
                        const Box& region) {
  const bool isMirrored = tree.placement().aFromB.determinant() < 0;
  for (const TriangleId id : tree.inBox(region)) {
    std::optional<ColumnFace> face = ColumnFace::of(tree.triangle(id), up, reach_);
    if (!face) continue;
    face->side = side;
    face->winding *= watertightness.outward(id) * (isMirrored ? -1 : 1);
    faces_.push_back(*face);
  }
}

void VolumeColumns::lose(const ConvexPolygon& polygon, double width) {
  lost_ += 4 * width * polygon.longestEdge() * (top_ - bottom_);
}

void VolumeColumns::push(const ConvexPolygon& polygon, std::span<const std::uint32_t> faces,
                         std::size_t covering) {
  const double area = polygon.area();
  if (polygon.count < 3 || !(area > 0)) return;
  ++pieces_;
  Column column;
  column.polygon = polygon;
  column.faces.assign(faces.begin(), faces.begin() + static_cast<std::ptrdiff_t>(covering));
  sides_.clear();
  for (std::size_t k = 0; k < polygon.count; ++k) {
    const Vec3 &from = polygon.p[k], &to = polygon.p[(k + 1) % polygon.count];
    if (norm(to - from) > 4 * near_) sides_.push_back(HalfPlane::leftOf(from, to));
  }
  cut_.clear();
  for (const std::uint32_t id : faces.subspan(covering)) switch (coverOf(faces_[id], polygon)) {
      case Cover::none:
        break;
      case Cover::part:
        cut_.push_back(id);
        break;
      case Cover::all:
        column.faces.push_back(id);
    }
  column.covering = column.faces.size();
  column.faces.insert(column.faces.end(), cut_.begin(), cut_.end());
  if (!resolve(column, area)) bound(column, area);
  if (!(column.upper > 0)) return;
  lower_ += column.lower;
  upper_ += column.upper;
  greatest_ = std::max(greatest_, upper_);
  if (!(column.open() > 0)) return;
  open_.push_back(std::move(column));
  std::push_heap(open_.begin(), open_.end());
}

VolumeColumns::Cover VolumeColumns::coverOf(const ColumnFace& face, const ConvexPolygon& polygon) {
  double least = std::numeric_limits<double>::infinity();
  for (const HalfPlane& edge : face.edge) {
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < polygon.count; ++i) {
      const double value = edge.at(polygon.p[i]);
      most = std::max(most, value);
      least = std::min(least, value);
    }
    if (most > near_) continue;
    if (most > -near_) lose(polygon, near_);
    return Cover::none;
  }
  if (least >= -near_) {
    if (least < near_) lose(polygon, near_);
    return Cover::all;
  }
  for (const HalfPlane& side : sides_) {
    const double most = std::max({side.at(face.v[0]), side.at(face.v[1]), side.at(face.v[2])});
    if (most > near_) continue;
    if (most > -near_) lose(polygon, near_);
    return Cover::none;
  }
  return Cover::part;
}

bool VolumeColumns::resolve(Column& column, double area) {
  if (column.covering < column.faces.size()) return false;
  const Vec3 middle = centroidOf(column.polygon);
  sortByHeight(column, middle);
  // Above the top and below the bottom one of the two bodies has no triangles, and is outside.
  double height = 0, error = 0, from = 0;
  int winding[2] = {0, 0};
  for (const std::uint32_t id : column.faces) {
    const ColumnFace& face = faces_[id];
    const double to = face.height(middle);
    if (winding[0] > 0 && winding[1] > 0) height += from - to;
    from = to;
    winding[face.side] += face.winding;
    error += 2 * face.error;
  }
  lost_ += area * error;
  double most = 0;
  for (std::size_t i = 0; i < column.polygon.count; ++i) {
    double disorder = 0;
    for (std::size_t k = 1; k < column.faces.size(); ++k)
      disorder += std::max(0.0, riseAt(column, k, column.polygon.p[i]));
    most = std::max(most, disorder);
  }
  const double off = most * static_cast<double>(column.faces.size());
  column.lower = area * std::max(0.0, height - off);
  column.upper = area * std::min(top_ - bottom_, height + off);
  return true;
}

double VolumeColumns::riseAt(const Column& column, std::size_t k, const Vec3& p) const noexcept {
  return faces_[column.faces[k]].height(p) - faces_[column.faces[k - 1]].height(p);
}

void VolumeColumns::sortByHeight(Column& column, const Vec3& at) {
  order_.clear();
  for (const std::uint32_t id : column.faces) order_.emplace_back(faces_[id].height(at), id);
  std::sort(order_.begin(), order_.end(), std::greater<>());
  for (std::size_t i = 0; i < order_.size(); ++i) column.faces[i] = order_[i].second;
}

std::size_t VolumeColumns::worstCrossing(const Column& column) const {
  std::size_t worst = 1;
  double most = 0;
  for (std::size_t k = 1; k < column.faces.size(); ++k)
    for (std::size_t i = 0; i < column.polygon.count; ++i)
      if (const double rise = riseAt(column, k, column.polygon.p[i]); rise > most) {
        most = rise;
        worst = k;
      }
  return worst;
}

void VolumeColumns::bound(Column& column, double area) {
  const std::optional<Vec3> sample = samplePoint(column);
  for (int side : {0, 1}) findStretches(column, side, sample);
  // Both lists run from the top to the bottom without gaps.
  double lower = 0, upper = 0;
  for (std::size_t i = 0, j = 0; i < stretches_[0].size() && j < stretches_[1].size();) {
    const Stretch &p = stretches_[0][i], &q = stretches_[1][j];
    const double common = std::max(0.0, std::min(p.high, q.high) - std::max(p.low, q.low));
    if (p.surelyInside && q.surelyInside) lower += common;
    if (p.maybeInside && q.maybeInside) upper += common;
    (p.low >= q.low ? i : j)++;
  }
  column.lower = area * lower;
  column.upper = area * upper;
}

std::optional<Vec3> VolumeColumns::samplePoint(const Column& column) const {
  const ConvexPolygon& polygon = column.polygon;
  const Vec3 middle = polygon.middle();
  for (std::size_t attempt = 0; attempt < polygon.count + 1; ++attempt) {
    const Vec3 p = attempt == 0 ? middle : middle + (polygon.p[attempt - 1] - middle) * 0.37;
    const bool isClear = std::all_of(column.faces.begin() + static_cast<std::ptrdiff_t>(column.covering),
                                     column.faces.end(), [&](std::uint32_t id) {
                                       const double least = leastOf(faces_[id], p);
                                       return std::abs(least) > near_;
                                     });
    if (isClear) return p;
  }
  return std::nullopt;
}

double VolumeColumns::leastOf(const ColumnFace& face, const Vec3& p) noexcept {
  return std::min({face.edge[0].at(p), face.edge[1].at(p), face.edge[2].at(p)});
}

void VolumeColumns::findStretches(const Column& column, int side, const std::optional<Vec3>& sample) {
  std::vector<Range>& ranges = ranges_;
  ranges.clear();
  for (std::size_t k = 0; k < column.faces.size(); ++k) {
    const ColumnFace& face = faces_[column.faces[k]];
    if (face.side != side) continue;
    Range range{face.high, face.low, 0};
    for (std::size_t i = 0; i < column.polygon.count; ++i) {
      const double z = face.at0 + face.gx * column.polygon.p[i].x + face.gy * column.polygon.p[i].y;
      range.low = std::min(range.low, z - face.error);
      range.high = std::max(range.high, z + face.error);
    }
    range.low = std::max(range.low, face.low);
    range.high = std::min(range.high, face.high);
    if (k < column.covering || (sample && leastOf(face, *sample) > 0)) range.winding = face.winding;
    ranges.push_back(range);
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& p, const Range& q) { return p.high > q.high; });
  std::vector<Stretch>& stretches = stretches_[side];
  stretches.clear();
  double from = top_;
  int winding = 0;
  const auto put = [&](double to, bool surely, bool maybe) {
    to = std::clamp(to, bottom_, from);
    if (to < from) stretches.push_back({to, from, surely, maybe});
    from = to;
  };
  for (std::size_t k = 0; k < ranges.size();) {
    put(ranges[k].high, sample && winding > 0, !sample || winding > 0);
    double low = ranges[k].low;
    for (; k < ranges.size() && ranges[k].high >= low; ++k) {
      low = std::min(low, ranges[k].low);
      winding += ranges[k].winding;
    }
    put(low, false, true);
  }
  put(bottom_, sample && winding > 0, !sample || winding > 0);
}

void VolumeColumns::split(const Column& column) {
  const ConvexPolygon& polygon = column.polygon;
  std::pair<ConvexPolygon, ConvexPolygon> halves;
  const std::size_t cutting = column.faces.size() - column.covering;
  if (polygon.count + 2 > ConvexPolygon::most) {
    const Vec3 across = polygon.p[polygon.count / 2] - polygon.p[0];
    halves = polygon.cut(polygon.p[0], {-across.y, across.x, 0});
  } else if (cutting > mostEdgesToCut) {
    halves = halved(polygon);
  } else if (cutting > 0) {
    halves = cutAtEdge(column);
  } else {
    const std::size_t k = worstCrossing(column);
    std::array<double, ConvexPolygon::most> f{};
    for (std::size_t i = 0; i < polygon.count; ++i) f[i] = riseAt(column, k, polygon.p[i]);
    halves = polygon.cut(f);
  }
  push(halves.first, column.faces, column.covering);
  push(halves.second, column.faces, column.covering);
}

std::pair<ConvexPolygon, ConvexPolygon> VolumeColumns::halved(const ConvexPolygon& polygon) {
  Box box;
  for (std::size_t i = 0; i < polygon.count; ++i) box.extend(polygon.p[i]);
  const bool alongX = box.max.x - box.min.x >= box.max.y - box.min.y;
  return polygon.cut(box.centre(), alongX ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
}

std::pair<ConvexPolygon, ConvexPolygon> VolumeColumns::cutAtEdge(const Column& column) const {
  double best = -1;
  std::array<double, ConvexPolygon::most> values{};
  for (std::size_t k = column.covering; k < column.faces.size(); ++k)
    for (const HalfPlane& edge : faces_[column.faces[k]].edge) {
      std::array<double, ConvexPolygon::most> f{};
      double least = 0, most = 0;
      for (std::size_t i = 0; i < column.polygon.count; ++i) {
        f[i] = edge.at(column.polygon.p[i]);
        least = std::min(least, f[i]);
        most = std::max(most, f[i]);
      }
      if (std::min(most, -least) <= best) continue;
      best = std::min(most, -least);
      values = f;
    }
  return column.polygon.cut(values);
}

}  // namespace fitup::detail
