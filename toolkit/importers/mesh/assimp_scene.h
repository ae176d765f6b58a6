#pragma once

#include <functional>
#include <string>

#include "assimp_file.h"
#include "raw_scene.h"

namespace fitup::importers {

/// How to interpret a scene of assimp.
struct AssimpReading {
  /// The library made the root, which is not a node of the file; its transform is ignored.
  bool rootIsArtificial = false;
  /// The file has no tree of its own: consecutive meshes with one name are a part, in their placements.
  bool nodesAreArtificial = false;
  /// The result keeps nodes without triangles at or below them: it has all nodes, in the order of the tree.
  bool keepsEmptyNodes = false;
  /// Returns the name of the part that consists of these meshes.
  std::function<std::string(const aiMesh& first)> partName;
  /// Returns true for names that the library made up; the node then gets the name of its part.
  std::function<bool(const std::string& name)> isMadeUp;
};

/// Converts a scene. Nodes with meshes are instances, and nodes with the same meshes share a part. Each mesh
/// is a surface with the name and the diffuse colour of its material. Nodes without triangles below them are
/// left out unless `keepsEmptyNodes`. Points with equal coordinates are merged. Placements that are rigid
/// except for rounding to 32 bits are made rigid.
///
/// Complaints of the library, and meshes that bones deform, become warnings. Throws InputError, naming node
/// or mesh, for an index out of range, a coordinate that is not finite, or a projective placement.
RawScene sceneOf(const AssimpFile& file, const AssimpReading& reading, ProgressLines& progress);

}  // namespace fitup::importers
