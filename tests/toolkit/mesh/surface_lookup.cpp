#include <fitup/mesh/surface_lookup.h>

#include <catch2/catch.hpp>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace surface_lookup_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

std::vector<Surface> surfacesOf(const std::vector<std::uint32_t>& counts) {
  std::vector<Surface> surfaces;
  std::uint32_t next = 0;
  for (std::uint32_t count : counts) {
    Surface& s = surfaces.emplace_back();
    s.firstTriangle = next;
    s.triangleCount = count;
    next += count;
  }
  return surfaces;
}

/// Returns the number of triangles that are found in a surface whose range does not contain them.
std::size_t wrong(const std::vector<std::uint32_t>& counts) {
  const SurfaceLookup lookup(surfacesOf(counts));
  std::size_t wrong = 0;
  std::uint32_t triangle = 0;
  for (std::uint32_t s = 0; s < counts.size(); ++s)
    for (std::uint32_t i = 0; i < counts[s]; ++i)
      wrong += lookup.surfaceOf(TriangleId{triangle++}) != SurfaceId{s};
  return wrong;
}

}  // namespace

TEST_CASE("the surface of every triangle, at ends of surfaces and of blocks", "[mesh]") {
  CHECK(wrong({}) == 0);
  CHECK(wrong({0, 0}) == 0);
  CHECK(wrong({1}) == 0);
  for (std::uint32_t n : {1U, 2U, 63U, 64U, 65U, 127U, 128U, 129U, 1000U}) {
    CHECK(wrong({n}) == 0);
    CHECK(wrong({n, 1}) == 0);
    CHECK(wrong({1, n}) == 0);
    CHECK(wrong({0, n, 0, 0, n, 0}) == 0);
    CHECK(wrong(std::vector<std::uint32_t>(n, 1)) == 0);
    CHECK(wrong(std::vector<std::uint32_t>(n, 64)) == 0);
    CHECK(wrong(std::vector<std::uint32_t>(n, 65)) == 0);
  }
}

TEST_CASE("the surface of every triangle among surfaces of any size", "[mesh]") {
  Random random(17);
  for (int round = 0; round < 200; ++round) {
    // Many are empty or tiny, a few are large.
    std::vector<std::uint32_t> counts(random.below(200));
    for (std::uint32_t& count : counts)
      count = static_cast<std::uint32_t>(random.below(3) == 0    ? 0
                                         : random.below(20) == 0 ? random.below(500)
                                                                 : random.below(4));
    REQUIRE(wrong(counts) == 0);
  }
}

TEST_CASE("a mesh finds the surfaces of its triangles", "[mesh]") {
  const MeshPtr mesh = soup(500, 3, 0.2, 170);
  for (std::uint32_t s = 0; s < mesh->surfaces().size(); ++s)
    for (std::uint32_t i = 0; i < mesh->surfaces()[s].triangleCount; ++i)
      REQUIRE(mesh->surfaceOf(TriangleId{mesh->surfaces()[s].firstTriangle + i}) == SurfaceId{s});
}

}  // namespace surface_lookup_tests
