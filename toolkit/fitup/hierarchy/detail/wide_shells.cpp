#include <fitup/hierarchy/detail/wide_shells.h>

#include <algorithm>
#include <vector>

#include <fitup/base/disjoint_sets.h>
#include <fitup/base/tuning-inl.h>
#include <fitup/hierarchy/detail/wide_split.h>

namespace fitup::detail {
namespace {

Bodies shellsOf(const TriangleMesh& mesh, const Surface& surface, const WorkMeter& meter) {
  const auto triangles = mesh.triangles().subspan(surface.firstTriangle, surface.triangleCount);
  std::uint32_t low = ~0U, high = 0;
  polledLoop(triangles.size(), meter, [&](std::size_t i) {
    for (const std::uint32_t point : triangles[i]) {
      low = std::min(low, point);
      high = std::max(high, point);
    }
  });
  Bodies shells;
  // The points of a surface have consecutive or nearly consecutive indices in every mesh that a reader makes.
  if (high - low > 8ULL * surface.triangleCount) return shells;
  DisjointSets sets(high - low + 1);
  polledLoop(triangles.size(), meter, [&](std::size_t i) {
    const TriangleIndices& t = triangles[i];
    sets.unite(t[0] - low, t[1] - low);
    sets.unite(t[0] - low, t[2] - low);
  });
  std::vector<std::uint32_t> numberOf(sets.size(), ~0U), shellOf;
  shellOf.reserve(triangles.size());
  polledLoop(triangles.size(), meter, [&](std::size_t i) {
    std::uint32_t& number = numberOf[sets.find(triangles[i][0] - low)];
    if (number == ~0U) {
      number = static_cast<std::uint32_t>(shells.weights.size());
      shells.weights.push_back(0);
    }
    ++shells.weights[number];
    shellOf.push_back(number);
  });
  for (std::uint32_t begin = 0; const std::uint32_t weight : shells.weights) {
    shells.first.push_back(begin);
    begin += weight;
  }
  std::vector<std::uint32_t> next = shells.first;
  shells.triangles.resize(triangles.size());
  polledLoop(shellOf.size(), meter, [&](std::size_t i) {
    shells.triangles[next[shellOf[i]]++] = surface.firstTriangle + static_cast<std::uint32_t>(i);
  });
  return shells;
}

/// Returns the cost of splitting triangles: the sum over the triangles of half the area of the group of up to
/// eight in which each ends.
double areaAround(std::span<BuildItem> items, float unit, const WorkMeter& meter) {
  const auto count = static_cast<std::uint32_t>(items.size());
  if (count <= 8) {
    Box4 box;
    for (const BuildItem& item : items) box.extend(item.min, item.max);
    return double(box.halfArea(unit)) * count;
  }
  const BuildGroups groups = splitTriangles(items, 0, count, unit, meter);
  double area = 0;
  for (std::uint32_t k = 0; k < groups.count; ++k)
    area += areaAround(items.subspan(groups.group[k].begin, groups.group[k].count()), unit, meter);
  return area;
}

/// Splits a sample of the triangles of each shell down to groups of eight: once all shells together, and once
/// each shell on its own. Shells of similar size end in four groups each. Their boxes are thus compared with
/// those around the same number of triangles anywhere, and so are those a level below.
bool areWorthSplitting(const Bodies& shells, const TriangleMesh& mesh, float unit, const WorkMeter& meter) {
  const auto count = static_cast<std::uint32_t>(shells.triangles.size()),
             shellCount = static_cast<std::uint32_t>(shells.weights.size()),
             stride =
                 std::max(count / std::max(tuning::sampledPerShell * shellCount, tuning::sampledAtLeast), 1U);
  std::vector<BuildItem> sample;
  double ofShells = 0;
  for (std::uint32_t shell = 0; shell < shellCount; ++shell) {
    const std::size_t begin = sample.size();
    for (std::uint32_t k = 0; k < shells.weights[shell]; k += stride)
      sample.push_back(itemOf(mesh, shells.triangle(shell, k)));
    ofShells += areaAround(std::span(sample).subspan(begin), unit, meter);
  }
  const double ofAll = areaAround(sample, unit, meter);
  return ofShells < tuning::worthSplitting * ofAll;
}

}  // namespace

std::optional<Bodies> shellsWorthSplitting(const TriangleMesh& mesh, std::uint32_t surface, float unit,
                                           const WorkMeter& meter) {
  const Surface& whole = mesh.surfaces()[surface];
  if (whole.triangleCount < tuning::smallSurface) return std::nullopt;
  Bodies shells = shellsOf(mesh, whole, meter);
  if (shells.weights.size() < 2 || shells.weights.size() > whole.triangleCount / tuning::smallShell ||
      !areWorthSplitting(shells, mesh, unit, meter))
    return std::nullopt;
  setItems(shells, mesh, meter);
  shells.kind = Bodies::Kind::shells;
  shells.surfaces.assign(shells.weights.size(), surface);
  return shells;
}

}  // namespace fitup::detail
