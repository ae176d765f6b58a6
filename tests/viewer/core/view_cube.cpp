#include <viewer/core/view_cube.h>

#include <catch2/catch.hpp>
#include <cmath>

#include <models/random.h>

namespace view_cube_tests {

using namespace fitup;
using namespace fitup::viewer;

TEST_CASE("the view cube shows the faces towards the eye, and looks at what is clicked on",
          "[viewer][cube]") {
  models::Random random(4);
  for (const UpAxis up : {UpAxis::x, UpAxis::y, UpAxis::z})
    for (int i = 0; i < 30; ++i) {
      Camera camera;
      camera.setPicture(300, 200);
      camera.setUpAxis(up);
      camera.setViewpoint({3 * random.direction(), {}, camera.worldAxes().up});
      const ViewCube cube(camera, 120);
      const auto faces = cube.faces();
      REQUIRE(faces.size() >= 1);
      CHECK(faces.size() <= 3);
      for (const ViewCube::Face& face : faces) {
        PicturePoint centre;
        for (const PicturePoint& corner : face.corners) {
          CHECK((corner.x > 0 && corner.x < 120 && corner.y > 0 && corner.y < 120));
          centre = {centre.x + corner.x / 4, centre.y + corner.y / 4};
        }
        if (face.light < 0.02) continue;
        const auto zone = cube.zoneAt(centre);
        REQUIRE(zone);
        CHECK(zone->outlines.size() == 1);
        // It is the side that the standard view of that name looks at.
        Camera named = camera;
        named.look(face.view, {{-1, -1, -1}, {1, 1, 1}});
        CHECK(norm(zone->sight - named.forward()) < 1e-12);
        // A corner of the face is one of the cube, which is seen from three sides.
        const PicturePoint inside{centre.x + 0.95 * (face.corners[0].x - centre.x),
                                  centre.y + 0.95 * (face.corners[0].y - centre.y)};
        const auto corner = cube.zoneAt(inside);
        REQUIRE(corner);
        CHECK(dot(corner->sight, zone->sight) == Approx(1 / std::sqrt(3.0)));
      }
      CHECK_FALSE(cube.zoneAt({1, 1}));
    }
}

TEST_CASE("a camera turns to what is clicked on without moving away", "[viewer][cube]") {
  Camera camera;
  camera.setPicture(300, 200);
  camera.setViewpoint({{5, 4, 3}, {1, 1, 1}, {0, 0, 1}});
  const double distance = norm(Vec3{4, 3, 2});
  for (const Vec3& sight : {Vec3{0, 1, 0}, Vec3{0, 0, -1}, Vec3{0, 0, 1}, Vec3{1, -1, 1}}) {
    camera.lookAlong(sight);
    CHECK(norm(camera.forward() - normalized(sight)) < 1e-9);
    CHECK(camera.viewpoint().target == Vec3{1, 1, 1});
    CHECK(norm(camera.viewpoint().eye - camera.viewpoint().target) == Approx(distance));
    CHECK(isFinite(camera.up()));
  }
}

}  // namespace view_cube_tests
