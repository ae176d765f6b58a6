#include <fitup/hierarchy/detail/pair_set.h>

#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <models/random.h>

namespace pair_set_tests {

using namespace fitup;
using namespace fitup::detail;

TEST_CASE("masks are spread over eight and gathered again", "[hierarchy]") {
  bool right = true;
  for (std::uint32_t mask = 0; mask < 256; ++mask)
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::uint32_t bit = mask >> i & 1U;
      right = right && maskAt(inEach(mask), i) == mask && maskAt(inFirstOfEach(mask), i) == bit &&
              maskAt(wholeOfEach(mask), i) == (bit != 0 ? 0xffU : 0U);
      for (std::uint32_t k = 0; k < 8; ++k) right = right && maskAt(inOne(mask, i), k) == (k == i ? mask : 0);
    }
  CHECK(right);

  models::Random random(1);
  for (int round = 0; round < 2000; ++round) {
    // Some masks have no bit, some one, some more.
    std::uint64_t masks =
        random.bits() & random.bits() & wholeOfEach(static_cast<std::uint32_t>(random.bits() & 0xffU));
    if (round % 2 == 0) masks &= random.bits() & random.bits();
    std::uint32_t expected = 0, any = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
      expected |= maskAt(masks, i) != 0 ? 1U << i : 0U;
      any |= maskAt(masks, i);
    }
    right = right && anyOfEach(masks) == expected && inAny(masks) == any;
  }
  CHECK(right);
}

TEST_CASE("a stack of sets of pairs gives each pair back once, the last set first", "[hierarchy]") {
  PairStack stack;
  REQUIRE(stack.empty());
  stack.push(PairSet::of({8 * 3 + 7, 8 * 5 + 2}));
  const std::uint64_t bits = 1ULL << 0 | 1ULL << 9 | 1ULL << 63;  // 0 and 0, 1 and 1, 7 and 7
  stack.push({10, 20, bits});
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected{
      {80, 160}, {81, 161}, {87, 167}, {31, 42}};
  for (const auto& [a, b] : expected) {
    REQUIRE_FALSE(stack.empty());
    const SlotPair pair = stack.pop();
    CHECK(pair.a == a);
    CHECK(pair.b == b);
  }
  CHECK(stack.empty());
}

}  // namespace pair_set_tests
