// Drags a part down until contact stops it, without a display: stop_at_contact plant.fitup
#include <iostream>

#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>
#include <fitup/motion/drag_guard.h>

int main(int argc, char** argv) try {
  using namespace fitup;
  if (argc != 2) {
    std::cerr << "usage: stop_at_contact plant.fitup ('fitup generate plant plant.fitup' makes it)\n";
    return 2;
  }
  const Scene scene = sceneOf(readAssembly(argv[1]));
  const Assembly& plant = scene.assembly();
  const NodeId spool[] = {plant.at("process-plant/piping/spool")};
  const RigidMotion lifted{{}, {0, 0, 1500}};

  DragOptions options;
  options.tolerance = 0.5;  // millimetres; tessellation makes touching faces overlap by up to this
  DragGuard guard(scene, {}, spool, lifted, options);
  // Each mouse event asks for 25 mm further down.
  for (int event = 1; event <= 60; ++event) {
    const DragUpdate update = guard.update({{}, {0, 0, 1500.0 - 25 * event}});
    if (!update.stop) continue;
    std::cout << "stopped at height " << update.pose.translation.z << " mm by " << plant.path(update.stop->b)
              << "\n";
    if (const auto& nearest = update.stop->nearest)
      std::cout << "face " << index(nearest->surfaces.a) << " against face " << index(nearest->surfaces.b)
                << "\n";
    return 0;
  }
  std::cout << "nothing was in the way\n";
  return 1;
} catch (const fitup::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
