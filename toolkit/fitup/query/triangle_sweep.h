#pragma once

#include <array>
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
                const std::optional<SurfacePair>& only = {});

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
  std::vector<Entry> entries_;
  int axis_ = 0;
};

}  // namespace fitup
