#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// Writers of small files of scene formats whose bytes the tests control.
namespace fitup::test {

/// A glTF file: a node "machine" with three children: "left" (mesh "gehäuse": two primitives of the materials
/// steel and brass; moved by 1, 2, 3 and turned by 90 degrees about z), "right" (mesh "plate", mirrored in
/// x), and one without a name (mesh "gehäuse", moved by 5 in x by its matrix). The plate is a unit square of
/// two triangles; the gehäuse has these and the first of them again.
struct GltfFile {
  std::string json, buffer;

  GltfFile();
  /// Replaces the only `from` of the JSON by `to`.
  GltfFile& replace(const std::string& from, const std::string& to);
  /// Writes FILE.gltf, and beside it the buffer with the name in the JSON ("bytes.bin").
  void write(const std::filesystem::path& file) const;
  /// Returns the same as one .glb.
  [[nodiscard]] std::string binary() const;
};

/// The chunks of a mesh in a 3DS file.
struct TdsMeshChunk {
  std::string name;
  std::vector<std::array<float, 3>> points;
  std::vector<std::array<std::uint16_t, 3>> faces;
  std::vector<std::pair<std::string, std::vector<std::uint16_t>>> materials;  ///< names with their faces
};
/// A node of the keyframer: an object, the ordinal of its parent (-1: none), its position.
struct TdsNode {
  std::string object;
  std::int16_t parent;
  std::array<float, 3> position;
};
/// Returns a file with the materials "steel" (red) and "brass" (blue).
std::string tdsFile(const std::vector<TdsMeshChunk>& meshes, const std::vector<TdsNode>& nodes = {});

}  // namespace fitup::test
