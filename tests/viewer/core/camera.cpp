#include <viewer/core/camera.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include <models/random.h>

namespace camera_tests {

using namespace fitup;
using namespace fitup::viewer;

namespace {

constexpr Projection projections[] = {Projection::orthographic, Projection::perspective};

Camera isometric(UpAxis up = UpAxis::z, Projection projection = Projection::orthographic) {
  Camera camera;
  camera.setProjection(projection);
  camera.setPicture(800, 600);
  camera.setUpAxis(up);
  camera.look(StandardView::isometric, {{-1, -2, 0}, {3, 2, 5}});
  return camera;
}

double pixels(const PicturePoint& a, const PicturePoint& b) { return std::hypot(a.x - b.x, a.y - b.y); }

}  // namespace

TEST_CASE("rays pass through the points that are seen there", "[viewer][camera]") {
  for (const Projection projection : projections) {
    const Camera camera = isometric(UpAxis::z, projection);
    for (const PicturePoint at :
         {PicturePoint{0, 0}, PicturePoint{800, 600}, PicturePoint{400, 300}, PicturePoint{123, 456}}) {
      const Ray ray = camera.ray(at);
      const double toEye = dot(camera.viewpoint().eye - ray.from, camera.forward());
      const auto seen = camera.project(ray.at(toEye + 7));
      REQUIRE(seen);
      CHECK(pixels(*seen, at) < 1e-7);
    }
  }
  // Only an orthographic picture shows what is behind the eye.
  for (const Projection projection : projections) {
    const Camera camera = isometric(UpAxis::z, projection);
    const bool shows = projection == Projection::orthographic;
    const Vec3 behind = camera.viewpoint().eye - camera.forward();
    CHECK(camera.project(behind).has_value() == shows);
    CHECK(camera.mayShow({behind, behind}) == shows);
  }
}

TEST_CASE("an orthographic picture has one scale, that of the target in perspective", "[viewer][camera]") {
  const Camera flat = isometric();
  Camera deep = isometric(UpAxis::z, Projection::perspective);
  deep.setViewpoint(flat.viewpoint());
  const Vec3 target = flat.viewpoint().target;
  const double scale = flat.worldPerPixel(target);
  CHECK(scale == Approx(deep.worldPerPixel(target)));
  for (const double away : {-3.0, 2.0, 40.0}) {
    const Vec3 point = target + flat.forward() * away + flat.right();
    CHECK(flat.worldPerPixel(point) == scale);
    CHECK(pixels(flat.project(point).value(), {400 + 1 / scale, 300}) < 1e-6);
  }
  CHECK(flat.halfHeight() == Approx(300 * scale));
}

TEST_CASE("nothing that is seen is taken for being beside the picture", "[viewer][camera]") {
  models::Random random(5);
  int beside = 0;
  for (int i = 0; i < 4000; ++i) {
    const Camera camera = isometric(UpAxis::z, projections[i % 2]);
    const Vec3 centre{random.between(-40, 40), random.between(-40, 40), random.between(-40, 40)};
    const double half = random.between(0, 10);
    const Box box{centre - Vec3{half, half, half}, centre + Vec3{half, half, half}};
    bool isSeen = false;
    for (int k = 0; k < 200; ++k) {
      const auto at = camera.project(centre + Vec3{random.between(-half, half), random.between(-half, half),
                                                   random.between(-half, half)});
      isSeen = isSeen || (at && at->x >= 0 && at->x <= 800 && at->y >= 0 && at->y <= 600);
    }
    if (isSeen) REQUIRE(camera.mayShow(box));
    beside += !camera.mayShow(box);
  }
  CHECK(beside > 1000);
}

TEST_CASE("a picture contains a box that is wholly in it and in front of the eye", "[viewer][camera]") {
  for (const Projection projection : projections) {
    Camera camera = isometric(UpAxis::z, projection);
    const Box box{{-1, -2, 0}, {3, 2, 5}};
    camera.frame(box);
    CHECK(camera.contains(box));
    CHECK_FALSE(camera.contains({}));
    CHECK_FALSE(camera.contains({box.min, box.max + camera.right() * 20}));
    camera.zoom(0.4, box.centre());
    CHECK_FALSE(camera.contains(box));
  }
  // An orthographic picture shows what is behind the eye, too.
  Camera camera = isometric();
  const Vec3 behind = camera.viewpoint().eye - camera.forward();
  CHECK(camera.contains({behind, behind}));
  camera.setProjection(Projection::perspective);
  CHECK_FALSE(camera.contains({behind, behind}));
}

TEST_CASE("framing shows all of a box and fills the picture with it", "[viewer][camera]") {
  const Box box{{-1, -2, 0}, {3, 2, 5}};
  for (int i = 0; i < 24; ++i) {
    const int width = std::array{300, 800, 2000}[i % 3];
    const StandardView view = std::array{StandardView::isometric, StandardView::front, StandardView::top,
                                         StandardView::left}[i / 3 % 4];
    Camera camera;
    camera.setProjection(projections[i / 12]);
    camera.setPicture(width, 600);
    camera.look(view, box);
    double margin = 1e9;
    for (int corner = 0; corner < 8; ++corner) {
      const auto at = camera.project(
          {(corner & 1) != 0 ? 3.0 : -1.0, (corner & 2) != 0 ? 2.0 : -2.0, (corner & 4) != 0 ? 5.0 : 0.0});
      REQUIRE(at);
      margin = std::min({margin, at->x, width - at->x, at->y, 600 - at->y});
    }
    CAPTURE(width, static_cast<int>(view));
    CHECK(margin > 0);
    CHECK(margin < 60);
  }
}

TEST_CASE("standard views are named by the side that is seen, whatever points up", "[viewer][camera]") {
  Camera camera = isometric(UpAxis::z);
  const Box box{{-1, -1, -1}, {1, 1, 1}};
  camera.look(StandardView::front, box);
  CHECK(camera.viewpoint().eye.y < -1);
  camera.look(StandardView::right, box);
  CHECK(camera.viewpoint().eye.x > 1);
  camera.look(StandardView::top, box);
  CHECK(camera.viewpoint().eye.z > 1);
  camera = isometric(UpAxis::y);
  camera.look(StandardView::front, box);
  CHECK(camera.viewpoint().eye.z > 1);
  CHECK(camera.viewpoint().up == Vec3{0, 1, 0});
  camera.look(StandardView::top, box);
  CHECK(camera.viewpoint().eye.y > 1);
}

TEST_CASE("what the camera turns or zooms about stays where it is in the picture", "[viewer][camera]") {
  models::Random random(3);
  for (int i = 0; i < 50; ++i) {
    const bool isDeep = i % 4 < 2;
    Camera camera = isometric(i % 2 == 0 ? UpAxis::z : UpAxis::y, projections[isDeep ? 1 : 0]);
    const Vec3 about{random.between(-1, 3), random.between(-2, 2), random.between(0, 5)};
    const PicturePoint before = camera.project(about).value();
    const double distance = norm(about - camera.viewpoint().eye);
    camera.orbit(random.between(-300, 300), random.between(-300, 300), about);
    CHECK(norm(about - camera.viewpoint().eye) == Approx(distance));
    CHECK(pixels(camera.project(about).value(), before) < 1e-6);
    camera.zoom(0.5, about);
    CHECK(norm(about - camera.viewpoint().eye) == Approx(distance / 2));
    CHECK(pixels(camera.project(about).value(), before) < 1e-6);
    camera.pan(20, -30, about);
    CHECK(pixels(camera.project(about).value(), {before.x + 20, before.y - 30}) < 1e-6);
  }
}

TEST_CASE("a camera turns as another one, about what it looks at", "[viewer][camera]") {
  const Camera wanted = isometric();
  Camera camera = isometric();
  camera.look(StandardView::bottom, {{7, 7, 7}, {8, 9, 10}});
  const Viewpoint before = camera.viewpoint();
  CHECK_FALSE(camera.isTurnedAs(wanted));
  camera.turnAs(wanted);
  CHECK(camera.isTurnedAs(wanted));
  CHECK(camera.viewpoint().target == before.target);
  CHECK(norm(camera.viewpoint().eye - before.target) == Approx(norm(before.eye - before.target)));
  const Vec3 up = camera.up();
  camera.setViewpoint({camera.viewpoint().eye, camera.viewpoint().target, camera.right()});
  CHECK_FALSE(camera.isTurnedAs(wanted));  // it is rolled
  CHECK(norm(up - wanted.up()) < 1e-9);
}

TEST_CASE("a viewpoint that shows nothing is put right", "[viewer][camera]") {
  Camera camera;
  camera.setPicture(100, 100);
  for (const Viewpoint& view :
       {Viewpoint{{1, 1, 1}, {1, 1, 1}, {0, 0, 1}}, Viewpoint{{0, 0, 5}, {0, 0, 0}, {0, 0, 1}},
        Viewpoint{{0, 0, 5}, {0, 0, 0}, {0, 0, 0}}}) {
    camera.setViewpoint(view);
    CHECK(isFinite(camera.ray({20, 70}).direction));
    CHECK(camera.project(camera.viewpoint().target));
  }
}

}  // namespace camera_tests
