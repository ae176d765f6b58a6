// Pulls a drawer out past a door knob that is in its way: it slides aside along the knob and comes out.
#include <iostream>
#include <memory>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/mesh/triangle_mesh.h>
#include <fitup/motion/slide.h>

std::shared_ptr<const fitup::TriangleMesh> box(const char* name, double x, double y, double z) {
  std::vector<fitup::Vec3> points;
  for (int i = 0; i < 8; ++i) points.push_back({i & 1 ? x : 0, i & 2 ? y : 0, i & 4 ? z : 0});
  const std::vector<fitup::TriangleIndices> triangles{{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                                      {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                                      {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  std::vector<std::uint64_t> faces;
  for (std::uint64_t k = 0; k < 12; ++k) faces.push_back(k / 2);
  return std::make_shared<const fitup::TriangleMesh>(
      fitup::TriangleMesh::from(points, triangles, faces, name));
}

// An octahedron, so that the drawer meets a slanting face.
std::shared_ptr<const fitup::TriangleMesh> knob(double radius) {
  const double r = radius;
  const std::vector<fitup::Vec3> points{{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}};
  const std::vector<fitup::TriangleIndices> triangles{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                                      {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  const std::vector<std::uint64_t> faces{0, 1, 2, 3, 4, 5, 6, 7};
  return std::make_shared<const fitup::TriangleMesh>(
      fitup::TriangleMesh::from(points, triangles, faces, "knob"));
}

int main() try {
  using namespace fitup;
  Assembly assembly("kitchen");
  const auto add = [&](const char* name, const auto& mesh, const Vec3& at) {
    return assembly.addNode(name, Transform::translation(at), {}, assembly.addPart(mesh));
  };
  // Millimetres. The drawer has 30 mm of play between the walls; the knob stands 20 mm into its way.
  const NodeId drawer[] = {add("drawer", box("drawer", 400, 500, 150), {0, 0, 0})};
  add("left wall", box("wall", 20, 520, 200), {-45, 0, -20});
  add("right wall", box("wall", 20, 520, 200), {405, 0, -20});
  add("shelf", box("shelf", 480, 520, 20), {-45, 0, -20});
  add("knob", knob(40), {420, 560, 75});
  const Scene scene(assembly);

  SlideOptions options;
  options.freedom = SlideFreedom::shift;  // a drawer does not turn
  options.drag.tolerance = 0.5;
  SlideGuard slide(scene, {}, drawer, {}, options);
  bool wasHeld = false;
  for (int event = 1; event <= 100; ++event) {
    const SlideUpdate update = slide.update({{}, {0, 6.0 * event, 0}});  // straight out
    for (const SlideHold& hold : update.holding) {
      if (wasHeld || assembly.path(hold.b) != "knob") continue;
      wasHeld = true;
      std::cout << "at " << update.pose.translation.y << " mm it touches the knob and gives way\n";
    }
  }
  const Vec3 at = slide.pose().translation;
  std::cout << "it is out by " << at.y << " mm, and " << -at.x << " mm to the left\n";
  return wasHeld && at.y > 590 ? 0 : 1;
} catch (const fitup::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
