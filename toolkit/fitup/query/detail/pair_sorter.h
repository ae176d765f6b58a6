#pragma once

#include <cstdint>
#include <memory>
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

  void sort(std::vector<TrianglePair>& pairs);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// What answering a pair of models needs for its own, kept between queries.
struct AnswerScratch {
  struct Witness {
    SurfacePair surfaces;
    std::uint64_t key;  ///< of the surfaces, in their order
    TrianglePair triangles;
  };
  std::vector<TrianglePair> found;
  PairSorter sorter;
  std::vector<Witness> witnesses;
};

}  // namespace fitup::detail
