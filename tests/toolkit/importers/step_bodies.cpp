// Tests products of several bodies: the parts of support/write_test_step.cpp.
#include <catch2/catch.hpp>

#include <cstdlib>

#include <fitup/io/project_model.h>
#include <fitup/scene/interference.h>

#include "support/import_checks.h"
#include "support/temporary_folder.h"

namespace step_bodies_tests {

using namespace fitup;
using namespace fitup::test;

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

std::filesystem::path writeStep(const TemporaryFolder& folder, const std::string& mode) {
  const auto file = folder / (mode + ".step");
  const std::string command =
      std::string(FITUP_WRITE_TEST_STEP) + " " + file.string() + " " + mode + " >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  return file;
}

std::vector<std::string> paths(const Assembly& assembly) {
  std::vector<std::string> result;
  for (const NodeId instance : assembly.instances()) result.push_back(assembly.path(instance));
  return result;
}

/// Writes the file of the products with a curve beside the block, in a representation of its own, as writers
/// of solids with reference geometry do.
std::filesystem::path writeWithCurve(const TemporaryFolder& folder) {
  std::string text = readText(writeStep(folder, "MM"));
  constexpr std::string_view type = "ADVANCED_BREP_SHAPE_REPRESENTATION(";
  const std::size_t at = text.find(type);
  REQUIRE(at != text.npos);
  const std::size_t begin = text.rfind('#', at), contextAt = text.find("),#", at) + 2;
  const std::string representation = text.substr(begin, text.find(' ', begin) - begin),
                    context = text.substr(contextAt, text.find(')', contextAt) - contextAt);
  text.insert(text.rfind("ENDSEC;"),
              "#90001=CARTESIAN_POINT('',(0.,0.,0.));\n#90002=CARTESIAN_POINT('',(0.,0.,90.));\n"
              "#90003=POLYLINE('',(#90001,#90002));\n#90004=GEOMETRIC_CURVE_SET('',(#90003));\n"
              "#90005=GEOMETRICALLY_BOUNDED_WIREFRAME_SHAPE_REPRESENTATION('',(#90004)," +
                  context + ");\n#90006=SHAPE_REPRESENTATION_RELATIONSHIP('',''," + representation +
                  ",#90005);\n");
  writeText(folder / "curve.step", text);
  return folder / "curve.step";
}

}  // namespace

TEST_CASE("each solid of a product is a part, and so are faces outside of solids that hang together",
          "[importers]") {
  const TemporaryFolder folder;
  const Model model = import(writeStep(folder, "BODIES"));
  CHECK(paths(model.assembly) ==
        std::vector<std::string>{"machine/frame:1/base", "machine/frame:1/solid", "machine/frame:1/sheet",
                                 "machine/frame:2/base", "machine/frame:2/solid", "machine/frame:2/sheet",
                                 "machine/film:1/sheet#1", "machine/film:1/sheet#2"});
  CHECK(model.assembly.partCount() == 5);
  CHECK(model.assembly.partOf(model.assembly.at("machine/frame:1/base")) ==
        model.assembly.partOf(model.assembly.at("machine/frame:2/base")));
  CHECK(model.assembly.worldBounds(model.assembly.at("machine/frame:2/solid")).min.x == Approx(105));
  CHECK(countsOf(model).faces == 2 * (6 + 6 + 1) + 2);
  for (const char* const solid : {"machine/frame:1/base", "machine/frame:1/solid"})
    CHECK(signedVolume(model.assembly.meshOf(model.assembly.at(solid))) == Approx(1000));
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0].element == "film");
  CHECK_FALSE(isIncomplete(model));
}

TEST_CASE("solids of one product that overlap are found, and merged ones are said", "[importers]") {
  const TemporaryFolder folder;
  const auto file = writeStep(folder, "BODIES");
  const auto pairsOf = [](const Model& model) {
    std::vector<std::string> pairs;
    for (const PairInterference& pair : checkAllPairs(sceneOf(model)).pairs)
      pairs.push_back(model.assembly.path(pair.a) + " " + model.assembly.path(pair.b));
    return pairs;
  };
  CHECK(pairsOf(import(file)) == std::vector<std::string>{"machine/frame:1/base machine/frame:1/solid",
                                                          "machine/frame:2/base machine/frame:2/solid"});
  ReadOptions merged;
  merged.mergeSolids = true;
  const Model model = import(file, merged);
  CHECK(paths(model.assembly) ==
        std::vector<std::string>{"machine/frame:1", "machine/frame:2", "machine/film:1"});
  CHECK(pairsOf(model).empty());
  REQUIRE_FALSE(model.warnings.empty());
  CHECK(model.warnings[0].message.find("2 solids form one part") != std::string::npos);
}

TEST_CASE("curves beside a solid make no part of their own", "[importers]") {
  const TemporaryFolder folder;
  const Model plain = import(writeStep(folder, "MM")), model = import(writeWithCurve(folder));
  CHECK(paths(model.assembly) == paths(plain.assembly));
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0] ==
        ImportWarning{"file",
                      "curves and points of 1 product are left out, the first: block; only faces are checked",
                      false});
  CHECK(countsOf(model).triangles == countsOf(plain).triangles);
  for (const NodeId instance : model.assembly.instances())
    CHECK(model.assembly.worldBounds(instance).min == plain.assembly.worldBounds(instance).min);
}

TEST_CASE("projects of the time when such products were one part still find them", "[importers][project]") {
  const TemporaryFolder folder;
  const Model bodies = import(writeStep(folder, "BODIES")), curve = import(writeWithCurve(folder));
  const RigidMotion motion{{}, {1, 2, 3}};
  const std::vector<MovedInstance> old{{"machine/frame:2", motion}};
  const MovesFound found = findMoves(old, bodies.assembly);
  CHECK(found.lacking.empty());
  CHECK(found.motions.size() == 3);
  CHECK(found.motions.contains(bodies.assembly.at("machine/frame:2/base")));

  const NodeId left = curve.assembly.at("plate-and-pins/left");
  CHECK(instancesAt(curve.assembly, "plate-and-pins/left/SOLID") == std::vector{left});
  CHECK(instancesAt(curve.assembly, "plate-and-pins/left") == std::vector{left});
  CHECK(instancesAt(curve.assembly, "plate-and-pins/left/COMPOUND").empty());
  CHECK(instancesAt(curve.assembly, "plate-and-pins/none/SOLID").empty());
}
#endif

}  // namespace step_bodies_tests
