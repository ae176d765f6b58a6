#include <fitup/hierarchy/detail/wide_split.h>

#include <algorithm>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include <models/random.h>

namespace wide_split_tests {

using namespace fitup;
using namespace fitup::detail;

namespace {

using Ids = std::vector<std::uint32_t>;

/// Makes boxes of random places and sizes.
std::vector<BuildItem> randomItems(models::Random& random, std::uint32_t count) {
  std::vector<BuildItem> items(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      items[i].min[axis] = static_cast<float>(random.between(-10, 10));
      items[i].max[axis] = items[i].min[axis] + static_cast<float>(random.between(0, 3));
    }
    items[i].setId(i);
  }
  return items;
}

float areaOf(const std::vector<BuildItem>& items, const Ids& ids, float unit) {
  Box4 box;
  for (const std::uint32_t id : ids) box.extend(items[id].min, items[id].max);
  return box.halfArea(unit);
}

/// Does what the header describes, by trying every split: it splits the largest group, the first of several,
/// again and again.
std::vector<Ids> groupsByHand(const std::vector<BuildItem>& items, float unit) {
  const auto leaves = [](std::size_t count) { return (count + 7) / 8; };
  Ids all(items.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<Ids> groups{all};
  for (;;) {
    const auto largest = std::max_element(groups.begin(), groups.end(),
                                          [](const Ids& a, const Ids& b) { return a.size() < b.size(); });
    if (largest->size() <= 8) return groups;
    std::size_t others = 0;
    for (auto g = groups.begin(); g != groups.end(); ++g)
      if (g != largest) others += leaves(g->size());
    float least = std::numeric_limits<float>::infinity();
    Ids left, right;
    for (int axis = 0; axis < 3; ++axis) {
      Ids order = *largest;
      std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return items[a].centre()[axis] < items[b].centre()[axis];
      });
      for (std::size_t i = 1; i < order.size(); ++i) {
        if (others + leaves(i) + leaves(order.size() - i) > 8) continue;
        const Ids first(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i)),
            second(order.begin() + static_cast<std::ptrdiff_t>(i), order.end());
        const float cost = areaOf(items, first, unit) * static_cast<float>(first.size()) +
                           areaOf(items, second, unit) * static_cast<float>(second.size());
        if (cost < least) {
          least = cost;
          left = first;
          right = second;
        }
      }
    }
    *largest = right;
    groups.insert(largest, left);
  }
}

Ids idsOf(const std::vector<BuildItem>& items, const BuildGroup& group) {
  Ids ids;
  for (std::uint32_t i = group.begin; i < group.end; ++i) ids.push_back(items[i].id());
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

TEST_CASE("up to 64 triangles are split where the areas are least", "[hierarchy]") {
  models::Random random(17);
  for (std::uint32_t count = 1; count <= 64; ++count) {
    INFO(count);
    std::vector<BuildItem> items = randomItems(random, count);
    // So large that areas overflow without the unit.
    for (const float size : {1.0F, 0x1p90F}) {
      for (BuildItem& item : items) {
        const std::uint32_t id = item.id();
        item = {item.min * size, item.max * size};
        item.setId(id);
      }
      std::vector<BuildItem> split = items;
      const BuildGroups groups = splitTriangles(split, 0, count, 1 / size);
      std::vector<Ids> found;
      for (std::uint32_t k = 0; k < groups.count; ++k) found.push_back(idsOf(split, groups.group[k]));
      std::vector<Ids> expected = groupsByHand(items, 1 / size);
      for (Ids& ids : expected) std::sort(ids.begin(), ids.end());
      REQUIRE(found == expected);
    }
  }
}

TEST_CASE("nothing is one group of nothing", "[hierarchy]") {
  const BuildGroups groups = splitTriangles({}, 0, 0, 1);
  REQUIRE(groups.count == 1);
  CHECK(groups.group[0].count() == 0);
}

TEST_CASE("groups hold every triangle once and none too many, whatever coincides", "[hierarchy]") {
  models::Random random(18);
  for (int round = 0; round < 300; ++round) {
    const auto count = static_cast<std::uint32_t>(1 + random.bits() % (round % 3 == 0 ? 600 : 64));
    std::vector<BuildItem> items = randomItems(random, count);
    // In few places, in one plane, in one place.
    for (BuildItem& item : items)
      for (int axis = 0; axis < 3; ++axis) {
        const int places = round % 4 == 0 ? 1 : axis == round % 3 ? 1 : 4;
        item.min[axis] = static_cast<float>(random.bits() % static_cast<unsigned>(places)) - 2;
        item.max[axis] = item.min[axis] + 2;
        // The centre is a zero of either sign.
        if (item.min[axis] == -1) item.min[axis] = item.max[axis] = random.bits() % 2 == 0 ? 0.0F : -0.0F;
      }
    const std::vector<BuildItem> before = items;
    // Items outside the range stay in place.
    const std::uint32_t begin = count / 10, end = count - count / 7;
    const BuildGroups groups = splitTriangles(items, begin, end, 1);
    std::uint32_t next = begin;
    std::uint32_t largest = 8;
    while (end - begin > 8 * largest) largest *= 8;
    REQUIRE(groups.count <= groups.group.size());
    std::uint32_t pieces = 0;
    for (std::uint32_t k = 0; k < groups.count; ++k) {
      pieces += (groups.group[k].count() + largest - 1) / largest;
      REQUIRE(groups.group[k].begin == next);
      REQUIRE(groups.group[k].count() <= largest);
      next = groups.group[k].end;
    }
    REQUIRE(next == end);
    REQUIRE(pieces <= 8);
    REQUIRE(idsOf(items, {begin, end}) == idsOf(before, {begin, end}));
    for (std::uint32_t i = 0; i < count; ++i)
      if (i < begin || i >= end) REQUIRE(items[i].id() == before[i].id());
  }
}

}  // namespace wide_split_tests
