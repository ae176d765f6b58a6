#include <viewer/core/flat_region.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace flat_region_tests {

using namespace fitup::viewer;

namespace {

FlatLoop rectangle(double x, double y, double width, double height) {
  return {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
}
FlatLoop turned(FlatLoop loop) { return {loop.rbegin(), loop.rend()}; }
FlatLoop star(std::mt19937& random, double x, double y, int corners) {
  std::uniform_real_distribution<double> radius(0.3, 1);
  FlatLoop loop;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * 3.14159265358979 * i / corners, r = radius(random);
    loop.push_back({x + r * std::cos(angle), y + r * std::sin(angle)});
  }
  return loop;
}
FlatRegion coveredBy(std::initializer_list<FlatLoop> loops) {
  return fitup::viewer::coveredBy(std::span(loops.begin(), loops.size()));
}

}  // namespace

TEST_CASE("loops cover what they wind around counter-clockwise", "[viewer][section]") {
  const FlatLoop outer = rectangle(0, 0, 10, 8), inner = rectangle(2, 2, 3, 4);
  CHECK(area(outer) == 80);
  CHECK(area(turned(outer)) == -80);
  CHECK(area(coveredBy({outer})) == Approx(80));
  CHECK(coveredBy({turned(outer)}).pieces.empty());
  // A hole; an island in it; a hole that was turned wrongly changes nothing.
  const FlatRegion holed = coveredBy({outer, turned(inner)});
  CHECK(area(holed) == Approx(68));
  REQUIRE(holed.pieces.size() == 1);
  CHECK(holed.pieces[0].holes.size() == 1);
  CHECK(area(coveredBy({outer, turned(inner), rectangle(3, 3, 1, 1)})) == Approx(69));
  CHECK(area(coveredBy({outer, inner})) == Approx(80));
  // Loops that overlap count once, also where they share an edge.
  CHECK(area(coveredBy({rectangle(0, 0, 4, 4), rectangle(2, 2, 4, 4)})) == Approx(28));
  CHECK(area(coveredBy({rectangle(0, 0, 4, 4), rectangle(4, 1, 4, 2)})) == Approx(24));
  CHECK(coveredBy({rectangle(0, 0, 4, 4), rectangle(4, 1, 4, 2)}).pieces.size() == 1);
  CHECK(coveredBy({}).pieces.empty());
  CHECK(contains(holed, {1, 1}));
  CHECK_FALSE(contains(holed, {3, 3}));
  CHECK_FALSE(contains(holed, {11, 1}));
}

TEST_CASE("regions have the same points in common, wherever they are", "[viewer][section]") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-1.2, 1.2);
  for (const double shift : {0.0, 1e5}) {
    for (int round = 0; round < 30; ++round) {
      const FlatRegion a = coveredBy({star(random, shift, 0, 17)}),
                       b = coveredBy({star(random, shift + place(random), place(random), 23)});
      const FlatRegion both = common(a, b, boxOf(a).intersection(boxOf(b))),
                       swapped = common(b, a, boxOf(b).intersection(boxOf(a)));
      CHECK(area(both) == Approx(area(swapped)).margin(1e-6));
      CHECK(area(both) <= std::min(area(a), area(b)) + 1e-6);
      // |a| + |b| = |a or b| + |a and b|
      std::vector<FlatLoop> loops;
      for (const FlatRegion* region : {&a, &b})
        for (const auto& piece : region->pieces) loops.push_back(piece.border);
      CHECK(area(a) + area(b) == Approx(area(fitup::viewer::coveredBy(loops)) + area(both)).margin(1e-5));
      for (int i = 0; i < 200; ++i) {
        const FlatPoint p{shift + place(random), place(random)};
        CHECK(contains(both, p) == (contains(a, p) && contains(b, p)));
      }
    }
  }
}

TEST_CASE("a half-plane cuts a loop off", "[viewer][section]") {
  const FlatLoop square = rectangle(0, 0, 4, 4);
  CHECK(area(clipped(square, {{1, 0}, 1})) == Approx(4));
  CHECK(area(clipped(square, {{-1, 0}, -1})) == Approx(12));
  CHECK(area(clipped(square, {{1, 1}, 4})) == Approx(8));
  CHECK(area(clipped(turned(square), {{1, 1}, 4})) == Approx(-8));
  CHECK(clipped(square, {{1, 0}, 4}) == square);
  CHECK(clipped(square, {{1, 0}, -1}).empty());
  // A comb falls into teeth, which the cover separates.
  const FlatLoop comb{{0, 0}, {7, 0}, {7, 3}, {6, 3}, {6, 1}, {4, 1},
                      {4, 3}, {3, 3}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
  const FlatRegion teeth = coveredBy({clipped(comb, {{0, -1}, -2})});
  CHECK(area(teeth) == Approx(3));
  CHECK(teeth.pieces.size() == 3);
}

TEST_CASE("the mean width of a strip is its width", "[viewer][section]") {
  CHECK(meanWidth(coveredBy({rectangle(0, 0, 1000, 0.5)}).pieces.at(0)) == Approx(0.5).epsilon(0.001));
  CHECK(meanWidth(coveredBy({rectangle(0, 0, 10, 10), turned(rectangle(0.1, 0.1, 9.8, 9.8))}).pieces.at(0)) ==
        Approx(0.1).epsilon(0.001));
}

}  // namespace flat_region_tests
