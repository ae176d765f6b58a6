#include <fitup/mesh/watertightness.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fitup/base/count_text.h>

namespace fitup {

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
    OpenEdge& on = boundary_.emplace_back(
        OpenEdge{toVec3(mesh.points()[edge.low]), toVec3(mesh.points()[edge.high]), std::abs(balance)});
    if (balance < 0) std::swap(on.from, on.to);
    for (const MeshTopology::Use& use : topology.uses(edge))
      open[index(mesh.surfaceOf(TriangleId{use.triangle}))] = 1;
  });
  for (std::uint32_t s = 0; s < open.size(); ++s)
    if (open[s]) openSurfaces_.push_back(SurfaceId{s});
  // A component without volume, such as a degenerate triangle by itself, bounds nothing but does no harm.
  hasInside_ = !topology.edges().empty();
  closed_ = hasInside_ &&
            std::all_of(components_.begin(), components_.end(), [](const auto& c) { return c.closed(); });
  turn(topology, mesh.triangleCount(), meter);
}

Watertightness Watertightness::withCavities(const MeshTopology& topology,
                                            const std::vector<char>& isCavity) const {
  Watertightness result = *this;
  std::size_t triangles = 0;
  for (std::size_t c = 0; c < components_.size(); ++c) {
    result.components_[c].isCavity = isCavity[c] != 0;
    triangles += components_[c].triangles;
  }
  result.turn(topology, triangles, {});
  return result;
}

void Watertightness::turn(const MeshTopology& topology, std::size_t triangles, const WorkMeter& meter) {
  for (ComponentWatertightness& c : components_)
    c.insideOut = c.closed() && (c.isCavity ? c.signedVolume > 0 : c.signedVolume < 0);
  const bool any = std::any_of(components_.begin(), components_.end(),
                               [](const auto& c) { return c.insideOut || c.reversedTriangles > 0; });
  outward_.clear();
  if (!any) return;
  outward_.resize(triangles);
  polledLoop(triangles, meter, [&](std::size_t i) {
    const TriangleId id{static_cast<std::uint32_t>(i)};
    const ComponentWatertightness& c = components_[topology.componentOf(id)];
    const bool turned = topology.reversed(id) != c.insideOut;
    outward_[i] = turned ? -1 : 1;
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

std::uint32_t Watertightness::cavities() const noexcept {
  return static_cast<std::uint32_t>(
      std::count_if(components_.begin(), components_.end(), [](const auto& c) { return c.isCavity; }));
}

double Watertightness::volume() const noexcept {
  double sum = 0;
  for (const auto& c : components_)
    if (c.closed()) sum += c.insideOut ? -c.signedVolume : c.signedVolume;
  return sum;
}

std::string text(const Watertightness& watertightness) {
  std::uint32_t reversed = 0, insideOut = 0, assumed = 0;
  for (const auto& c : watertightness.components()) {
    reversed += c.reversedTriangles;
    insideOut += c.insideOut && !c.isCavity;
    assumed += c.insideOut && c.isCavity;
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
  if (const std::uint32_t own = watertightness.cavities() - assumed; own > 0)
    result += ", " + countText(own, "cavity", "cavities");
  // Its shell points outward like that of a solid.
  if (assumed > 0) result += ", " + countText(assumed, "cavity", "cavities") + " assumed";
  return result;
}

}  // namespace fitup
