#include <fitup/query/triangle_sweep.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace fitup {
namespace {

using Entry = TriangleSweep::Entry;

template <typename Place>
void add(const TriangleMesh& mesh, const std::optional<SurfaceId>& only, bool ofA, const Place& place,
         std::vector<Entry>& entries) {
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const TriangleId id{i};
    if (only && mesh.surfaceOf(id) != *only) continue;
    Entry e{place(mesh.triangle(id)), {}, {}, id, ofA};
    for (int k = 0; k < 3; ++k) {
      e.low[k] = std::min({e.corners.v[0][k], e.corners.v[1][k], e.corners.v[2][k]});
      e.high[k] = std::max({e.corners.v[0][k], e.corners.v[1][k], e.corners.v[2][k]});
    }
    entries.push_back(e);
  }
}

/// Returns the axis along which the fewest boxes are open at a time: the one with the longest range for the
/// sum of its extents.
int bestAxis(std::span<const Entry> entries) {
  int best = 0;
  double bestScore = -1;
  for (int k = 0; k < 3 && !entries.empty(); ++k) {
    double low = entries.front().low[k], high = entries.front().high[k], extents = 0;
    for (const Entry& e : entries) {
      low = std::min(low, e.low[k]);
      high = std::max(high, e.high[k]);
      extents += e.high[k] - e.low[k];
    }
    const double score = extents > 0 ? (high - low) / extents : high - low;
    if (score > bestScore) {
      best = k;
      bestScore = score;
    }
  }
  return best;
}

}  // namespace

TriangleSweep::TriangleSweep(const TriangleMesh& a, const TriangleMesh& b, const PairPlacement& placement,
                             const std::optional<SurfacePair>& only) {
  add(
      a, only ? std::optional(only->a) : std::nullopt, true, [](const Triangle& t) { return t; }, entries_);
  add(
      b, only ? std::optional(only->b) : std::nullopt, false,
      [&](const Triangle& t) { return placement.placed(t); }, entries_);
  axis_ = bestAxis(entries_);
  std::ranges::sort(entries_, {}, [this](const Entry& e) { return e.low[axis_]; });
}

}  // namespace fitup
