#include <fitup/hierarchy/tree_queries.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/geometry/distance_triangle_triangle.h>
#include <fitup/geometry/limits.h>
#include <fitup/geometry/predicates.h>
#include <fitup/geometry/segment_crossing.h>
#include <fitup/geometry/triangle_intersection.h>
#include <fitup/hierarchy/detail/wide_descent.h>

namespace fitup {
namespace {

using detail::descendWide;
using detail::VisitOrder;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Rounds a number as it enters the exact predicates.
double intoLimits(double value, double smallest, double largest, const char* what) {
  if (!(std::abs(value) <= largest)) throw RangeError(std::string(what) + ": too large, or not a number");
  return std::abs(value) < smallest ? 0.0 : value;
}
Vec3 intoLimits(const Vec3& p, const char* what) {
  Vec3 r;
  for (int k = 0; k < 3; ++k)
    r[k] = intoLimits(p[k], limits::smallestTranslation, limits::largestTranslation, what);
  return r;
}

/// Returns a factor by which the map lengthens a vector at most.
double frobenius(const Transform& map) noexcept {
  double squares = 0;
  for (const auto& row : map.m)
    for (double v : row) squares += v * v;
  return std::sqrt(squares);
}

Box boxOf(const Triangle& t) noexcept {
  Box box;
  for (const Vec3& p : t.v) box.extend(p);
  return box;
}

/// Bounding box of the placed triangles of the tree.
Box boundsOf(const PlacedTree& tree) noexcept {
  const Aabb& local = tree.model().mesh().bounds();
  return placedBox(tree.placement().aFromB, {toVec3(local.min), toVec3(local.max)});
}

using LeafTriangles = std::array<TriangleId, 8>;

std::span<const TriangleId> trianglesOf(const WideBvh& tree, WideChild leaf, LeafTriangles& ids) noexcept {
  for (std::uint32_t k = 0; k < leaf.count(); ++k) ids[k] = detail::triangleInLeaf(tree, leaf, k);
  return {ids.data(), leaf.count()};
}

struct NodeVisit {
  double bound;
  WideChild child;
};

/// The boxes of a tree at its placement.
class PlacedBoxes {
 public:
  explicit PlacedBoxes(const PlacedTree& tree) : tree_(tree.model().wide()), place_(tree.placement().aFromB) {
    stretch_ = tree.placement().orthogonal ? 1 + 2 * orthonormalTolerance : frobenius(place_);
    const double reach = detail::reachOf(tree.model().mesh());
    slack_ =
        stretch_ * detail::wideBoxSlack(reach, tree_.layout) + 0x1p-46 * (stretch_ * reach + norm(place_.t));
  }

  [[nodiscard]] const WideBvh& tree() const noexcept { return tree_; }

  /// Calls `take(k, box)` for each child of a node. The axes of a node are only nearly orthonormal, so their
  /// transpose maps back up to `wideFrameStretch`.
  template <typename Rows, typename Take>
  void ofChildren(const WideFrame& frame, const Rows& centre, const Rows& half, std::uint32_t count,
                  const Take& take) const {
    NodeBox box;
    for (std::size_t i = 0; i < 3; ++i)
      box.axes[i] = place_.applyToVector({frame.columns[0][i], frame.columns[1][i], frame.columns[2][i]});
    for (std::uint32_t k = 0; k < count; ++k) {
      const Vec3 c{centre[0][k], centre[1][k], centre[2][k]};
      box.half = {half[0][k], half[1][k], half[2][k]};
      box.centre = place_.apply(detail::outOfAxes(frame, c));
      box.grown = slack_ + stretch_ * detail::wideFrameStretch * (norm(c) + norm(box.half));
      take(k, std::as_const(box));
    }
  }

  template <typename Bound, typename Visit>
  void visit(const double& limit, const Bound& bound, const Visit& visit) const {
    std::vector<NodeVisit> stack;
    descendWide<VisitOrder::nearestFirst>(
        tree_, stack, limit,
        [&](const WideFrame& frame, const auto& centre, const auto& half, std::uint32_t count,
            const auto& keep) {
          ofChildren(frame, centre, half, count,
                     [&](std::uint32_t k, const NodeBox& box) { keep(k, bound(box)); });
        },
        [&](WideChild leaf) {
          LeafTriangles ids;
          visit(trianglesOf(tree_, leaf, ids));
        });
  }

 private:
  const WideBvh& tree_;
  const Transform& place_;
  double stretch_, slack_;
};

/// Tests the separating axes of a box and a triangle with exact signs: those of the box, the normal, and the
/// nine cross products of edges. Across a cross product, the triangle lies on one side of its edge. A
/// degenerate triangle has no normal and needs none.
bool meets(const Box& box, const Triangle& t) noexcept {
  if (!boxOf(t).overlaps(box)) return false;
  const auto corner = [&](int i) {
    return Vec3{(i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                (i & 4) != 0 ? box.max.z : box.min.z};
  };
  const auto allOn = [&](int sign, const auto& signAt) {
    for (int i = 0; i < 8; ++i)
      if (signAt(corner(i)) != sign) return false;
    return true;
  };
  const auto ofPlane = [&](const Vec3& p) { return orient3d(t.v[0], t.v[1], t.v[2], p); };
  if (const int first = ofPlane(corner(0)); first != 0 && allOn(first, ofPlane)) return false;
  for (int k = 0; k < 3; ++k)
    for (int axis = 0; axis < 3; ++axis) {
      const auto ofEdge = [&](const Vec3& p) { return orient2d(t.v[k], t.v[(k + 1) % 3], p, axis); };
      const int first = ofEdge(corner(0)), third = ofEdge(t.v[(k + 2) % 3]);
      if (first != 0 && first != third && allOn(first, ofEdge)) return false;
    }
  return true;
}

/// Returns the triangles for which `isOne` holds among those whose boxes meet a box, ordered by id.
template <typename IsOne>
std::vector<TriangleId> pickedTriangles(const PlacedTree& tree, const Box& box, const IsOne& isOne) {
  std::vector<TriangleId> found;
  PlacedBoxes(tree).visit(
      infinity, [&](const NodeBox& node) { return node.around().overlaps(box) ? 0 : infinity; },
      [&](std::span<const TriangleId> triangles) {
        for (const TriangleId id : triangles)
          if (isOne(tree.triangle(id))) found.push_back(id);
      });
  std::sort(found.begin(), found.end());
  return found;
}

/// A ray as the segment that is tested.
struct Segment {
  Vec3 from, to;
  double length;  ///< length in the parameter of the ray

  static Segment of(const Ray& ray, const PlacedTree& tree) {
    if (!(ray.reach >= 0)) throw InputError("ray", "reach", "is negative or not a number");
    const Vec3 from = intoLimits(ray.from, "ray"), direction = intoLimits(ray.direction, "ray");
    if (!(norm(direction) > 0)) throw InputError("ray", "direction", "is zero");
    const Box bounds = boundsOf(tree);
    if (bounds.empty()) return {from, from, 0};
    const double needed = (norm(bounds.centre() - from) + norm(bounds.halfExtent())) / norm(direction);
    // A power of two, so that a ray with few digits has an end with few.
    const double length = std::min(ray.reach, std::ldexp(1, std::ilogb(needed) + 1));
    return {from, intoLimits(from + direction * length, "ray"), length};
  }
};

/// Computes the hit. The parameter is a quotient of two determinants of opposite sign, each with a relative
/// error of 2^-50.
std::optional<RayHit> hitOf(const Segment& s, const PlacedTree& tree, TriangleId id) {
  const Triangle t = tree.triangle(id);
  if (crossSegmentTriangle(s.from, s.to, t) == SegmentCrossing::none) return std::nullopt;
  const double start = orient3dValue(t.v[0], t.v[1], t.v[2], s.from),
               end = orient3dValue(t.v[0], t.v[1], t.v[2], s.to);
  if (start != 0 || end != 0) {
    const bool mirrored = tree.placement().aFromB.determinant() < 0;
    const bool fromBehind = start != 0 ? start > 0 : end < 0;
    return RayHit{id, s.length * (std::abs(start) / (std::abs(start) + std::abs(end))),
                  fromBehind != mirrored ? HitSide::back : HitSide::front};
  }
  const TriangleIntersection common = triangleIntersection(t, {{s.from, s.to, s.to}});
  const Vec3 way = s.to - s.from;
  double first = 1;
  for (const Vec3& p : common.corners()) first = std::min(first, dot(p - s.from, way) / dot(way, way));
  return RayHit{id, first > 0 ? s.length * first : 0, HitSide::edge};
}

/// Traverses the tree along a ray, nearest boxes first. `take(hit)` returns the fraction of the length up to
/// which hits are still of interest.
template <typename Take>
void alongRay(const PlacedTree& tree, const Segment& s, const Take& take) {
  const PairPlacement& placement = tree.placement();
  const Transform& back = placement.bFromA;
  const WideBvh& wide = tree.model().wide();
  const Vec3 from = back.apply(s.from), to = back.apply(s.to), middle = 0.5 * (from + to),
             reach = 0.5 * (to - from);
  // The errors of the mapped segment (`PairPlacement::transformedToB`), of the boxes, and of their test.
  const double carried =
      norm(placement.inflationInB) + 0x1p-48 * (frobenius(back) * (norm(s.from) + norm(s.to)) + norm(back.t));
  const double slack =
      2 * (carried + detail::wideBoxSlack(detail::reachOf(tree.model().mesh()) + norm(middle) + norm(reach),
                                          wide.layout));
  std::vector<NodeVisit> stack;
  double limit = infinity;
  descendWide<VisitOrder::nearestFirst>(
      wide, stack, limit,
      [&](const WideFrame& frame, const auto& centre, const auto& half, std::uint32_t count,
          const auto& keep) {
        const Vec3 r = detail::intoAxes(frame, reach);
        detail::childrenOnSegment(centre, half, count, detail::intoAxes(frame, middle), r, slack,
                                  [&](std::uint32_t k, const Vec3& away, const Vec3& grown) {
                                    // Where the segment enters the slab, from -1 to 1. Its rounding is that
                                    // of coordinates.
                                    double in = -1;
                                    for (int i = 0; i < 3; ++i)
                                      if (std::abs(r[i]) > slack)
                                        in = std::max(in, (away[i] - std::copysign(grown[i], r[i])) / r[i]);
                                    keep(k, 0.5 * (in + 1) - 0x1p-50);
                                  });
      },
      [&](WideChild leaf) {
        for (std::uint32_t k = 0; k < leaf.count(); ++k)
          if (const auto hit = hitOf(s, tree, detail::triangleInLeaf(wide, leaf, k))) limit = take(*hit);
      });
}

}  // namespace

double NodeBox::reach(const Vec3& direction) const noexcept {
  return half.x * std::abs(dot(axes[0], direction)) + half.y * std::abs(dot(axes[1], direction)) +
         half.z * std::abs(dot(axes[2], direction)) + grown * norm(direction);
}

Box NodeBox::around() const noexcept {
  const Vec3 extent{reach({1, 0, 0}), reach({0, 1, 0}), reach({0, 0, 1})};
  return {centre - extent, centre + extent};
}

double minimumDistance(const NodeBox& a, const NodeBox& b) noexcept {
  const Vec3 between = b.centre - a.centre;
  double least = 0;
  const auto lookAlong = [&](const Vec3& direction) {
    const double length = norm(direction);
    if (length > 0)
      least = std::max(
          least, (std::abs(dot(between, direction)) - a.reach(direction) - b.reach(direction)) / length);
  };
  lookAlong(between);
  for (const NodeBox* box : {&a, &b})
    for (std::size_t i = 0; i < 3; ++i) lookAlong(cross(box->axes[i], box->axes[(i + 1) % 3]));
  // Centres are as exact as `grown` says. This adds the rounding of the difference of distant centres.
  return least * (1 - 0x1p-48) - 0x1p-48 * norm(between);
}

PlacedTree::PlacedTree(std::shared_ptr<const CollisionModel> model, const Transform& frameFromLocal)
    : model_(std::move(model)) {
  if (!model_) throw InputError("tree", "model", "is null");
  (void)model_->wide();
  Transform placed;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      placed.m[i][k] =
          intoLimits(frameFromLocal.m[i][k], limits::smallest, limits::largest, "scale of a placement");
  placed.t = intoLimits(frameFromLocal.t, "placement");
  placement_ = PairPlacement::of(placed, model_->mesh().bounds());
}

PlacedTree PlacedTree::inWorld(std::shared_ptr<const CollisionModel> model, const Transform& worldFromPart) {
  Transform worldFromLocal = worldFromPart;
  if (model) worldFromLocal.t = worldFromPart.apply(model->mesh().origin());
  return PlacedTree(std::move(model), worldFromLocal);
}

std::optional<RayHit> PlacedTree::castRay(const Ray& ray) const {
  const Segment s = Segment::of(ray, *this);
  std::optional<RayHit> first;
  alongRay(*this, s, [&](const RayHit& hit) {
    if (!first || hit.at < first->at) first = hit;
    return s.length > 0 ? first->at / s.length * (1 + 0x1p-40) : infinity;
  });
  return first;
}

std::vector<RayHit> PlacedTree::allHits(const Ray& ray) const {
  std::vector<RayHit> hits;
  alongRay(*this, Segment::of(ray, *this), [&](const RayHit& hit) {
    hits.push_back(hit);
    return infinity;
  });
  std::sort(hits.begin(), hits.end(), [](const RayHit& a, const RayHit& b) {
    return a.at != b.at ? a.at < b.at : a.triangle < b.triangle;
  });
  return hits;
}

std::vector<TriangleId> PlacedTree::inBox(const Box& box) const {
  Box cut = boundsOf(*this);
  if (box.empty()) return {};
  for (int k = 0; k < 3; ++k) {
    cut.min[k] = std::max(cut.min[k], box.min[k]);
    cut.max[k] = std::min(cut.max[k], box.max[k]);
  }
  if (cut.empty()) return {};
  cut = {intoLimits(cut.min, "box"), intoLimits(cut.max, "box")};
  return pickedTriangles(*this, cut, [&](const Triangle& t) { return meets(cut, t); });
}

std::vector<TriangleId> PlacedTree::within(double distance, const Triangle& of) const {
  if (!(distance >= 0)) throw InputError("query", "distance", "is negative or not a number");
  Triangle within;
  for (int k = 0; k < 3; ++k) within.v[k] = intoLimits(of.v[k], "triangle");
  const Box bounds = boundsOf(*this);
  if (bounds.empty()) return {};
  Box box = boxOf(within);
  // Distances of slivers are off by up to 2^-34 of their length.
  const double grown = distance + 0x1p-32 * (distance + norm(bounds.halfExtent()) + norm(box.halfExtent()));
  const Vec3 by{grown, grown, grown};
  box = {box.min - by, box.max + by};
  return pickedTriangles(*this, box, [&](const Triangle& t) {
    return distanceTriangleTriangle(t, within).distance <= distance;
  });
}

void visitTree(const PlacedTree& tree, TreeVisitor& visitor) {
  PlacedBoxes(tree).visit(
      visitor.limit, [&](const NodeBox& box) { return visitor.bound(box); },
      [&](std::span<const TriangleId> triangles) { visitor.visit(triangles); });
}

void visitPairs(const PlacedTree& a, const PlacedTree& b, PairVisitor& visitor) {
  struct Child {
    WideChild child;
    NodeBox box;
  };
  struct Pair {
    double bound;
    Child a, b;
  };
  const PlacedBoxes ofA(a), ofB(b);
  if (ofA.tree().nodeCount() == 0 || ofB.tree().nodeCount() == 0) return;
  std::vector<Pair> stack;
  const auto meet = [&](const Child& inA, const Child& inB) {
    if (const double bound = visitor.bound(inA.box, inB.box); bound < visitor.limit)
      stack.push_back({bound, inA, inB});
  };
  const auto open = [](const PlacedBoxes& boxes, std::uint32_t node, const auto& take) {
    detail::openWideNode(boxes.tree(), node,
                         [&](const WideFrame& frame, const auto& centre, const auto& half, const auto& child,
                             std::uint32_t count) {
                           boxes.ofChildren(frame, centre, half, count,
                                            [&](std::uint32_t k, const NodeBox& box) {
                                              take(Child{child[k], box});
                                            });
                         });
  };
  const auto size = [](const Child& child) { return norm(child.box.around().halfExtent()); };
  open(ofA, 0, [&](const Child& inA) { open(ofB, 0, [&](const Child& inB) { meet(inA, inB); }); });
  while (!stack.empty()) {
    const Pair next = stack.back();
    stack.pop_back();
    if (!(next.bound < visitor.limit)) continue;
    const std::size_t before = stack.size();
    const WideChild inA = next.a.child, inB = next.b.child;
    if (inA.isLeaf() && inB.isLeaf()) {
      LeafTriangles idsA, idsB;
      visitor.visit(trianglesOf(ofA.tree(), inA, idsA), trianglesOf(ofB.tree(), inB, idsB));
    } else if (inB.isLeaf() || (!inA.isLeaf() && size(next.a) >= size(next.b))) {
      open(ofA, inA.node(), [&](const Child& child) { meet(child, next.b); });
    } else {
      open(ofB, inB.node(), [&](const Child& child) { meet(next.a, child); });
    }
    std::sort(stack.begin() + static_cast<std::ptrdiff_t>(before), stack.end(),
              [](const Pair& x, const Pair& y) { return x.bound > y.bound; });
  }
}

}  // namespace fitup
