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

/// The declarations in the JSON of a glTF 2.0 file.
struct GltfDeclaration {
  std::size_t rootCount = 0;             ///< nodes at the top of the scene that is read
  std::size_t sceneCount = 0;            ///< in the file
  std::uint64_t triangles = 0;           ///< triangles of all meshes in that scene, counted at each node
  std::vector<std::string> bufferFiles;  ///< relative to the file, unescaped
  std::set<std::string> simpleMeshes;    ///< names of meshes with a single primitive
  std::optional<GltfNotes> notes;        ///< if Fitup has written the file
  std::vector<ImportWarning> warnings;  ///< about content of that scene that changes geometry and is not read
};

/// Returns the path, relative to the file, of a buffer's URI: a percent sign with two digits is a byte.
std::string pathOfUri(std::string_view uri);

/// Throws FileError. Throws InputError for a file that is not glTF 2.0, damaged JSON, references that lead
/// nowhere, a node with two places in the tree (or within itself), and required extensions that are not read.
GltfDeclaration readGltfDeclaration(const std::filesystem::path& file);

}  // namespace fitup::importers
