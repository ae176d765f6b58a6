#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <fitup/hierarchy/query_stats.h>

namespace fitup::detail {

/// Sorts pairs of triangles by ids. Keeps its memory between calls.
class PairSorter {
 public:
  PairSorter();
  ~PairSorter();
  PairSorter(PairSorter&&) noexcept;
  PairSorter& operator=(PairSorter&&) noexcept;

  /// Into `sorted`. Precondition: ids are below `countA` and `countB`.
  void sort(const std::vector<TrianglePair>& pairs, std::size_t countA, std::size_t countB,
            std::vector<TrianglePair>& sorted);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// What answering a pair of models needs for its own, kept between queries.
struct AnswerScratch {
  std::vector<TrianglePair> found;
  std::vector<SurfacePair> surfacesOfFound;
  PairSorter sorter;
  std::vector<std::pair<SurfacePair, TrianglePair>> witnesses;
};

}  // namespace fitup::detail
