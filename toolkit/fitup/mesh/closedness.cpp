#include <fitup/mesh/closedness.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fitup/base/counted.h>
#include <fitup/geometry/segment_crossing.h>

namespace fitup {
namespace {

/// How many closed components other than `self` contain `p`: parity of the crossings of a segment that leaves
/// the mesh, for each of them. Tries other directions where an edge or a corner is hit.
std::uint32_t enclosingComponents(const TriangleMesh& mesh, const MeshTopology& topology,
                                  const std::vector<ComponentClosedness>& components, std::uint32_t self,
                                  const Vec3& p, const WorkMeter& meter) {
  std::vector<char> odd(components.size());
  for (unsigned attempt = 0; attempt < escapeDirections; ++attempt) {
    const Vec3 outside = escapePoint(p, mesh.bounds(), attempt);
    std::fill(odd.begin(), odd.end(), 0);
    bool doubtful = false;
    meter.poll();
    for (std::uint32_t t = 0; t < mesh.triangleCount() && !doubtful; ++t) {
      const std::uint32_t c = topology.componentOf(TriangleId(t));
      if (c == self || !components[c].closed()) continue;
      const SegmentCrossing crossing = crossSegmentTriangle(p, outside, mesh.triangle(TriangleId(t)));
      doubtful = crossing == SegmentCrossing::degenerate || crossing == SegmentCrossing::startsOn;
      if (crossing != SegmentCrossing::none) odd[c] = static_cast<char>(!odd[c]);
    }
    if (!doubtful) return static_cast<std::uint32_t>(std::count(odd.begin(), odd.end(), 1));
  }
  return 0;  // the components touch here: neither lies within the other
}

}  // namespace

Closedness::Closedness(const TriangleMesh& mesh, const MeshTopology& topology, const WorkMeter& meter)
    : components_(topology.componentCount()) {
  const Vec3 centre = mesh.triangleCount() > 0 ? mesh.bounds().centre() : Vec3{};
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const TriangleId id{i};
    ComponentClosedness& component = components_[topology.componentOf(id)];
    ++component.triangles;
    component.reversedTriangles += topology.reversed(id);
    const Triangle t = mesh.triangle(id);
    const double six = dot(t.v[0] - centre, cross(t.v[1] - centre, t.v[2] - centre));
    component.signedVolume += (topology.reversed(id) ? -six : six) / 6;
  }
  meter.poll();
  std::vector<char> open(mesh.surfaces().size(), 0);
  for (const MeshTopology::Edge& edge : topology.edges()) {
    int balance = 0;
    for (const MeshTopology::Use& use : topology.uses(edge))
      balance += use.forward != topology.reversed(TriangleId{use.triangle}) ? 1 : -1;
    ComponentClosedness& component =
        components_[topology.componentOf(TriangleId{topology.uses(edge)[0].triangle})];
    component.nonManifoldEdges += edge.useCount > 2;
    if (balance == 0) continue;
    ++component.openEdges;
    for (const MeshTopology::Use& use : topology.uses(edge))
      open[index(mesh.surfaceOf(TriangleId{use.triangle}))] = 1;
  }
  for (std::uint32_t s = 0; s < open.size(); ++s)
    if (open[s]) openSurfaces_.push_back(SurfaceId{s});
  // A component without volume, such as a degenerate triangle by itself, bounds nothing but does no harm.
  hasInside_ = !topology.edges().empty() &&
               std::any_of(components_.begin(), components_.end(), [](const auto& c) { return c.closed(); });
  closed_ = hasInside_ &&
            std::all_of(components_.begin(), components_.end(), [](const auto& c) { return c.closed(); });
  meter.poll();
  normalise(mesh, topology, meter);
}

void Closedness::normalise(const TriangleMesh& mesh, const MeshTopology& topology, const WorkMeter& meter) {
  std::vector<std::optional<Vec3>> pointOf(components_.size());
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i)
    if (auto& p = pointOf[topology.componentOf(TriangleId{i})]; !p) p = mesh.triangle(TriangleId{i}).v[0];
  bool any = !closed_;
  for (std::uint32_t c = 0; c < components_.size(); ++c) {
    ComponentClosedness& component = components_[c];
    if (component.closed() && component.signedVolume < 0)
      component.insideOut = enclosingComponents(mesh, topology, components_, c, *pointOf[c], meter) % 2 == 0;
    any = any || component.insideOut || component.reversedTriangles > 0;
  }
  if (!any) return;
  outward_.resize(mesh.triangleCount());
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const TriangleId id{i};
    const bool turned = topology.reversed(id) != components_[topology.componentOf(id)].insideOut;
    outward_[i] = static_cast<std::int8_t>((turned ? -1 : 1) *
                                           (components_[topology.componentOf(id)].closed() ? 1 : 2));
  }
}

std::uint32_t Closedness::openEdges() const noexcept {
  std::uint32_t sum = 0;
  for (const auto& c : components_) sum += c.openEdges;
  return sum;
}

std::uint32_t Closedness::nonManifoldEdges() const noexcept {
  std::uint32_t sum = 0;
  for (const auto& c : components_) sum += c.nonManifoldEdges;
  return sum;
}

double Closedness::volume() const noexcept {
  double sum = 0;
  for (const auto& c : components_)
    if (c.closed()) sum += c.insideOut ? -c.signedVolume : c.signedVolume;
  return sum;
}

std::string text(const Closedness& closedness) {
  std::uint32_t reversed = 0, insideOut = 0;
  for (const auto& c : closedness.components()) {
    reversed += c.reversedTriangles;
    insideOut += c.insideOut;
  }
  std::string result = closedness.closed() ? "closed" : closedness.components().empty() ? "empty" : "open";
  if (closedness.openEdges() > 0)
    result += ": " + counted(closedness.openEdges(), "open edge") + " at " +
              counted(closedness.openSurfaces().size(), "surface");
  if (closedness.nonManifoldEdges() > 0)
    result += ", " + counted(closedness.nonManifoldEdges(), "edge") + " of more than two triangles";
  if (reversed > 0) result += ", " + counted(reversed, "triangle") + " turned round";
  if (insideOut > 0) result += ", " + counted(insideOut, "component") + " inside out";
  return result;
}

}  // namespace fitup
