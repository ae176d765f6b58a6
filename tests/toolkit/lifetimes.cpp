// Passes temporaries, as applications do. Run under the address sanitizer, which fills freed memory, so that
// a remaining reference to it reads nonsense or ends the program.
#include <cstdlib>
#include <iostream>
#include <optional>
#include <vector>

#include <fitup/motion/drag_guard.h>
#include <fitup/scene/live_interference.h>
#include <fitup/scene/verify.h>
#include <models/process_plant.h>

namespace {

using namespace fitup;

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::cerr << "wrong: " << what << "\n";
}

/// Makes a block: six faces of two triangles.
std::shared_ptr<const CollisionModel> block(double size) {
  TriangleMeshBuilder builder("block");
  for (int corner = 0; corner < 8; ++corner)
    builder.addPoint({corner & 1 ? size : 0, corner & 2 ? size : 0, corner & 4 ? size : 0});
  constexpr std::uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    builder.beginSurface("face");
    builder.addTriangle(f[0], f[1], f[2]);
    builder.addTriangle(f[0], f[2], f[3]);
  }
  return CollisionModel::build(std::make_shared<const TriangleMesh>(builder.build()));
}

void overwriteFreedMemory() {
  for (int i = 0; i < 100; ++i) std::vector<double>(static_cast<std::size_t>(1) << (i % 14), 1e300);
}

}  // namespace

int main() {
  const Transform beside = Transform::translation({0.5, 0.25, 0.25});
  const PosedModel first{block(1), {}}, second{block(1), beside};
  const PosedSolid solid{SolidModel::build(block(1)), {}}, other{SolidModel::build(block(1)), beside};
  LiveInterference live(Scene(models::makeProcessPlant()), {});
  const Assembly plant = models::makeProcessPlant();
  const std::vector<NodeId> spool{plant.at(models::spoolPath)};
  DragGuard guard(Scene(models::makeProcessPlant()), Poses{}, std::vector<NodeId>(spool), RigidMotion{},
                  DragOptions{.tolerance = 0.5});
  const VerifyOptions verify;
  const Progress progress;
  Verifier verifier(Scene(models::makeProcessPlant()), verify, progress);
  std::optional<Scene> scene(Scene::of(block(1), block(2)));
  const Scene copy = *scene;
  const PosedModel ofScene = scene->posed(scene->instances()[0]);
  const Transform& placed =
      scene->worldFromPart(scene->instances()[1], Poses{{scene->instances()[1], beside}});
  scene.reset();
  overwriteFreedMemory();

  expect(intersect(first, second).intersects(), "two blocks that overlap intersect");
  expect(verdict(solid, other, {.tolerance = 0.01}).verdict == Verdict::clash,
         "two solids that overlap clash");
  const InterferenceReport whole = checkAllPairs(Scene(models::makeProcessPlant()));
  const InterferenceReport& back = live.move({{spool[0], plant.worldFromNode(spool[0])}});
  expect(back.pairs.size() == whole.pairs.size() && back.status == ReportStatus::complete,
         "a live check of a temporary scene");
  const RigidMotion lifted{{}, {0, 0, 25}};
  expect(guard.update(lifted).status == ReportStatus::complete, "a drag through a temporary scene");
  expect(verifier.finish().status == ReportStatus::complete, "a verifier of a temporary scene");
  expect(checkAllPairs(copy).pairs.size() == 1, "a copy of a scene that is gone");
  expect(placed == beside, "a placement of poses that are gone");
  expect(ofScene.model->mesh().triangleCount() == 12, "a model of a scene that is gone");
  std::cout << (failures == 0 ? "temporaries live as long as they are used\n" : "");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
