#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fitup::test {

/// A small valid mesh file, to be read as it is or damaged.
struct SmallMeshFile {
  std::string name;  ///< name with its extension
  std::string bytes;
  std::size_t triangles = 0;  ///< in the file
  std::size_t declared = 0;   ///< the count of `declaredElements`
  /// Whether only code of this project reads it; others are read by a library that may crash.
  bool isOwn = true;
};

/// Returns a few files of each format that the mesh importer reads; add new formats here. OBJ with objects,
/// groups, materials, negative indices and polygons; text STL of two solids; binary STL; PLY as text and
/// binary, OFF, GLB (one of them by `writeGltf`), 3DS.
std::vector<SmallMeshFile> smallMeshFiles();

}  // namespace fitup::test
