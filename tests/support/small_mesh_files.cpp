#include "small_mesh_files.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace fitup::test {
namespace {

using Corner = std::array<float, 3>;
using Facet = std::array<Corner, 3>;

/// The twelve triangles of a box with a corner at `at`.
std::vector<Facet> boxFacets(float at, float size) {
  const auto corner = [&](int i) {
    return Corner{at + (i & 1 ? size : 0), at + (i & 2 ? size : 0), at + (i & 4 ? size : 0)};
  };
  constexpr std::array<std::array<int, 4>, 6> sides{
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  std::vector<Facet> facets;
  for (const auto& s : sides) {
    facets.push_back({corner(s[0]), corner(s[1]), corner(s[2])});
    facets.push_back({corner(s[0]), corner(s[2]), corner(s[3])});
  }
  return facets;
}

std::string textOf(float value) {
  std::string text = std::to_string(static_cast<int>(value * 1000));
  return text + "e-3";
}

std::string textStl() {
  std::string text;
  for (int solid = 0; solid < 2; ++solid) {
    const std::string name = solid == 0 ? "left" : "right";
    text += "solid " + name + "\n";
    for (const Facet& facet : boxFacets(static_cast<float>(3 * solid), 1.5F)) {
      text += "  facet normal 0 0 1\n    outer loop\n";
      for (const Corner& c : facet)
        text += "      vertex " + textOf(c[0]) + " " + textOf(c[1]) + " " + textOf(c[2]) + "\n";
      text += "    endloop\n  endfacet\n";
    }
    text += "endsolid " + name + "\n";
  }
  return text;
}

std::string binaryStl() {
  const std::vector<Facet> facets = boxFacets(0.25F, 2);
  std::string bytes(80, ' ');
  const auto put = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put(static_cast<std::uint32_t>(facets.size()));
  for (const Facet& facet : facets) {
    put(Corner{0, 0, 1});
    for (const Corner& c : facet) put(c);
    put(std::uint16_t{0});
  }
  return bytes;
}

/// A prism over a concave hexagon, and a fan of triangles with indices from the end.
std::string obj() {
  return "# two objects\nmtllib none.mtl\no prism\n"
         "v 0 0 0\nv 4 0 0\nv 4 3 0\nv 2 1 0\nv 0 3 0\nv -1 1.5 0\n"
         "v 0 0 1\nv 4 0 1\nv 4 3 1\nv 2 1 1\nv 0 3 1\nv -1 1.5 1\n"
         "vn 0 0 1\nvt 0.5 0.5\n"
         "g bottom\nusemtl steel\nf 6 5 4 3 2 1\n"
         "g top\nf 7//1 8//1 9//1 10//1 11//1 12//1\n"
         "g sides\nusemtl brass\ns 1\nf 1/1 2/1 8/1 7/1\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf "
         "6 1 7 12\n"
         "o fan\ng\nv 10 0 0\nv 11 0 0\nv 11 1 0\nv 10 1 0.5\n"
         "f -4 -3 -2\nf -4/1/1 -2/1/1 -1/1/1\n";
}

}  // namespace

std::vector<SmallMeshFile> smallMeshFiles() {
  return {
      {"small.obj", obj(), 4 + 4 + 12 + 2},
      {"text.stl", textStl(), 24},
      {"binary.stl", binaryStl(), 12},
  };
}

}  // namespace fitup::test
