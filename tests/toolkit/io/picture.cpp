#include <fitup/io/pictures/detail/picture.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <stop_token>

#include <fitup/base/error.h>
#include <fitup/io/pictures/detail/finding_view.h>
#include <fitup/io/pictures/detail/jpeg.h>

#include "support/tiny_meshes.h"

namespace picture_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::detail;

namespace {

constexpr Rgb blue{0.2, 0.4, 0.9}, orange{0.9, 0.6, 0.2};

struct Counts {
  std::size_t blue = 0, orange = 0, red = 0, light = 0;
};

Counts countsOf(const Image& image) {
  Counts counts;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    const int r = image.rgb[i], g = image.rgb[i + 1], b = image.rgb[i + 2];
    counts.blue += b > r + 40 && b > g;
    counts.orange += r > b + 40 && g > b + 15;
    counts.red += r > g + 90 && r > b + 60;
    counts.light += r > 215 && g > 215 && b > 215;
  }
  return counts;
}

struct Bodies {
  Bodies(const std::vector<std::pair<MeshPtr, Transform>>& list) {
    for (const auto& [mesh, place] : list) {
      const PartId part = assembly.addPart(mesh);
      bodies.push_back({part, place});
    }
    parts.emplace(assembly, 1);
  }
  [[nodiscard]] RayScene scene(std::size_t first, std::size_t count) const {
    return {*parts, std::span(bodies).subspan(first, count), {}};
  }
  Assembly assembly;
  std::vector<RayBody> bodies;
  std::optional<RayParts> parts;
};

RayHit firstHit(const RayScene& scene, const Vec3& origin, const Vec3& direction) {
  return scene.first({origin}, 1, direction, 1e6)[0];
}

const Vec3 up{0, 0, 1};
const PictureOptions small{.width = 120, .height = 90, .colours = {blue, orange}, .reach = 20, .tie = 0};

}  // namespace

TEST_CASE("rays meet placed, mirrored and scaled parts where they are", "[io][picture]") {
  const Bodies bodies(
      {{sixSidedBox(2, 2, 2), Transform::translation({5, 0, 0})},
       {sixSidedBox(2, 2, 2), Transform::translation({0, 5, 0}) * Transform::scaling(-1, 3, 1)}});
  const RayScene scene = bodies.scene(0, 2);
  const RayHit x = firstHit(scene, {}, {1, 0, 0});
  REQUIRE(x.found);
  CHECK(x.body == 0);
  CHECK(x.distance == Approx(4));
  CHECK(x.surface == 0);  // the side towards -x
  CHECK(norm(x.normal - Vec3{-1, 0, 0}) < 1e-6);
  CHECK_FALSE(x.fromBehind);
  const RayHit inside = firstHit(scene, {5, 0, 0}, {1, 0, 0});
  CHECK(inside.fromBehind);
  CHECK(inside.surface == 1);
  const RayHit y = firstHit(scene, {}, {0, 1, 0});
  CHECK(y.body == 1);
  CHECK(y.distance == Approx(2));
  CHECK(norm(y.normal - Vec3{0, -1, 0}) < 1e-6);  // a mirrored part is not inside out
  CHECK_FALSE(y.fromBehind);
  CHECK_FALSE(firstHit(scene, {}, {0, 0, 1}).found);
  CHECK(scene.blocked({}, {1, 0, 0}, 4.1));
  CHECK_FALSE(scene.blocked({}, {1, 0, 0}, 3.9));
}

TEST_CASE("a picture shows both parts in their colours and where they meet", "[io][picture]") {
  const Bodies bodies(
      {{sixSidedBox(6, 1, 1), {}}, {sixSidedBox(1, 6, 1), Transform::translation({0, 0, 0.3})}});
  const RayScene focus = bodies.scene(0, 2), first = bodies.scene(0, 1);
  // Where the lower bar's top edges enter the upper one.
  const FindingView view{{{{-0.5, -0.5, 0.5}, {-0.5, 0.5, 0.5}}, {{0.5, -0.5, 0.5}, {0.5, 0.5, 0.5}}}, 3, 3};
  const Camera camera = cameraFor(view, focus, nullptr, up, 120.0 / 90, 20);
  CHECK_FALSE(camera.cut);
  const Counts with = countsOf(drawPicture(focus, &first, nullptr, view.marking, camera, small));
  CHECK(with.blue > 400);
  CHECK(with.orange > 400);
  CHECK(with.red > 20);
  CHECK(with.light > 400);  // there is background
  CHECK(countsOf(drawPicture(focus, &first, nullptr, {}, camera, small)).red < with.red / 4);
  const auto place = positionIn(camera, 120.0 / 90, camera.centre);
  CHECK(place[0] == Approx(0.5));
  CHECK(place[1] == Approx(0.5));
}

TEST_CASE("what is hidden inside is cut open", "[io][picture]") {
  // A bar's end in the middle of a hollow box: invisible from everywhere.
  const Bodies bodies(
      {{sixSidedBox(4, 4, 4), {}}, {sixSidedBox(1, 1, 1), Transform::translation({1.6, 0, 0})}});
  const RayScene focus = bodies.scene(0, 2), first = bodies.scene(0, 1);
  const FindingView view{
      {{{1.2, -0.5, -0.5}, {1.2, 0.5, -0.5}}, {{1.2, 0.5, -0.5}, {1.2, 0.5, 0.5}}}, 3.4, 0.9};
  const Camera camera = cameraFor(view, focus, nullptr, up, 120.0 / 90, 20);
  REQUIRE(camera.cut);
  const Counts counts = countsOf(drawPicture(focus, &first, nullptr, view.marking, camera, small));
  CHECK(counts.red > 20);
  CHECK(counts.orange > 100);  // the inner part is visible
  Camera whole = camera;
  whole.cut.reset();
  CHECK(countsOf(drawPicture(focus, &first, nullptr, {}, whole, small)).orange <= counts.orange);
}

TEST_CASE("other parts are ghosts that hide nothing", "[io][picture]") {
  const Bodies bodies(
      {{sixSidedBox(2, 2, 2), {}}, {sixSidedBox(30, 0.2, 30), Transform::translation({0, -8, 0})}});
  const RayScene focus = bodies.scene(0, 1), context = bodies.scene(1, 1);
  Camera camera = Camera::looking({0, -1, 0}, up);
  camera.halfHeight = 2;
  const Counts alone = countsOf(drawPicture(focus, nullptr, nullptr, {}, camera, small));
  const Counts behindGlass = countsOf(drawPicture(focus, nullptr, &context, {}, camera, small));
  CHECK(alone.blue > 1500);
  CHECK(behindGlass.blue > alone.blue * 9 / 10);
}

TEST_CASE("faces that lie on each other show the first part, not noise", "[io][picture]") {
  const Bodies bodies(
      {{sixSidedBox(2, 2, 2), {}}, {sixSidedBox(2, 2, 2), Transform::rotation({0, 0, 1}, 1e-9)}});
  Camera camera = Camera::looking({1, -2, 1}, up);
  camera.halfHeight = 2;
  const RayScene focus = bodies.scene(0, 2), first = bodies.scene(0, 1);
  CHECK(countsOf(drawPicture(focus, &first, nullptr, {}, camera, small)).orange == 0);
}

TEST_CASE("cameras stand upright where they can", "[io][picture]") {
  for (const Vec3& back : {Vec3{1, 2, 3}, Vec3{-1, 0, 0}, Vec3{0, 0, 5}, Vec3{0, 0, -1}}) {
    const Camera camera = Camera::looking(back, up);
    CHECK(norm(cross(camera.right, camera.up) - camera.back) < 1e-12);
    CHECK(norm(camera.back - normalized(back)) < 1e-12);
    CHECK(dot(camera.up, up) >= 0);
  }
}

TEST_CASE("pictures are encoded as JPEG", "[io][picture]") {
  Image image{16, 8, std::vector<std::uint8_t>(16 * 8 * 3, 200)};
  const std::string bytes = jpegOf(image);
  CHECK(bytes.starts_with("\xFF\xD8\xFF"));
  CHECK(bytes.ends_with("\xFF\xD9"));
  CHECK(bytes == jpegOf(image));
}

TEST_CASE("a picture can be cancelled at any of its rows, and before parts are ready", "[io][picture]") {
  const Bodies bodies({{sixSidedBox(6, 1, 1), {}}, {sixSidedBox(1, 6, 1), {}}});
  const RayScene focus = bodies.scene(0, 2), first = bodies.scene(0, 1);
  const Camera camera = Camera::looking({1, 1, 1}, up);
  const std::uint64_t rows = 2 * 90 + 2 * 90 + 90;  // rays, colours, pixels
  const auto draw = [&](const Progress& progress) {
    return drawPicture(focus, &first, nullptr, {}, camera, small, WorkMeter(progress, "drawing", rows));
  };
  std::size_t reported = 0;
  const Image whole = draw(Progress({}, [&](std::string_view, double) { ++reported; }));
  CHECK(reported > 100);
  for (std::size_t stopAt = 1; stopAt <= reported; stopAt += 20) {
    std::stop_source stop;
    std::size_t reports = 0;
    const Progress cancelling(stop.get_token(), [&](std::string_view, double) {
      if (++reports == stopAt) stop.request_stop();
    });
    CHECK_THROWS_AS(draw(cancelling), CancelledError);
    CHECK(reports == stopAt);
  }
  CHECK(draw(Progress()).rgb == whole.rgb);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(RayParts(bodies.assembly, 1, Progress(stop.get_token())), CancelledError);
}

}  // namespace picture_tests
