#include <fitup/mesh/chord_errors.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fitup {
namespace {

Vec3 normalOf(const Triangle& t) noexcept { return cross(t.v[1] - t.v[0], t.v[2] - t.v[0]); }

/// The least 32-bit number that is not below the value.
float notBelow(double value) noexcept {
  const auto rounded = static_cast<float>(value);
  return rounded < value ? std::nextafter(rounded, std::numeric_limits<float>::infinity()) : rounded;
}

}  // namespace

ChordErrors::ChordErrors(const TriangleMesh& mesh, const MeshTopology& topology)
    : mesh_(mesh), topology_(topology), known_(mesh.triangleCount(), -1.0F) {
  analytic_.reserve(mesh.surfaces().size());
  for (std::uint32_t i = 0; i < mesh.surfaces().size(); ++i) {
    const auto& description = mesh.surfaces()[i].description;
    analytic_.push_back(description && mesh.chordErrorOf(SurfaceId(i)) ? AnalyticSurface::of(*description)
                                                                       : std::nullopt);
  }
}

double ChordErrors::of(TriangleId triangle) {
  float& known = known_[index(triangle)];
  if (known < 0) known = notBelow(measured(triangle));
  return known;
}

double ChordErrors::ofEdge(const AnalyticSurface& one, const AnalyticSurface& other, const Vec3& from,
                           const Vec3& to, double cosineOfNormals) noexcept {
  const Triangle edge{{from, to, to}};
  const double off = std::max(one.deviation(edge), other.deviation(edge));
  const double left = 1 + cosineOfNormals;
  return off > 0 && left > 0 ? off * std::sqrt(2 / std::min(left, 2.0))
                             : (off > 0 ? std::numeric_limits<double>::infinity() : 0.0);
}

double ChordErrors::cosineAt(const AnalyticSurface& one, const AnalyticSurface& other, const Vec3& point,
                             const Vec3& sideOne, const Vec3& sideOther) noexcept {
  const Vec3 p = one.normal(point), q = other.normal(point);
  return dot(p, sideOne) * dot(q, sideOther) < 0 ? -dot(p, q) : dot(p, q);
}

Triangle ChordErrors::inPart(TriangleId triangle) const noexcept {
  Triangle t = mesh_.triangle(triangle);
  for (Vec3& v : t.v) v = mesh_.origin() + v;
  return t;
}

double ChordErrors::ofCorners(TriangleId triangle) const noexcept {
  const Triangle t = inPart(triangle);
  double off = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::uint32_t number = topology_.edgesOf(triangle)[k];
    if (number == MeshTopology::noEdge) continue;
    for (const MeshTopology::Use& use : topology_.uses(topology_.edges()[number]))
      if (const AnalyticSurface* surface = analytic(mesh_.surfaceOf(TriangleId{use.triangle})))
        for (const std::size_t corner : {k, (k + 1) % 3})
          off = std::max(off, std::abs(surface->distance(t.v[corner])));
  }
  return off;
}

double ChordErrors::measured(TriangleId triangle) const {
  const SurfaceId surface = mesh_.surfaceOf(triangle);
  const double promised = mesh_.chordErrorOf(surface).value_or(0);
  const AnalyticSurface* own = analytic(surface);
  if (promised == 0 || own == nullptr) return promised;
  const Triangle t = inPart(triangle);
  double error = own->deviation(t);
  for (std::size_t k = 0; k < 3 && error < promised; ++k) {
    const std::uint32_t number = topology_.edgesOf(triangle)[k];
    if (number == MeshTopology::noEdge) continue;
    const MeshTopology::Edge& edge = topology_.edges()[number];
    if (edge.useCount < 2) return promised;  // nothing says where the exact edge is
    bool isForward = true;
    for (const MeshTopology::Use& use : topology_.uses(edge))
      if (use.triangle == index(triangle)) isForward = use.forward;
    for (const MeshTopology::Use& use : topology_.uses(edge)) {
      const SurfaceId beside = mesh_.surfaceOf(TriangleId{use.triangle});
      if (beside == surface) continue;
      const AnalyticSurface* other = analytic(beside);
      if (other == nullptr) {  // its chord error is also that of its edges
        error = std::max(error, mesh_.chordErrorOf(beside).value_or(promised));
        continue;
      }
      const Vec3 &from = t.v[k], &to = t.v[(k + 1) % 3];
      const Vec3 sideOfOther = normalOf(inPart(TriangleId{use.triangle}));
      const double cosine = cosineAt(*own, *other, 0.5 * (from + to), normalOf(t),
                                     use.forward == isForward ? -sideOfOther : sideOfOther);
      error = std::max(error, ofEdge(*own, *other, from, to, cosine));
    }
  }
  return std::min(error, promised);
}

}  // namespace fitup
