// What the console and JSON say about lengths of CAD parts: bounds, and no digits beyond them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fitup/base/text.h>
#include <fitup/io/model_file.h>

#include "support/analytic_solids.h"
#include "support/command_line.h"
#include "support/revolved_part.h"
#include "support/tiny_meshes.h"

namespace bounds_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Two pins of radius 1 about z, 0.3 apart along x, with the chord errors of 24 segments (0.0086):
/// "pins.fitup".
void writePins(const CommandLine& fitup) {
  constexpr std::uint32_t segments = 24;
  Model model;
  model.assembly = Assembly("pins");
  const PartId pin = model.assembly.addPart(withDeflection(cylinder(1, 3, segments), sagitta(1, segments)));
  const NodeId root = model.assembly.addNode("pins", {});
  model.assembly.addNode("left", {}, root, pin);
  model.assembly.addNode("right", Transform::translation({2.3, 0, 0}) * Transform::rotation({0, 0, 1}, 0.13),
                         root, pin);
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  writeModelFile(fitup.file("pins.fitup"), model);
}

std::string clearanceRule(const std::string& distance) {
  return R"({"a": "pins/left", "b": "pins/right", "action": "clearance", "distance": )" + distance + "}";
}

}  // namespace

TEST_CASE("a clearance that chord errors leave open is undecided", "[cli][check][bounds]") {
  const CommandLine fitup;
  writePins(fitup);
  const auto check = [&](const std::string& clearance, const std::string& how) {
    std::vector<std::string> arguments{"check", "pins.fitup", "--verify", "--rule", clearanceRule(clearance)};
    arguments.push_back(how);
    if (how == "--tolerance") arguments.push_back("0.01");
    return fitup(arguments);
  };
  const ProgramResult open = check("0.3", "--tolerance");
  INFO(open.text());
  CHECK(open.exitCode == 3);
  CHECK(contains(open.out, "1 undecided"));
  CHECK(contains(open.out, "which leaves open whether the clearance of the rule, 0.3, is kept"));
  CHECK(contains(open.out, "apart"));
  CHECK_FALSE(contains(open.out, "nearer than rules allow"));
  CHECK(check("0.25", "--tolerance").exitCode == 0);
  const ProgramResult violated = check("0.4", "--tolerance");
  INFO(violated.text());
  CHECK(violated.exitCode == 1);
  CHECK(contains(violated.out, " (+/- 0.018) of 0.4 mm  pins/left  x  pins/right\n"));
  // The triangles have an answer, with the bound beside it.
  const ProgramResult triangles = check("0.4", "--verdict");
  CHECK(triangles.exitCode == 1);
  CHECK(contains(triangles.out, " (+/- 0.018) of 0.4 mm  pins/left  x  pins/right\n"));
  CHECK(check("0.25", "--verdict").exitCode == 0);
}

TEST_CASE("distances of CAD parts have digits down to their bound", "[cli][distance][bounds]") {
  const CommandLine fitup;
  writePins(fitup);
  const ProgramResult result = fitup({"distance", "pins.fitup", "pins/left", "pins/right"});
  INFO(result.text());
  CHECK(result.out.starts_with("minimum distance 0.30"));
  CHECK(contains(result.out, " mm (+/- 0.018)\n"));
  const auto json =
      nlohmann::json::parse(fitup({"distance", "pins.fitup", "pins/left", "pins/right", "--json"}).out);
  const auto& pair = json.at("pairs").at(0);
  CHECK(std::abs(pair.at("distance").get<double>() - 0.3) <=
        pair.at("chordError").get<double>() + pair.at("rounding").get<double>());
  CHECK(pair.at("rounding").get<double>() < 1e-5);
}

TEST_CASE("the first contact of exact shapes is printed with its bounds", "[cli][first-contact][bounds]") {
  const CommandLine fitup;
  writePins(fitup);
  const auto slide = [&](const std::string& way) {
    writeText(fitup.file("slide.csv"),
              "step,path,tx,ty,tz,qx,qy,qz,qw\n0,pins/left,0,0,0,0,0,0,1\n1,pins/left," + way + ",0,0,0,1\n");
  };
  slide("1,0,0");
  const ProgramResult hit = fitup({"first-contact", "pins.fitup", "slide.csv"});
  INFO(hit.text());
  CHECK(hit.exitCode == 1);
  CHECK(contains(hit.out, "\nthe exact shapes are first in contact between step 0.2"));
  const auto json = nlohmann::json::parse(fitup({"first-contact", "pins.fitup", "slide.csv", "--json"}).out);
  CHECK(json.at("exactClearUntil").get<double>() <= 0.3);
  CHECK(json.at("exactClearUntil").get<double>() > 0.27);
  CHECK(json.at("contact").at("exactLatest").get<double>() >= 0.3);
  CHECK(json.at("contact").at("exactLatest").get<double>() < 0.4);
  CHECK(json.at("contact").contains("chordError"));
  // Up to what the chord errors leave open.
  slide("0.295,0,0");
  const ProgramResult near = fitup({"first-contact", "pins.fitup", "slide.csv"});
  INFO(near.text());
  CHECK(near.exitCode == 0);
  CHECK(contains(near.out, "\nby their chord errors, exact shapes may be in contact from step 0.98"));
  slide("0,1,0");
  const ProgramResult clear = fitup({"first-contact", "pins.fitup", "slide.csv"});
  CHECK(clear.exitCode == 0);
  CHECK_FALSE(contains(clear.out, "exact shapes"));
}

TEST_CASE("distances and contacts of exact shapes are printed as accurately as asked for",
          "[cli][distance][first-contact][bounds]") {
  const CommandLine fitup;
  RevolvedScene parts;
  parts.add("ball", ball(10), 0.3, Transform::translation({1, 2, 15}) * Transform::rotation({1, 0, 0}, 1));
  parts.add("plate", shaft(30, -20, 0), 0.3);
  Model model;
  model.assembly = parts.assembly;
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  writeModelFile(fitup.file("drop.fitup"), model);
  const ProgramResult coarse = fitup({"distance", "drop.fitup", "ball", "plate"});
  CHECK_FALSE(coarse.out.starts_with("minimum distance 5 mm"));
  const ProgramResult fine = fitup({"distance", "drop.fitup", "ball", "plate", "--accuracy", "0.0005"});
  INFO(fine.text());
  CHECK(fine.out.starts_with("minimum distance 5"));
  CHECK(contains(fine.out, " mm (+/- 0.000"));
  const auto distance = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"distance", "drop.fitup", "ball", "plate", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return nlohmann::json::parse(fitup(arguments).out).at("pairs").at(0).at("distance").get<double>();
  };
  CHECK(std::abs(distance({"--accuracy", "0.0005"}) - 5) < 0.0006);
  const double ofTriangles = distance({});
  REQUIRE(ofTriangles > 5.05);
  CHECK(contains(fine.out, "(+/- 0.000"));
  writeText(fitup.file("drop.csv"),
            "step,path,tx,ty,tz,qx,qy,qz,qw\n0,ball,0,0,0,0,0,0,1\n1,ball,0,0,-10,0,0,0,1\n");
  const auto json = nlohmann::json::parse(
      fitup({"first-contact", "drop.fitup", "drop.csv", "--accuracy", "0.0005", "--json"}).out);
  CHECK(std::abs(json.at("contact").at("time").get<double>() - 0.5) < 0.0005);
  // What chord errors leave open is neither found nor excluded.
  const auto exitCode = [&](double up, std::vector<std::string> more) {
    std::vector<std::string> arguments{"distance",   "drop.fitup", "ball",
                                       "plate",      "--move",     "ball=0,0," + numberText(up - 5),
                                       "--accuracy", "0.01"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return fitup(arguments).exitCode;
  };
  CHECK(exitCode(0.5, {}) == 0);
  CHECK(exitCode(0.001, {}) == 3);
  CHECK(exitCode(-0.001, {}) == 3);
  CHECK(exitCode(0.5, {"--within", "0.6"}) == 1);
  CHECK(exitCode(0.5, {"--within", "0.4"}) == 0);
  CHECK(exitCode(0.5, {"--within", "0.5"}) == 3);
  // Without refinement, the tessellation cannot resolve the tolerance, which is said.
  const std::vector<std::string> near{
      "check", "drop.fitup", "--move", "ball=0,0," + numberText(0.02 - ofTriangles), "--tolerance", "0.01"};
  CHECK(fitup(near).exitCode == 1);
  std::vector<std::string> unrefined = near;
  unrefined.push_back("--no-refine");
  CHECK(fitup(unrefined).exitCode == 3);
  CHECK(contains(fitup(unrefined).err, "warning: the tolerance is below twice the chord errors of 2 parts"));
  // Every step of a replay is judged on the exact shapes, if that is asked for. At the last one, the
  // triangles are still apart.
  writeText(fitup.file("near.csv"), "step,path,tx,ty,tz,qx,qy,qz,qw\n0,ball,0,0,0,0,0,0,1\n1,ball,0,0," +
                                        numberText(0.02 - ofTriangles) + ",0,0,0,1\n");
  CHECK(fitup({"replay", "drop.fitup", "near.csv", "--tolerance", "0.01"}).exitCode == 0);
  CHECK(fitup({"replay", "drop.fitup", "near.csv", "--tolerance", "0.01", "--refine"}).exitCode == 1);
}

TEST_CASE("surfaces of meshes that are recognised are judged below their chord errors",
          "[cli][check][bounds]") {
  const CommandLine fitup;
  const auto write = [&](const char* name, const RevolvedPart& part) {
    const TriangleMesh mesh = part.mesh(0.2);
    std::string text = "solid part\n";
    for (const TriangleIndices& t : mesh.triangles()) {
      text += "facet normal 0 0 0\nouter loop\n";
      for (const std::uint32_t i : t) {
        const Vec3 p = mesh.pointInPart(i);
        text += "vertex " + numberText(p.x) + ' ' + numberText(p.y) + ' ' + numberText(p.z) + '\n';
      }
      text += "endloop\nendfacet\n";
    }
    writeText(fitup.file(name), text + "endsolid part\n");
  };
  write("pin.stl", shaft(10, -5, 35));
  write("bore.stl", bushing(10.05, 20, 0, 30));
  const std::vector<std::string> check{"check", "pin.stl", "bore.stl", "--tolerance", "0.02"};
  // The facets of the pin are inside of it, those of the bore reach into it.
  const ProgramResult facets = fitup(check);
  INFO(facets.text());
  CHECK(contains(facets.out, "1 contact") + contains(facets.out, "1 clash") == 1);
  std::vector<std::string> recognising = check;
  recognising.insert(recognising.end(), {"--clear", "--recognise-within", "0.0005", "--segment", "35"});
  const ProgramResult shapes = fitup(recognising);
  INFO(shapes.text());
  CHECK(contains(shapes.out, "clear    pin/part  x  bore/part: 0.0"));
  CHECK(shapes.exitCode == 0);
  CHECK(contains(shapes.err, "are planes, cylinders, cones or spheres within 0.0005 mm"));
}

}  // namespace bounds_tests
