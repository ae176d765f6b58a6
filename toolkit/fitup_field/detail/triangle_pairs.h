#pragma once

#include <cstdint>
#include <optional>

#include <fitup/hierarchy/detail/found_surfaces.h>
#include <fitup/hierarchy/traversal.h>

namespace fitup::detail {

/// Handles a pair of triangles that a traversal cannot reject: places B's triangle, makes the exact test and
/// records the result. A triangle of B that occurs several times in a row is placed once.
class TrianglePairs {
 public:
  TrianglePairs(const TraversalTask& task, FoundSurfaces& found)
      : task_(task), stats_(task.stats), found_(found), bySurfaces_(task.mode == QueryMode::allSurfacePairs) {
    found_.clear();
  }
  ~TrianglePairs() {
    if (tester_) stats_.exactTests += tester_->exactTests();
  }
  TrianglePairs(const TrianglePairs&) = delete;
  TrianglePairs& operator=(const TrianglePairs&) = delete;

  /// Returns true if the traversal must end. In a query for all surface pairs, a pair of surfaces that is
  /// already found is not searched again.
  bool test(std::uint32_t a, std::uint32_t b) {
    ++stats_.triangleCandidates;
    std::uint32_t surfaceA = 0, surfaceB = 0;
    if (bySurfaces_) {
      surfaceA = static_cast<std::uint32_t>(task_.a.surfaceOf(TriangleId(a)));
      surfaceB = static_cast<std::uint32_t>(task_.b.surfaceOf(TriangleId(b)));
      if (found_.contains(surfaceA, surfaceB)) return false;
      ++stats_.surfaceCandidates;
    }
    if (task_.stop.stop()) return true;
    place(b);
    ++stats_.triangleTests;
    if (!tester_->intersects(task_.a.triangle(TriangleId(a)))) return false;
    if (task_.add(TriangleId(a), TriangleId(b))) return true;
    if (bySurfaces_) found_.insert(surfaceA, surfaceB);
    return false;
  }

 private:
  void place(std::uint32_t b) {
    if (tester_ && placedB_ == b) return;
    if (tester_) stats_.exactTests += tester_->exactTests();
    tester_.emplace(task_.placement.placed(task_.b.triangle(TriangleId(b))), task_.touching);
    placedB_ = b;
  }

  const TraversalTask& task_;
  QueryStats& stats_;
  FoundSurfaces& found_;
  bool bySurfaces_;
  std::uint32_t placedB_ = 0;
  std::optional<TriangleTester> tester_;
};

}  // namespace fitup::detail
