#include <catch2/catch.hpp>

#include <utility>

#include <fitup/base/error.h>

#include "support/import_checks.h"
#include "support/test_data.h"

namespace mesh_counts_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("every triangle of real mesh files arrives", "[importers]") {
  const std::pair<const char*, std::size_t> expectations[] = {
      {"mesh-assemblies/piston/connecting-rod.stl", 524},
      {"mesh-assemblies/piston/piston.stl", 2140},
      {"mesh-assemblies/bolt/screw-big.stl", 2828},
      {"mesh-assemblies/bolt/nut-big.stl", 2418},
      {"mesh-assemblies/fanuc/meshes/collision/link_2.stl", 1464},
      {"mesh-assemblies/asap-beam/6.obj", 24606},
      {"mesh-collision/fcl/env.obj", 2180},
      {"mesh-collision/fcl/rob.obj", 216},
      {"mesh-collision/manifold/self_intersectA.obj", 17160},
      {"mesh-collision/manifold/Generic_Twin_7863.1.t0_left.obj", 212},
      {"mesh-collision/manifold/openscad-nonmanifold-crash.obj", 1442},
      {"mesh-collision/erleben/internal_edges.obj", 24},
      {"mesh-collision/classic/spot.obj", 5856},
      {"mesh-collision/classic/teapot.stl", 894},
      {"nasty/assimp/OBJ_box_longline.obj", 944},
      {"nasty/assimp/OBJ_concave_polygon.obj", 64},
      {"nasty/assimp/STL_sphereWithHole.stl", 285},
      {"nasty/assimp/STL_triangle_with_two_solids.stl", 2},
      {"nasty/trimesh/busted.STL", 3878},
      {"nasty/trimesh/multibody.stl", 32},
      {"nasty/trimesh/soup.stl", 100},
  };
  for (const auto& [name, triangles] : expectations) {
    const auto file = sharedData(name);
    if (!meshImporter() || !file || (file->extension() != ".obj" && !hasAssimp())) {
      WARN("skipped: " << name << " or the importer is absent");
      continue;
    }
    INFO(name);
    const Model model = import(*file);
    CHECK(countsOf(model).triangles == triangles);
    CHECK(model.warnings.empty());  // missing material libraries of OBJ files are not reported
  }
}

TEST_CASE("a mesh beyond the range of exact answers is refused", "[importers]") {
  const auto file = sharedData("mesh-collision/manifold/Cray_right.obj");
  if (!meshImporter() || !file) {
    WARN("skipped: Cray_right.obj or the importer is absent");
    return;
  }
  CHECK_THROWS_AS(import(*file), ImportError);
}

}  // namespace mesh_counts_tests
