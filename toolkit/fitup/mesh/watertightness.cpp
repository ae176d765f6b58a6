#include <fitup/mesh/watertightness.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <fitup/base/count_text.h>
#include <fitup/geometry/segment_crossing.h>

namespace fitup {
namespace {

/// Determines which closed components of a mesh lie within which others.
class Nesting {
 public:
  Nesting(const TriangleMesh& mesh, const MeshTopology& topology,
          const std::vector<ComponentWatertightness>& components, const WorkMeter& meter)
      : mesh_(mesh), topology_(topology), components_(components), meter_(meter), boxes_(components.size()) {
    polledLoop(mesh.triangleCount(), meter, [&](std::size_t t) {
      for (const std::uint32_t p : mesh.triangles()[t])
        boxes_[topology.componentOf(TriangleId(static_cast<std::uint32_t>(t)))].extend(mesh.points()[p]);
    });
  }

  /// The other closed components that hold all tested corners of this one. Tested are corners, spread over
  /// the component, that lie on none of the others. Components whose surfaces cross are not within each
  /// other.
  [[nodiscard]] std::vector<std::uint32_t> around(std::uint32_t component) const {
    std::vector<char> asked(components_.size(), 0);
    bool any = false;
    polledLoop(components_.size(), meter_, [&](std::size_t c) {
      const bool ask = c != component && components_[c].closed() && boxes_[c].contains(boxes_[component]);
      asked[c] = static_cast<char>(ask);
      any |= ask;
    });
    bool known = false;
    for (const std::uint32_t corner : any ? cornersOf(component) : std::vector<std::uint32_t>{}) {
      const auto odd = oddCrossings(toVec3(mesh_.points()[corner]), asked);
      if (!odd) continue;
      asked = *odd;
      known = true;
    }
    std::vector<std::uint32_t> result;
    for (std::uint32_t c = 0; known && c < asked.size(); ++c)
      if (asked[c]) result.push_back(c);
    return result;
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> cornersOf(std::uint32_t component) const {
    constexpr std::size_t most = 16;
    std::vector<std::uint32_t> all;
    polledLoop(mesh_.triangleCount(), meter_, [&](std::size_t t) {
      if (topology_.componentOf(TriangleId(static_cast<std::uint32_t>(t))) == component)
        all.insert(all.end(), mesh_.triangles()[t].begin(), mesh_.triangles()[t].end());
    });
    auto less = polled(meter_, std::less<std::uint32_t>());
    std::sort(all.begin(), all.end(), std::ref(less));
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::vector<std::uint32_t> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * all.size() / most]);
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return some;
  }

  /// Returns which of the components in `asked` a segment from `p` out of the mesh crosses an odd number of
  /// times. Tries other directions if it hits an edge or a corner. Unset if `p` lies on one of them.
  [[nodiscard]] std::optional<std::vector<char>> oddCrossings(const Vec3& p,
                                                              const std::vector<char>& asked) const {
    std::vector<char> odd(asked.size());
    for (unsigned attempt = 0; attempt < escapeDirections; ++attempt) {
      const Vec3 outside = escapePoint(p, mesh_.bounds(), attempt);
      std::fill(odd.begin(), odd.end(), 0);
      bool doubtful = false;
      for (std::uint32_t t = 0; t < mesh_.triangleCount() && !doubtful; ++t) {
        if (t % 4096 == 0) meter_.poll();
        const std::uint32_t c = topology_.componentOf(TriangleId(t));
        if (!asked[c]) continue;
        const SegmentCrossing crossing = crossSegmentTriangle(p, outside, mesh_.triangle(TriangleId(t)));
        if (crossing == SegmentCrossing::startsOn) return std::nullopt;
        doubtful = crossing == SegmentCrossing::degenerate;
        if (crossing != SegmentCrossing::none) odd[c] = static_cast<char>(!odd[c]);
      }
      if (!doubtful) return odd;
    }
    return std::nullopt;
  }

  const TriangleMesh& mesh_;
  const MeshTopology& topology_;
  const std::vector<ComponentWatertightness>& components_;
  const WorkMeter& meter_;
  std::vector<Aabb> boxes_;
};

}  // namespace

Watertightness::Watertightness(const TriangleMesh& mesh, const MeshTopology& topology, const WorkMeter& meter)
    : components_(topology.componentCount()) {
  const Vec3 centre = mesh.triangleCount() > 0 ? mesh.bounds().centre() : Vec3{};
  polledLoop(mesh.triangleCount(), meter, [&](std::size_t i) {
    const TriangleId id{static_cast<std::uint32_t>(i)};
    ComponentWatertightness& component = components_[topology.componentOf(id)];
    ++component.triangles;
    component.reversedTriangles += topology.reversed(id);
    const Triangle t = mesh.triangle(id);
    const double six = dot(t.v[0] - centre, cross(t.v[1] - centre, t.v[2] - centre));
    component.signedVolume += (topology.reversed(id) ? -six : six) / 6;
  });
  std::vector<char> open(mesh.surfaces().size(), 0);
  polledLoop(topology.edges().size(), meter, [&](std::size_t i) {
    const MeshTopology::Edge& edge = topology.edges()[i];
    int balance = 0;
    for (const MeshTopology::Use& use : topology.uses(edge))
      balance += use.forward != topology.reversed(TriangleId{use.triangle}) ? 1 : -1;
    ComponentWatertightness& component =
        components_[topology.componentOf(TriangleId{topology.uses(edge)[0].triangle})];
    component.nonManifoldEdges += edge.useCount > 2;
    if (balance == 0) return;
    ++component.openEdges;
    for (const MeshTopology::Use& use : topology.uses(edge))
      open[index(mesh.surfaceOf(TriangleId{use.triangle}))] = 1;
  });
  for (std::uint32_t s = 0; s < open.size(); ++s)
    if (open[s]) openSurfaces_.push_back(SurfaceId{s});
  // A component without volume, such as a single degenerate triangle, bounds nothing but does no harm.
  hasInside_ = !topology.edges().empty() &&
               std::any_of(components_.begin(), components_.end(), [](const auto& c) { return c.closed(); });
  closed_ = hasInside_ &&
            std::all_of(components_.begin(), components_.end(), [](const auto& c) { return c.closed(); });
  normalise(mesh, topology, meter);
}

void Watertightness::normalise(const TriangleMesh& mesh, const MeshTopology& topology,
                               const WorkMeter& meter) {
  // A component of negative volume is a cavity of the component around it, or inside out. If a component is
  // inside out, so are its cavities: the components within it that were cavities before.
  const Nesting nesting(mesh, topology, components_, meter);
  bool turned = false;
  for (std::uint32_t c = 0; c < components_.size(); ++c) {
    ComponentWatertightness& component = components_[c];
    if (component.closed() && component.signedVolume < 0)
      component.insideOut = nesting.around(c).size() % 2 == 0;
    turned = turned || component.insideOut;
  }
  for (std::uint32_t c = 0; turned && c < components_.size(); ++c) {
    ComponentWatertightness& component = components_[c];
    if (!component.closed() || !(component.signedVolume > 0)) continue;
    const std::vector<std::uint32_t> around = nesting.around(c);
    component.insideOut =
        around.size() % 2 == 1 && std::any_of(around.begin(), around.end(), [&](std::uint32_t other) {
          return components_[other].signedVolume < 0 && components_[other].insideOut;
        });
  }
  const bool any = !closed_ || std::any_of(components_.begin(), components_.end(), [](const auto& c) {
    return c.insideOut || c.reversedTriangles > 0;
  });
  if (!any) return;
  outward_.resize(mesh.triangleCount());
  polledLoop(mesh.triangleCount(), meter, [&](std::size_t i) {
    const TriangleId id{static_cast<std::uint32_t>(i)};
    const bool turned = topology.reversed(id) != components_[topology.componentOf(id)].insideOut;
    outward_[i] = static_cast<std::int8_t>((turned ? -1 : 1) *
                                           (components_[topology.componentOf(id)].closed() ? 1 : 2));
  });
}

std::uint32_t Watertightness::openEdges() const noexcept {
  std::uint32_t sum = 0;
  for (const auto& c : components_) sum += c.openEdges;
  return sum;
}

std::uint32_t Watertightness::nonManifoldEdges() const noexcept {
  std::uint32_t sum = 0;
  for (const auto& c : components_) sum += c.nonManifoldEdges;
  return sum;
}

double Watertightness::volume() const noexcept {
  double sum = 0;
  for (const auto& c : components_)
    if (c.closed()) sum += c.insideOut ? -c.signedVolume : c.signedVolume;
  return sum;
}

std::string text(const Watertightness& watertightness) {
  std::uint32_t reversed = 0, insideOut = 0;
  for (const auto& c : watertightness.components()) {
    reversed += c.reversedTriangles;
    insideOut += c.insideOut;
  }
  std::string result = watertightness.closed()               ? "closed"
                       : watertightness.components().empty() ? "empty"
                                                             : "open";
  if (watertightness.openEdges() > 0)
    result += ": " + countText(watertightness.openEdges(), "open edge") + " at " +
              countText(watertightness.openSurfaces().size(), "surface");
  if (watertightness.nonManifoldEdges() > 0)
    result += ", " + countText(watertightness.nonManifoldEdges(), "edge") + " of more than two triangles";
  if (reversed > 0) result += ", " + countText(reversed, "triangle") + " with reversed orientation";
  if (insideOut > 0) result += ", " + countText(insideOut, "component") + " inside out";
  return result;
}

}  // namespace fitup
