#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fitup/geometry/transform.h>

#include "tiny_meshes.h"

/// Minimal readers of mesh files for tests. They are not the importers; bad input ends in an unspecific
/// exception.
namespace fitup::test {

/// Reads a Wavefront OBJ file: only `v` and `f` lines, negative indices count from the end, polygons become
/// fans; surfaces are the 30-degree patches. Reads binary or ASCII STL in the same way.
MeshPtr readMesh(const std::filesystem::path& file);

/// An object of a scenario of FCL's tests ("Model_1_Scenario_1.txt"), and its poses there.
struct ScenarioObject {
  MeshPtr mesh;
  std::vector<Transform> poses;
};
/// Returns the two objects; poses[i] of both belong together.
std::vector<ScenarioObject> readScenario(const std::filesystem::path& file);

/// A body of a rigid-body scene in the format of rigid-ipc. `rotation` is in degrees about x, y, z, applied
/// here as Rz * Ry * Rx. This is right for the scenes used, whose bodies turn about one axis only.
struct SceneBody {
  std::string mesh;  ///< path as written
  Transform worldFromBody;
};
std::vector<SceneBody> readScene(const std::filesystem::path& file);

}  // namespace fitup::test
