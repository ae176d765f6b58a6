#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fitup::test {

/// A small valid mesh file, to be read as it is or damaged.
struct SmallMeshFile {
  std::string name;  ///< with its extension
  std::string bytes;
  std::size_t triangles = 0;  ///< that it holds
  std::size_t declared = 0;   ///< what `declaredElements` says of it
  /// Read by this project's code alone; others by a library that may crash.
  bool isOwn = true;
};

/// A few of each format that the mesh importer reads: a new format is a line here. OBJ with objects, groups,
/// materials, negative indices and polygons; text STL of two solids; binary STL; PLY as text and binary, OFF,
/// GLB (one of them by `writeGltf`), 3DS.
std::vector<SmallMeshFile> smallMeshFiles();

}  // namespace fitup::test
