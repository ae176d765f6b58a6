#include <fitup/query/detail/pair_sorter.h>

#include <algorithm>
#include <cstdint>

#include <hwy/contrib/sort/vqsort.h>

namespace fitup::detail {

struct PairSorter::Data {
  std::vector<std::uint64_t> keys;
  hwy::Sorter sorter;
};

PairSorter::PairSorter() : data_(std::make_unique<Data>()) {}
PairSorter::~PairSorter() = default;
PairSorter::PairSorter(PairSorter&&) noexcept = default;
PairSorter& PairSorter::operator=(PairSorter&&) noexcept = default;

void PairSorter::sort(std::vector<TrianglePair>& pairs) {
  constexpr std::size_t few = 24;  // below, packing the keys costs more than it gains
  if (pairs.size() < few) return std::sort(pairs.begin(), pairs.end());
  std::vector<std::uint64_t>& keys = data_->keys;
  keys.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    keys[i] = std::uint64_t{index(pairs[i].a)} << 32 | index(pairs[i].b);
  data_->sorter(keys.data(), keys.size(), hwy::SortAscending());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] = {TriangleId(static_cast<std::uint32_t>(keys[i] >> 32)),
                TriangleId(static_cast<std::uint32_t>(keys[i]))};
}

}  // namespace fitup::detail
