#include "small_mesh_files.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>

#include <fitup/io/gltf_export.h>

#include "scene_files.h"
#include "temporary_folder.h"

namespace fitup::test {
namespace {

using Corner = std::array<float, 3>;
using Facet = std::array<Corner, 3>;

/// Returns the twelve triangles of a box with a corner at `at`.
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

/// Returns a prism over a concave hexagon, and a fan of triangles with indices from the end.
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

/// Returns a pyramid over a square.
std::string plyText() {
  return "ply\nformat ascii 1.0\ncomment small\nelement vertex 5\nproperty float x\nproperty float y\n"
         "property float z\nelement face 5\nproperty list uchar int vertex_indices\nend_header\n"
         "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0.5 0.5 0.1\n4 0 3 2 1\n3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4\n";
}

std::string plyBinary() {
  const std::vector<Facet> facets = boxFacets(-1, 2);
  const std::string corners = std::to_string(3 * facets.size()), faces = std::to_string(facets.size());
  std::string bytes =
      "ply\nformat binary_little_endian 1.0\nelement vertex " + corners +
      "\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\nelement face " + faces +
      "\nproperty list uchar ushort vertex_index\nend_header\n";
  const auto put = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (const Facet& facet : facets)
    for (const Corner& c : facet) {
      put(c);
      put(std::uint8_t{7});
    }
  for (std::uint16_t i = 0; i < 3 * facets.size(); i = static_cast<std::uint16_t>(i + 3)) {
    put(std::uint8_t{3});
    for (int k = 0; k < 3; ++k) put(static_cast<std::uint16_t>(i + k));
  }
  return bytes;
}

std::string off() {
  return "OFF\n# a pyramid\n5 5 8\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0.5 0.5 0.1\n"
         "4 0 3 2 1\n3 0 1 4 255 0 0\n3 1 2 4\n3 2 3 4\n3 3 0 4\n";
}

std::string tds() {
  const std::vector<std::array<float, 3>> points{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  return tdsFile({{"left", points, {{0, 1, 2}, {0, 2, 3}}, {{"steel", {0}}, {"brass", {1}}}},
                  {"right", points, {{0, 2, 1}}, {}}},
                 {{"left", -1, {0, 0, 0}}, {"right", 0, {5, 0, 0}}});
}

/// Written by this project's own writer, with each kind of its notes.
std::string writtenGlb() {
  TriangleMeshBuilder builder("part");
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
    builder.addPoint(Vec3{100, 0, 0} + p);
  builder.beginSurface("empty");
  builder.beginSurface("red", Colour{1, 0, 0, 1});
  builder.addTriangle(0, 2, 1);
  builder.addTriangle(0, 1, 3);
  builder.beginSurface("plain");
  builder.addTriangle(0, 3, 2);
  Assembly assembly("written");
  const PartId part = assembly.addPart(std::make_shared<const TriangleMesh>(builder.build()));
  Transform shear = Transform::translation({1, 2, 3});
  shear.m[0][1] = 0.5;
  const NodeId top = assembly.addNode("top", Transform::rotation({0, 0, 1}, 0.3));
  const NodeId carrier = assembly.addNode("carrier", {}, top, part);
  assembly.addNode("sheared", shear, carrier, part, Colour{0, 0, 1, 0.5F});
  assembly.addNode("mirrored", Transform::scaling(-1, 1, 1), top, part);
  assembly.addNode("nothing", {}, top, assembly.addPart(std::make_shared<const TriangleMesh>()));
  const TemporaryFolder folder;
  writeGltf(folder / "written.glb", assembly);
  return readText(folder / "written.glb");
}

}  // namespace

std::vector<SmallMeshFile> smallMeshFiles() {
  std::vector<SmallMeshFile> files{
      {"small.obj", obj(), 4 + 4 + 12 + 2, 4 + 4 + 12 + 2},
      {"text.stl", textStl(), 24, 24},
      {"binary.stl", binaryStl(), 12, 12},
      {"text.ply", plyText(), 6, 5},
      {"binary.ply", plyBinary(), 12, 12},
      {"small.off", off(), 6, 5},
  };
#if defined(FITUP_HAS_ASSIMP)
  files.push_back({"small.glb", GltfFile().binary(), 8, 0, false});
  files.push_back({"written.glb", writtenGlb(), 9, 0, false});
  files.push_back({"small.3ds", tds(), 3, 0, false});
#endif
  return files;
}

}  // namespace fitup::test
