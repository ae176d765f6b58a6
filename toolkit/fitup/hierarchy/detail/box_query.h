#pragma once

#include <array>

#include <fitup/geometry/vectors-inl.h>
#include <fitup/hierarchy/flat_rtree.h>

namespace fitup::detail {

/// A box prepared for tests against tree entries.
class ScalarBoxQuery {
 public:
  explicit ScalarBoxQuery(const Aabb& box) noexcept : box_(box) {}
  [[nodiscard]] bool overlaps(const RTreeEntry& e) const noexcept { return box_.overlaps(e.box()); }

 private:
  Aabb box_;
};

/// Same with one comparison of four lanes for each corner. The fourth lane (the entry's indices) is ignored.
class VectorBoxQuery {
 public:
  explicit VectorBoxQuery(const Aabb& box) noexcept
      : min_{box.min.x, box.min.y, box.min.z, 0}, max_{box.max.x, box.max.y, box.max.z, 0} {}
  [[nodiscard]] bool overlaps(const RTreeEntry& e) const noexcept {
    return threeBits((load4(&e.min.x) <= max_) & (load4(&e.max.x) >= min_)) == 7U;
  }

 private:
  Float4 min_, max_;
};

/// Calls `visit(value)` for the leaf entries of a tree that overlap the query, until `visit` returns true;
/// then returns true. Counts each entry tested as a box test and each one excluded as rejected.
template <typename BoxQuery, typename Visit>
bool descend(const RTreeEntry* entries, std::uint32_t first, std::uint32_t count, const BoxQuery& query,
             std::uint64_t& tests, std::uint64_t& rejected, Visit&& visit) {
  tests += count;
  for (const RTreeEntry *e = entries + first, *end = e + count; e != end; ++e) {
    if (!query.overlaps(*e)) {
      ++rejected;
    } else if (e->isLeaf()) {
      if (visit(e->first)) return true;
    } else if (descend(entries, e->first, e->count, query, tests, rejected, visit)) {
      return true;
    }
  }
  return false;
}

/// Same as `descend`, but visits children whose centre is nearest to `centre` first. For queries that end at
/// the first hit: if two parts interpenetrate, a hit is likeliest in the middle of their overlap box.
template <typename BoxQuery, typename Visit>
bool descendNearestFirst(const RTreeEntry* entries, std::uint32_t first, std::uint32_t count,
                         const BoxQuery& query, const Vec3& centre, std::uint64_t& tests,
                         std::uint64_t& rejected, Visit&& visit) {
  struct Candidate {
    double squaredDistance;
    const RTreeEntry* entry;
  };
  std::array<Candidate, maxRTreeFanOut> candidates;
  std::size_t size = 0;
  tests += count;
  for (const RTreeEntry *e = entries + first, *end = e + count; e != end; ++e) {
    if (!query.overlaps(*e)) {
      ++rejected;
      continue;
    }
    const Vec3 offset = e->box().centre() - centre;
    const Candidate candidate{dot(offset, offset), e};
    std::size_t i = size++;
    for (; i > 0 && candidate.squaredDistance < candidates[i - 1].squaredDistance; --i)
      candidates[i] = candidates[i - 1];
    candidates[i] = candidate;
  }
  for (std::size_t i = 0; i < size; ++i) {
    const RTreeEntry& e = *candidates[i].entry;
    if (e.isLeaf() ? visit(e.first)
                   : descendNearestFirst(entries, e.first, e.count, query, centre, tests, rejected, visit))
      return true;
  }
  return false;
}

}  // namespace fitup::detail
