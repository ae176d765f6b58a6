#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>

#include <fitup/base/error.h>
#include <fitup/geometry/distance_point_triangle.h>

#include "support/import_checks.h"
#include "support/temporary_folder.h"

namespace step_generated_tests {

using namespace fitup;
using namespace fitup::test;

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

std::filesystem::path writeStep(const TemporaryFolder& folder, const std::string& unit) {
  const auto file = folder / (unit + ".step");
  const std::string command =
      std::string(FITUP_WRITE_TEST_STEP) + " " + file.string() + " " + unit + " >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  return file;
}

const TriangleMesh& partOf(const Model& model, const char* path) {
  return model.assembly.part(model.assembly.node(model.assembly.at(path)).part.value());
}

}  // namespace

TEST_CASE("tree, names, placements and colours of a STEP file arrive", "[importers]") {
  const TemporaryFolder folder;
  const Model model = import(writeStep(folder, "MM"));
  const Assembly& assembly = model.assembly;
  REQUIRE(assembly.instances().size() == 7);  // the balls' two solids, too
  CHECK(assembly.partCount() == 6);
  CHECK_FALSE(isIncomplete(model));

  const NodeId left = assembly.at("plate-and-pins/left"), right = assembly.at("plate-and-pins/right");
  CHECK(assembly.node(left).part == assembly.node(right).part);
  CHECK(assembly.worldFromNode(left).apply({1, 2, 3}) == Vec3{101, 2, 3});
  const Vec3 turned = assembly.worldFromNode(right).apply({1, 2, 3});
  CHECK(turned.x == Approx(-2));
  CHECK(turned.y == Approx(1));
  CHECK(assembly.node(right).colour == Colour{0, 0, 1, 1});
  CHECK_FALSE(assembly.node(left).colour);

  const TriangleMesh& block = partOf(model, "plate-and-pins/left");
  CHECK(block.name() == "block");
  REQUIRE(block.surfaces().size() == 6);
  CHECK(block.triangleCount() == 12);
  for (const Surface& surface : block.surfaces()) {
    REQUIRE(surface.colour);
    CHECK(surface.colour->red == Approx(1));
    CHECK(surface.colour->green == Approx(0).margin(1e-6));
    REQUIRE(surface.description);
    CHECK(surface.description->kind == SurfaceKind::plane);
    // The axis of a plane points out of the material.
    CHECK(dot(surface.description->axis, surface.fingerprint.centroid - Vec3{5, 10, 15}) > 1);
  }
}

TEST_CASE("faces of a STEP file are described in the part's frame", "[importers]") {
  const TemporaryFolder folder;
  const Model model = import(writeStep(folder, "MM"));
  const TriangleMesh& pin = partOf(model, "plate-and-pins/pin:1");
  REQUIRE(pin.surfaces().size() == 3);
  int mantles = 0, green = 0;
  for (const Surface& surface : pin.surfaces()) {
    REQUIRE(surface.description);
    if (surface.colour) {
      ++green;
      CHECK(surface.colour->green == Approx(0.5).margin(0.01));
      CHECK(surface.fingerprint.centroid.z == Approx(40));
    }
    if (surface.description->kind != SurfaceKind::cylinder) continue;
    ++mantles;
    CHECK(text(*surface.description) == "cylinder d 12");
    CHECK(std::abs(surface.description->axis.z) == Approx(1));
    CHECK(surface.fingerprint.area == Approx(3.14159265 * 12 * 40).epsilon(0.05));
  }
  CHECK(mantles == 1);
  CHECK(green == 1);
}

TEST_CASE("triangles of spheres are no farther off than their part says", "[importers]") {
  const TemporaryFolder folder;
  const auto file = writeStep(folder, "MM");
  for (const double linear : {0.5, 0.1, 0.01}) {
    ReadOptions options;
    options.linearDeflection = linear;
    options.relativeDeflection = 0;
    const Model model = import(file, options);
    const TriangleMesh& balls = partOf(model, "plate-and-pins/balls:1/solid#1");
    REQUIRE(balls.deflection());
    double error = 0;
    for (std::uint32_t i = 0; i < balls.triangleCount(); ++i) {
      const auto& ball = balls.surfaces()[index(balls.surfaceOf(TriangleId(i)))].description;
      REQUIRE(ball);
      REQUIRE(ball->kind == SurfaceKind::sphere);
      Triangle t = balls.triangle(TriangleId(i));
      for (Vec3& v : t.v) v = v + balls.origin();
      error = std::max(error, ball->radius - distancePointTriangle(ball->point, t).distance);
    }
    CHECK(error > 0.1 * linear);
    CHECK(balls.deflection()->linear >= linear);
    CHECK(balls.deflection()->linear >= error - 1e-4);
  }
}

TEST_CASE("a part and its mirror image both have their outsides outside", "[importers]") {
  const TemporaryFolder folder;
  const Model model = import(writeStep(folder, "MM"));
  const double volume = 0.5 * (10 + 4) * 20 * 30;
  CHECK(signedVolume(partOf(model, "plate-and-pins/wedge:1")) == Approx(volume));
  CHECK(signedVolume(partOf(model, "plate-and-pins/wedge:2")) == Approx(volume));
  const Transform worldFromPart = model.assembly.worldFromNode(model.assembly.at("plate-and-pins/wedge:2"));
  const Box box = placedBox(worldFromPart, partOf(model, "plate-and-pins/wedge:2").boundsInPart());
  CHECK(box.min.x == Approx(-10));
  CHECK(box.max.x == Approx(0).margin(1e-6));
}

TEST_CASE("chord errors of small parts are a share of their extent", "[importers]") {
  const TemporaryFolder folder;
  const auto file = writeStep(folder, "MM");
  ReadOptions options;
  options.linearDeflection = 10;
  for (const double share : {0.0, 0.01, 0.001}) {
    options.relativeDeflection = share;
    const Model model = import(file, options);
    const TriangleMesh& pin = partOf(model, "plate-and-pins/pin:1");  // 12 x 12 x 40
    REQUIRE(pin.deflection());
    CHECK(pin.deflection()->linear ==
          Approx(share > 0 ? share * std::sqrt(12 * 12 + 12 * 12 + 40 * 40) : 10).epsilon(0.01));
  }
}

TEST_CASE("units of a STEP file are converted to millimetres", "[importers]") {
  const TemporaryFolder folder;
  const auto inches = writeStep(folder, "INCH"), millimetres = writeStep(folder, "MM");
  const Box a = import(inches).assembly.worldBounds(NodeId(1)),
            b = import(millimetres).assembly.worldBounds(NodeId(1));
  for (int i = 0; i < 3; ++i) {
    CHECK(a.min[i] == Approx(b.min[i]).margin(1e-5));
    CHECK(a.max[i] == Approx(b.max[i]).margin(1e-5));
  }
}

TEST_CASE("a STEP file cut off anywhere is refused", "[importers]") {
  const TemporaryFolder folder;
  const std::string text = readText(writeStep(folder, "MM"));
  for (int part = 0; part < 5; ++part) {
    writeText(folder / "cut.step",
              std::string_view(text).substr(0, text.size() * static_cast<std::size_t>(part) / 5));
    CHECK_THAT(messageOf<ImportError>([&] { (void)import(folder / "cut.step"); }),
               Catch::Contains("refused: "));
  }
}
#endif

}  // namespace step_generated_tests
