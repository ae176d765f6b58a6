#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fitup/geometry/transform.h>

#include "tiny_meshes.h"

/// Just enough reading of mesh files to feed tests. Not the importers: bad input ends in an exception without
/// finesse.
namespace fitup::test {

/// Wavefront OBJ: `v` and `f` lines alone, negative indices count from the end, polygons become fans;
/// surfaces are the 30-degree patches. Binary or ASCII STL: likewise.
MeshPtr readMesh(const std::filesystem::path& file);

/// An object of a scenario of FCL's tests ("Model_1_Scenario_1.txt"), and its poses there.
struct ScenarioObject {
  MeshPtr mesh;
  std::vector<Transform> poses;
};
/// The two objects; poses[i] of both belong together.
std::vector<ScenarioObject> readScenario(const std::filesystem::path& file);

/// A body of a rigid-body scene as rigid-ipc writes it. `rotation` is in degrees about x, y, z; taken here as
/// Rz * Ry * Rx, which is right for the scenes at hand, whose bodies turn about one axis only.
struct SceneBody {
  std::string mesh;  ///< path as written
  Transform worldFromBody;
};
std::vector<SceneBody> readScene(const std::filesystem::path& file);

}  // namespace fitup::test
