#include <viewer/core/section_cut.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include <fitup/hierarchy/tree_queries.h>

namespace fitup::viewer {
namespace {

/// The heights of points of a placed part above a plane; 0 for those that count as lying in it.
class Heights {
 public:
  Heights(const TriangleMesh& mesh, const Transform& worldFromPart, const SectionFrame& frame)
      : frame_(frame) {
    double largest = 0, scale = 0;
    for (const Point3f& corner : {mesh.bounds().min, mesh.bounds().max})
      largest = std::max(
          {largest, std::abs(double{corner.x}), std::abs(double{corner.y}), std::abs(double{corner.z})});
    for (int i = 0; i < 3; ++i) {
      Vec3 axis;
      axis[i] = 1;
      scale = std::max(scale, norm(worldFromPart.applyToVector(axis)));
    }
    slack_ = 0x1p-22 * largest * scale;
  }
  [[nodiscard]] double of(const Vec3& point) const {
    const double height = frame_.height(point);
    return height < 0 && height >= -slack_ ? 0 : height;
  }
  [[nodiscard]] double slack() const { return slack_; }
  [[nodiscard]] const SectionFrame& frame() const { return frame_; }

 private:
  const SectionFrame& frame_;
  double slack_ = 0;
};

/// Calls `cut` with a placed triangle and the heights of its corners, if it has corners on both sides.
template <typename Cut>
void cutTriangle(const Heights& heights, TriangleId id, const Triangle& t, Cut& cut) {
  const std::array height{heights.of(t.v[0]), heights.of(t.v[1]), heights.of(t.v[2])};
  const bool above = height[0] >= 0;
  if ((height[1] >= 0) != above || (height[2] >= 0) != above) cut(id, t, height);
}

/// Cuts the triangles near a plane.
template <typename Cut>
class NearPlane : public TreeVisitor {
 public:
  NearPlane(const PlacedTree& tree, const Heights& heights, Cut& cut)
      : tree_(tree), heights_(heights), cut_(cut) {
    limit = 0;
  }
  double bound(const NodeBox& box) override {
    const SectionPlane& plane = heights_.frame().plane();
    // Far above the rounding of both heights, so that no triangle with points on both sides is missed.
    const double rounding = 0x1p-40 * (norm(box.centre) + std::abs(plane.offset)) + 0x1p-500;
    return std::abs(heights_.frame().height(box.centre)) - box.reach(plane.normal) - box.grown -
           heights_.slack() - rounding;
  }
  void visit(std::span<const TriangleId> triangles) override {
    for (const TriangleId id : triangles) cutTriangle(heights_, id, tree_.triangle(id), cut_);
  }

 private:
  const PlacedTree& tree_;
  const Heights& heights_;
  Cut& cut_;
};

template <typename Cut>
void forCutTriangles(const std::shared_ptr<const CollisionModel>& model, const Transform& worldFromPart,
                     const SectionFrame& frame, Cut cut) {
  const TriangleMesh& mesh = model->mesh();
  const Heights heights(mesh, worldFromPart, frame);
  if (model->hasWide()) {
    const PlacedTree tree = PlacedTree::inWorld(model, worldFromPart);
    NearPlane<Cut> visitor(tree, heights, cut);
    return visitTree(tree, visitor);
  }
  const Transform worldFromLocal = worldFromPart * Transform::translation(mesh.origin());
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const Triangle t = mesh.triangle(TriangleId{i});
    cutTriangle(heights, TriangleId{i},
                {{worldFromLocal.apply(t.v[0]), worldFromLocal.apply(t.v[1]), worldFromLocal.apply(t.v[2])}},
                cut);
  }
}

/// Where an edge crosses the plane. The same point for both directions of the edge.
FlatPoint crossing(const SectionFrame& frame, const Vec3& p, double heightOfP, const Vec3& q,
                   double heightOfQ) {
  const bool up = heightOfP < heightOfQ;
  const Vec3 &low = up ? p : q, &high = up ? q : p;
  const double below = up ? heightOfP : heightOfQ, above = up ? heightOfQ : heightOfP;
  return frame.flat(low + (high - low) * (below / (below - above)));
}

/// The way of the plane through a triangle, from one crossed edge to another.
struct Step {
  std::uint32_t fromEdge = 0, toEdge = 0;
  FlatPoint from;
  bool used = false;
};

/// Links steps to closed loops. Returns false if they do not close.
bool link(std::vector<Step>& steps, std::vector<FlatLoop>& loops) {
  std::ranges::sort(steps, {}, &Step::fromEdge);
  for (Step& first : steps) {
    if (first.used) continue;
    FlatLoop loop;
    Step* at = &first;
    while (at != nullptr) {
      at->used = true;
      loop.push_back(at->from);
      if (at->toEdge == first.fromEdge) break;
      // More than one step begins at an edge of more than two triangles. Any choice gives the same winding
      // numbers.
      Step* next = nullptr;
      for (Step& each : std::ranges::equal_range(steps, at->toEdge, {}, &Step::fromEdge))
        if (!each.used) {
          next = &each;
          break;
        }
      at = next;
    }
    if (at == nullptr) return false;
    loops.push_back(std::move(loop));
  }
  return true;
}

}  // namespace

SectionFrame::SectionFrame(const SectionPlane& plane) noexcept : plane_(plane) {
  std::tie(u_, v_) = orthonormalBasis(plane.normal);
}

std::optional<FlatHalf> SectionFrame::keptBy(const SectionPlane& other) const noexcept {
  const FlatPoint a = flat(other.normal);
  if (std::hypot(a.x, a.y) < 1e-9) return std::nullopt;
  return FlatHalf{a, other.offset - plane_.offset * dot(other.normal, plane_.normal)};
}

PartCut cutOf(const std::shared_ptr<const CollisionModel>& model, const Transform& worldFromPart,
              const SectionFrame& frame) {
  PartCut cut;
  forCutTriangles(model, worldFromPart, frame,
                  [&](TriangleId, const Triangle& t, const std::array<double, 3>& height) {
                    FlatLine line;
                    FlatPoint* end = &line.from;
                    for (int k = 0; k < 3; ++k) {
                      const int next = (k + 1) % 3;
                      if ((height[k] >= 0) == (height[next] >= 0)) continue;
                      *end = crossing(frame, t.v[k], height[k], t.v[next], height[next]);
                      end = &line.to;
                    }
                    if (line.from != line.to) cut.lines.push_back(line);
                  });
  return cut;
}

PartCut cutOf(const SolidModel& solid, const Transform& worldFromPart, const SectionFrame& frame) {
  if (!solid.watertightness().closed()) return cutOf(solid.sharedModel(), worldFromPart, frame);
  const bool mirrored = worldFromPart.determinant() < 0;
  std::vector<Step> steps;
  forCutTriangles(solid.sharedModel(), worldFromPart, frame,
                  [&](TriangleId id, const Triangle& t, const std::array<double, 3>& height) {
                    const auto& edges = solid.topology().edgesOf(id);
                    const bool reversed = (solid.watertightness().outward(id) < 0) != mirrored;
                    Step step;
                    // The material is to the left if the way begins where the border of the triangle, seen
                    // from outside, goes down.
                    for (int k = 0; k < 3; ++k) {
                      const int next = (k + 1) % 3;
                      const bool from = height[k] >= 0, to = height[next] >= 0;
                      if (from == to) continue;
                      if (from != reversed) {
                        step.fromEdge = edges[k];
                        step.from = crossing(frame, t.v[k], height[k], t.v[next], height[next]);
                      } else {
                        step.toEdge = edges[k];
                      }
                    }
                    if (step.fromEdge != step.toEdge) steps.push_back(step);
                  });
  PartCut cut;
  if (!link(steps, cut.loops)) return cutOf(solid.sharedModel(), worldFromPart, frame);
  return cut;
}

}  // namespace fitup::viewer
