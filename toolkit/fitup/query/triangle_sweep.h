#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <fitup/geometry/pair_placement.h>
#include <fitup/hierarchy/query_stats.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// Pairs of triangles by sorting the ends of their boxes along one axis and sweeping over them: how an answer
/// is found without any hierarchy. O(n log n) and the pairs that overlap along that axis.
///
/// Everything is in A's local frame. Boxes are those of the placed coordinates, which are doubles: nothing is
/// rounded.
class TriangleSweep {
 public:
  struct Entry {
    Triangle corners;
    Vec3 low, high;
    TriangleId id{};
    bool ofA = true;
  };

  /// Set: only triangles of these two surfaces (of A and of B).
  TriangleSweep(const TriangleMesh& a, const TriangleMesh& b, const PairPlacement& placement,
                const std::optional<SurfacePair>& only = {}) {
    add(a, only ? std::optional(only->a) : std::nullopt, true, [](const Triangle& t) { return t; });
    add(b, only ? std::optional(only->b) : std::nullopt, false,
        [&](const Triangle& t) { return placement.placed(t); });
    axis_ = bestAxis();
    std::sort(entries_.begin(), entries_.end(),
              [this](const Entry& s, const Entry& t) { return s.low[axis_] < t.low[axis_]; });
  }

  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }

  /// Calls `visit(entryOfA, entryOfB)` for every pair whose boxes are at most `reach` apart an axis, which
  /// may shrink on the way; ends when it returns false. `tick()` is asked for each triangle as well.
  template <typename Visit, typename Tick>
  void visit(const double& reach, Visit&& visit, Tick&& tick) const {
    const int u = (axis_ + 1) % 3, v = (axis_ + 2) % 3;
    std::array<std::vector<const Entry*>, 2> open;
    for (const Entry& s : entries_) {
      if (!tick()) return;
      auto& others = open[s.ofA ? 1 : 0];
      // Closed intervals: one that ends exactly where this begins still counts.
      std::erase_if(others, [&](const Entry* o) { return o->high[axis_] + reach < s.low[axis_]; });
      for (const Entry* o : others) {
        if (o->high[u] + reach < s.low[u] || s.high[u] + reach < o->low[u] || o->high[v] + reach < s.low[v] ||
            s.high[v] + reach < o->low[v])
          continue;
        if (!(s.ofA ? visit(s, *o) : visit(*o, s))) return;
      }
      open[s.ofA ? 0 : 1].push_back(&s);
    }
  }

 private:
  template <typename Place>
  void add(const TriangleMesh& mesh, const std::optional<SurfaceId>& only, bool ofA, Place&& place) {
    for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
      const TriangleId id{i};
      if (only && mesh.surfaceOf(id) != *only) continue;
      Entry e{place(mesh.triangle(id)), {}, {}, id, ofA};
      for (int k = 0; k < 3; ++k) {
        e.low[k] = std::min({e.corners.v[0][k], e.corners.v[1][k], e.corners.v[2][k]});
        e.high[k] = std::max({e.corners.v[0][k], e.corners.v[1][k], e.corners.v[2][k]});
      }
      entries_.push_back(e);
    }
  }

  /// Along which fewest boxes are open at a time: the longest against the sum of their extents.
  [[nodiscard]] int bestAxis() const {
    int best = 0;
    double bestScore = -1;
    for (int k = 0; k < 3 && !entries_.empty(); ++k) {
      double low = entries_.front().low[k], high = entries_.front().high[k], extents = 0;
      for (const Entry& e : entries_) {
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

  std::vector<Entry> entries_;
  int axis_ = 0;
};

}  // namespace fitup
