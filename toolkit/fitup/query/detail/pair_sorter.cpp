#include <fitup/query/detail/pair_sorter.h>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/query/detail/pair_sorter.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstdint>

#include <fitup/base/tuning-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Sorts keys that are a few places off, by exchanging neighbours that are in the wrong order until there are
/// none. Returns false if that takes too many rounds. There must be room for a vector and one more key behind
/// the keys; its contents are overwritten.
bool exchangeNeighbours(std::uint32_t* keys, std::size_t count) {
#if HWY_TARGET == HWY_SCALAR
  (void)keys;
  return count < 2;
#else
  const hn::ScalableTag<std::uint32_t> lanes;
  const auto exchange = [&](std::size_t i) HWY_ATTR __attribute__((always_inline)) {
    const auto v = hn::LoadU(lanes, keys + i), neighbours = hn::Shuffle2301(v);
    const auto sorted = hn::OddEven(hn::Max(v, neighbours), hn::Min(v, neighbours));
    hn::StoreU(sorted, lanes, keys + i);
    return hn::Xor(sorted, v);
  };
  const std::size_t width = hn::Lanes(lanes);
  for (std::size_t i = count; i < count + width + 1; ++i) keys[i] = ~std::uint32_t{0};
  for (int round = 0; round < tuning::mostRounds; ++round) {
    for (std::size_t i = 0; i < count; i += width) exchange(i);
    auto changes = hn::Zero(lanes);
    for (std::size_t i = 1; i < count; i += width) changes = hn::Or(changes, exchange(i));
    // The other neighbours were in order before, and nothing has changed since.
    if (hn::AllTrue(lanes, hn::Eq(changes, hn::Zero(lanes)))) return true;
  }
  return false;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include <hwy/contrib/sort/vqsort.h>

namespace fitup::detail {
namespace {

HWY_EXPORT(exchangeNeighbours);

/// Number of bits of a pair up to which pairs are sorted as 32-bit numbers. It is one less than 32, so that
/// no shift is by 32 and the padding (`exchangeNeighbours`) is greater than all keys. Short lists of wider
/// pairs are sorted as 64-bit numbers by Highway's vector sort, which asks the system for random numbers each
/// time: a quarter to half a microsecond.
constexpr int mostPackedBits = 31;

/// Calls `work` with all numbers below `count`, in four interleaved streams. Neighbours often share a counter
/// and would each wait until the previous one has written it.
template <typename Work>
void inFourStreams(std::size_t count, Work&& work) {
  const std::size_t quarter = count / 4;
  for (std::size_t i = 0; i < quarter; ++i)
    for (std::size_t stream = 0; stream < 4; ++stream) work(stream * quarter + i);
  for (std::size_t i = 4 * quarter; i < count; ++i) work(i);
}
/// Replaces each count by the sum of those before it.
void addUp(std::vector<std::uint32_t>& counts) {
  std::uint32_t sum = 0;
  for (std::uint32_t& c : counts) sum += std::exchange(c, sum);
}

}  // namespace

struct PairSorter::Data {
  hwy::Sorter sorter;
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> packed, bucket, bucketEnds, groupEnds;

  void sortAtOnce(const std::vector<TrianglePair>& pairs, std::vector<TrianglePair>& sorted) {
    keys.resize(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
      keys[i] = std::uint64_t{index(pairs[i].a)} << 32 | index(pairs[i].b);
    sorter(keys.data(), keys.size(), hwy::SortAscending());
    sorted.resize(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
      sorted[i] = {TriangleId(static_cast<std::uint32_t>(keys[i] >> 32)),
                   TriangleId(static_cast<std::uint32_t>(keys[i]))};
  }

  /// Sorts all pairs as one bucket and returns true if the ids are close enough to each other. Precondition:
  /// not empty.
  bool sortShort(const std::vector<TrianglePair>& pairs, std::vector<TrianglePair>& sorted) {
    // By the ranges of these ids and not of all, so that pairs of one place are spread over all groups.
    std::uint32_t leastA = ~0U, leastB = ~0U, mostA = 0, mostB = 0;
    for (const TrianglePair& p : pairs) {
      const auto a = static_cast<std::uint32_t>(p.a), b = static_cast<std::uint32_t>(p.b);
      leastA = std::min(leastA, a);
      mostA = std::max(mostA, a);
      leastB = std::min(leastB, b);
      mostB = std::max(mostB, b);
    }
    const int bitsOfA = std::bit_width(mostA - leastA), bitsOfB = std::bit_width(mostB - leastB);
    if (bitsOfA + bitsOfB > mostPackedBits) return false;
    packed.resize(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
      packed[i] = (static_cast<std::uint32_t>(pairs[i].a) - leastA) << bitsOfB |
                  (static_cast<std::uint32_t>(pairs[i].b) - leastB);
    const std::uint32_t* key = sortBucket(packed, static_cast<unsigned>(bitsOfA + bitsOfB));
    const std::uint32_t maskOfB = (1U << bitsOfB) - 1;
    sorted.resize(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i, ++key)
      sorted[i] = {TriangleId(leastA + (*key >> bitsOfB)), TriangleId(leastB + (*key & maskOfB))};
    return true;
  }

  /// Sorts by buckets of A's ids, in each of which a pair fits into `mostPackedBits`. A bucket fits into the
  /// first-level cache. Its keys are put into groups of A's ids and are then a few places off.
  void sortInBuckets(const std::vector<TrianglePair>& pairs, unsigned bitsOfB, unsigned bitsInBucket,
                     std::size_t buckets, std::vector<TrianglePair>& sorted) {
    const std::uint32_t inBucket = (1U << bitsInBucket) - 1, maskOfB = (1U << bitsOfB) - 1;
    bucketEnds.assign(buckets, 0);
    inFourStreams(pairs.size(), [&](std::size_t i) { ++bucketEnds[index(pairs[i].a) >> bitsInBucket]; });
    addUp(bucketEnds);
    packed.resize(pairs.size());
    inFourStreams(pairs.size(), [&](std::size_t i) {
      const std::uint32_t a = index(pairs[i].a), b = index(pairs[i].b);
      packed[bucketEnds[a >> bitsInBucket]++] = (a & inBucket) << bitsOfB | b;
    });

    sorted.resize(pairs.size());
    std::uint32_t begin = 0;
    for (std::size_t k = 0; k < buckets; ++k) {
      const std::uint32_t end = bucketEnds[k], firstOfA = static_cast<std::uint32_t>(k << bitsInBucket);
      if (begin == end) continue;
      const std::uint32_t* key =
          sortBucket({packed.data() + begin, packed.data() + end}, bitsOfB + bitsInBucket);
      for (std::uint32_t i = begin; i < end; ++i, ++key)
        sorted[i] = {TriangleId(firstOfA | *key >> bitsOfB), TriangleId(*key & maskOfB)};
      begin = end;
    }
  }
  /// The result is valid until the next call.
  const std::uint32_t* sortBucket(std::span<const std::uint32_t> from, unsigned bits) {
    constexpr std::size_t room = 64;  // more than any vector
    bucket.resize(std::max(bucket.size(), from.size() + room));
    // About as many groups as keys.
    const unsigned bitsOfGroup = std::min(bits, static_cast<unsigned>(std::bit_width(from.size())));
    const unsigned shift = bits - bitsOfGroup;
    groupEnds.assign(std::size_t{1} << bitsOfGroup, 0);
    inFourStreams(from.size(), [&](std::size_t i) { ++groupEnds[from[i] >> shift]; });
    addUp(groupEnds);
    inFourStreams(from.size(), [&](std::size_t i) { bucket[groupEnds[from[i] >> shift]++] = from[i]; });
    if (!HWY_DYNAMIC_DISPATCH(exchangeNeighbours)(bucket.data(), from.size()))
      sorter(bucket.data(), from.size(), hwy::SortAscending());
    return bucket.data();
  }
};

PairSorter::PairSorter() : data_(std::make_unique<Data>()) {}
PairSorter::~PairSorter() = default;
PairSorter::PairSorter(PairSorter&&) noexcept = default;
PairSorter& PairSorter::operator=(PairSorter&&) noexcept = default;

void PairSorter::sort(const std::vector<TrianglePair>& pairs, std::size_t countA, std::size_t countB,
                      std::vector<TrianglePair>& sorted) {
  if (pairs.size() < tuning::fewPairs) {
    sorted.assign(pairs.begin(), pairs.end());
    return std::sort(sorted.begin(), sorted.end());
  }
  if (pairs.size() < tuning::manyPairs) {
    if (data_->sortShort(pairs, sorted)) return;
  } else {
    const auto bitsFor = [](std::size_t count) { return static_cast<int>(std::bit_width(count - 1)); };
    const int bitsOfB = bitsFor(countB);
    const int bitsInBucket =
        std::min(mostPackedBits - bitsOfB,
                 std::max(0, bitsFor(countA) - bitsFor(pairs.size() / tuning::pairsInBucket)));
    if (bitsInBucket >= 0) {
      const std::size_t buckets = ((countA - 1) >> bitsInBucket) + 1;
      if (buckets <= pairs.size() / 16)
        return data_->sortInBuckets(pairs, static_cast<unsigned>(bitsOfB),
                                    static_cast<unsigned>(bitsInBucket), buckets, sorted);
    }
  }
  data_->sortAtOnce(pairs, sorted);
}

void PairSorter::sort(const std::vector<SurfacePair>& surfaces, const std::vector<TrianglePair>& witnesses,
                      std::vector<SurfacePair>& sortedSurfaces, std::vector<TrianglePair>& sortedWitnesses) {
  const std::size_t count = surfaces.size();
  if (count < 2) {  // as in queries for the first pair
    sortedSurfaces.assign(surfaces.begin(), surfaces.end());
    sortedWitnesses.assign(witnesses.begin(), witnesses.end());
    return;
  }
  // One number for each pair, with the position below the ids.
  std::uint32_t idsOfA = 0, idsOfB = 0;
  for (const SurfacePair& s : surfaces) {
    idsOfA |= index(s.a);
    idsOfB |= index(s.b);
  }
  const int bitsOfB = std::bit_width(idsOfB), bitsOfPlace = std::bit_width(count - 1);
  const int bits = std::bit_width(idsOfA) + bitsOfB + bitsOfPlace;
  const auto key = [&](std::size_t i) {
    return (std::uint64_t{index(surfaces[i].a)} << bitsOfB | index(surfaces[i].b)) << bitsOfPlace | i;
  };
  const std::uint64_t places = (std::uint64_t{1} << bitsOfPlace) - 1;
  const auto take = [&](const auto* sortedKeys, std::uint64_t placesInKeys) {
    sortedSurfaces.resize(count);
    sortedWitnesses.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      sortedSurfaces[i] = surfaces[sortedKeys[i] & placesInKeys];
      sortedWitnesses[i] = witnesses[sortedKeys[i] & placesInKeys];
    }
  };
  if (bits <= mostPackedBits && count >= tuning::fewSurfacePairs) {
    std::vector<std::uint32_t>& packed = data_->packed;
    packed.resize(count);
    for (std::size_t i = 0; i < count; ++i) packed[i] = static_cast<std::uint32_t>(key(i));
    return take(data_->sortBucket(packed, static_cast<unsigned>(bits)), places);
  }
  std::vector<std::uint64_t>& keys = data_->keys;
  keys.resize(count);
  if (bits > 64) {
    for (std::size_t i = 0; i < count; ++i) keys[i] = i;
    std::sort(keys.begin(), keys.end(),
              [&](std::uint64_t x, std::uint64_t y) { return surfaces[x] < surfaces[y]; });
    return take(keys.data(), ~std::uint64_t{0});
  }
  for (std::size_t i = 0; i < count; ++i) keys[i] = key(i);
  if (count < tuning::fewSurfacePairs)
    std::sort(keys.begin(), keys.end());
  else
    data_->sorter(keys.data(), count, hwy::SortAscending());
  take(keys.data(), places);
}

}  // namespace fitup::detail
#endif
