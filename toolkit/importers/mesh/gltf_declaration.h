#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/io/model_file.h>

#include "gltf_notes.h"

namespace fitup::importers {

/// What the JSON of a glTF 2.0 file says it holds.
struct GltfDeclaration {
  std::size_t rootCount = 0;             ///< nodes at the top of the scene that is read
  std::size_t sceneCount = 0;            ///< in the file
  std::uint64_t triangles = 0;           ///< of all meshes in that scene, counted at each node
  std::vector<std::string> bufferFiles;  ///< relative to the file, unescaped
  std::set<std::string> simpleMeshes;    ///< names of meshes with a single primitive
  std::optional<GltfNotes> notes;        ///< where this project has written the file
  std::vector<ImportWarning> warnings;   ///< of what in that scene changes geometry and is not read
};

/// The path that the URI of a buffer stands for, relative to the file: percent signs and two digits are
/// bytes.
std::string pathOfUri(std::string_view uri);

/// Throws FileError, and InputError for what is not glTF 2.0, JSON that is damaged, references that lead
/// nowhere, a node that occurs twice in the tree (or in itself), and extensions that are required and
/// not read.
GltfDeclaration readGltfDeclaration(const std::filesystem::path& file);

}  // namespace fitup::importers
