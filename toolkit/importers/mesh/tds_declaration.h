#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace fitup::importers {

/// A mesh as the chunks of a 3DS file declare it.
struct TdsMesh {
  std::string name;
  std::size_t points = 0, faces = 0;
};

/// Reads the meshes of a 3DS file, in its order. Throws FileError, and InputError that names the object or
/// the chunk's place: not a 3DS file, cut off, chunks larger than their parents, an index out of range.
std::vector<TdsMesh> readTdsDeclaration(const std::filesystem::path& file);

}  // namespace fitup::importers
