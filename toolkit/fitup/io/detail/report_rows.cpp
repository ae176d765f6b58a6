#include <fitup/io/detail/report_rows.h>

#include <algorithm>

namespace fitup::detail {
namespace {

ReportedSurface reported(const TriangleMesh& mesh, SurfaceId id) {
  const Surface& surface = mesh.surfaces()[index(id)];
  return {static_cast<std::uint32_t>(index(id)), surface.name,
          surface.description ? text(*surface.description) : std::string()};
}

}  // namespace

const std::string& ReportNames::path(NodeId node) {
  const auto [found, isNew] = paths_.try_emplace(static_cast<std::uint32_t>(node));
  if (isNew) found->second = assembly_.path(node);
  return found->second;
}

std::vector<ReportedSurfacePair> ReportNames::surfacePairs(const PairInterference& pair) const {
  const TriangleMesh &meshA = meshOf(pair.a), &meshB = meshOf(pair.b);
  const auto& pairs = pair.report.surfacePairs;  // sorted
  std::vector<ReportedSurfacePair> result;
  for (const SurfacePair& s : pairs) result.push_back({reported(meshA, s.a), reported(meshB, s.b), {}});
  for (const TrianglePair& t : pair.report.trianglePairs) {
    const SurfacePair key{meshA.surfaceOf(t.a), meshB.surfaceOf(t.b)};
    const auto found = std::lower_bound(pairs.begin(), pairs.end(), key);
    if (found == pairs.end() || *found != key) continue;
    result[static_cast<std::size_t>(found - pairs.begin())].triangles.emplace_back(meshA.sourceTriangle(t.a),
                                                                                   meshB.sourceTriangle(t.b));
  }
  return result;
}

}  // namespace fitup::detail
