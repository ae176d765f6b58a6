#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <fitup/hierarchy/query_stats.h>

namespace fitup::detail {

/// Sorts pairs by ids. Keeps its memory between calls.
class PairSorter {
 public:
  PairSorter();
  ~PairSorter();
  PairSorter(PairSorter&&) noexcept;
  PairSorter& operator=(PairSorter&&) noexcept;

  /// Sorts into `sorted`. Precondition: ids are below `countA` and `countB`.
  void sort(const std::vector<TrianglePair>& pairs, std::size_t countA, std::size_t countB,
            std::vector<TrianglePair>& sorted);
  /// Sorts distinct pairs of surfaces together with a witness for each.
  void sort(const std::vector<SurfacePair>& surfaces, const std::vector<TrianglePair>& witnesses,
            std::vector<SurfacePair>& sortedSurfaces, std::vector<TrianglePair>& sortedWitnesses);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// Memory for the answer of a pair of models, kept between queries.
struct AnswerScratch {
  std::vector<TrianglePair> found;
  std::vector<SurfacePair> surfacesOfFound;
  PairSorter sorter;
};

}  // namespace fitup::detail
