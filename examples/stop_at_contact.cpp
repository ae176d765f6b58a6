// A part that is dragged towards a wall stops there, and says at what.
#include <iostream>

#include <fitup/motion/drag_guard.h>
#include <models/process_plant.h>

int main() {
  using namespace fitup;
  const Assembly plant = models::makeProcessPlant();
  const Scene scene(plant);
  const NodeId spool[] = {plant.at(models::spoolPath)};
  const RigidMotion lifted{{}, {0, 0, 1500}};

  DragOptions options;
  options.tolerance = 0.5;  // millimetres: what tessellation makes touching faces overlap by
  DragGuard guard(scene, {}, spool, lifted, options);
  // Each mouse event wants the spool 25 mm lower.
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
}
