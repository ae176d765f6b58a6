#pragma once

#include <array>
#include <optional>
#include <vector>

#include <fitup/geometry/pair_placement.h>
#include <fitup/hierarchy/query_stats.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// Finds pairs of triangles without a hierarchy, by sorting the ends of their bounding boxes along one axis
/// and sweeping over them. Takes O(n log n + k) time, where k is the number of pairs that overlap along that
/// axis.
///
/// Everything is in A's local frame. Boxes are those of the placed coordinates in double precision, so
/// nothing is rounded.
class TriangleSweep {
 public:
  struct Entry {
    Triangle corners;
    Vec3 low, high;
    TriangleId id{};
    bool ofA = true;
  };

  /// If `only` is set, uses only the triangles of these two surfaces (of A and of B).
  TriangleSweep(const TriangleMesh& a, const TriangleMesh& b, const PairPlacement& placement,
                const std::optional<SurfacePair>& only = {});

  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }

  /// Calls `visit(entryOfA, entryOfB)` for every pair whose boxes are at most `reach` apart along each axis.
  /// `reach` may shrink in the meantime. Also calls `tick()` for each triangle. Ends as soon as either
  /// returns false.
  template <typename Visit, typename Tick>
  void visit(const double& reach, Visit&& visit, Tick&& tick) const {
    const int u = (axis_ + 1) % 3, v = (axis_ + 2) % 3;
    std::array<std::vector<const Entry*>, 2> open;
    for (const Entry& s : entries_) {
      if (!tick()) return;
      auto& others = open[s.ofA ? 1 : 0];
      // Intervals are closed: one that ends exactly where this one begins still counts.
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
