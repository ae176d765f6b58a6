#pragma once

#include <functional>
#include <string>

#include "assimp_file.h"
#include "raw_scene.h"

namespace fitup::importers {

/// How a scene of assimp is understood.
struct AssimpReading {
  /// The root is the library's and no node of the file; its transform is passed over.
  bool rootIsArtificial = false;
  /// The file has no tree of its own: meshes that follow each other with one name are a part, placed as they
  /// are.
  bool nodesAreArtificial = false;
  /// Nodes without triangles at or below them are no less nodes: the result has all, in the order of the
  /// tree.
  bool keepsEmptyNodes = false;
  /// Name of the part that these meshes are.
  std::function<std::string(const aiMesh& first)> partName;
  /// True for names that the library made up; the node then bears the name of its part.
  std::function<bool(const std::string& name)> isMadeUp;
};

/// Nodes with meshes are instances, nodes of the same meshes share a part; each mesh is a surface named by
/// its material and in that material's diffuse colour. Nodes without triangles below them are left out,
/// unless they are to be kept. Points of equal coordinates are merged. Placements that are rigid but for the
/// rounding to 32 bits are made rigid.
///
/// Complaints of the library, and meshes that bones deform, become warnings. Throws InputError naming node
/// or mesh: an index out of range, a coordinate that is not finite, a projective placement.
RawScene sceneOf(const AssimpFile& file, const AssimpReading& reading, ProgressLines& progress);

}  // namespace fitup::importers
