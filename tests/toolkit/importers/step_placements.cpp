#include <catch2/catch.hpp>

#include <cstdlib>

#include <fitup/base/error.h>

#include "support/assembly_text.h"
#include "support/import_checks.h"
#include "support/temporary_folder.h"

namespace step_placements_tests {

using namespace fitup;
using namespace fitup::test;

// Tests placements by operators that mirror and scale: the assembly of support/write_test_step.cpp with the
// text of one placement replaced.
#if defined(FITUP_WRITE_TEST_STEP)
namespace {

constexpr double wedgeVolume = 0.5 * (10 + 4) * 20 * 30;
const char* const wedge = "plate-and-pins/wedge:1";

/// Entities that the operators below refer to.
constexpr std::string_view directions =
    "#90001=DIRECTION('',(1.,0.,0.));\n#90002=DIRECTION('',(0.,1.,0.));\n#90003=DIRECTION('',(0.,0.,1.));\n"
    "#90004=DIRECTION('',(-2.,0.,0.));\n#90005=DIRECTION('',(0.,-1.,0.));\n"
    "#90006=CARTESIAN_POINT('',(100.,200.,300.));\n";

std::string operatorText(const std::string& attributes) {
  return "CARTESIAN_TRANSFORMATION_OPERATOR_3D('','',''," + attributes + ");\n" + std::string(directions);
}

std::string writtenStep(const TemporaryFolder& folder, const std::string& unit = "MM") {
  const auto file = folder / "parts.step";
  const std::string command =
      std::string(FITUP_WRITE_TEST_STEP) + " " + file.string() + " " + unit + " >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  return readText(file);
}

/// Returns the file with the placement of "wedge:1", the fourth, replaced.
Model withWedgePlaced(const std::string& attributes, const std::string& unit = "MM") {
  const TemporaryFolder folder;
  std::string text = writtenStep(folder, unit);
  constexpr std::string_view type = "ITEM_DEFINED_TRANSFORMATION(";
  std::size_t at = text.find(type);
  for (int i = 1; i < 4; ++i) at = text.find(type, at + 1);
  REQUIRE(at != text.npos);
  text.replace(at, text.find(';', at) + 1 - at, operatorText(attributes));
  writeText(folder / "placed.step", text);
  return import(folder / "placed.step");
}

void checkNear(const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i) CHECK(a[i] == Approx(b[i]).margin(1e-6));
}

const TriangleMesh& meshOf(const Model& model, const char* path) {
  return model.assembly.meshOf(model.assembly.at(path));
}

}  // namespace

TEST_CASE("an occurrence that a STEP file mirrors is mirrored, its part is not", "[importers]") {
  const Model model = withWedgePlaced("#90004,#90002,#90006,1.,#90003");
  CHECK_FALSE(isIncomplete(model));
  const Transform placement = model.assembly.worldFromNode(model.assembly.at(wedge));
  CHECK(placement.kind() == TransformKind::mirrored);
  checkNear(placement.apply({1, 2, 3}), {99, 202, 303});
  CHECK(signedVolume(meshOf(model, wedge)) ==
        Approx(wedgeVolume));  // in its own frame, with outsides facing out
  // The others stay in place.
  checkNear(model.assembly.worldFromNode(model.assembly.at("plate-and-pins/left")).apply({1, 2, 3}),
            {101, 2, 3});
}

TEST_CASE("axes of a STEP operator may be left out or slant", "[importers]") {
  // Only the second axis decides, for the other side. The first is made perpendicular to the third.
  const Model left = withWedgePlaced("$,#90005,#90006,$,$");
  checkNear(left.assembly.worldFromNode(left.assembly.at(wedge)).apply({1, 2, 3}), {101, 198, 303});
  const Model model = withWedgePlaced("$,$,#90006,$,$");
  CHECK(model.assembly.worldFromNode(model.assembly.at(wedge)).kind() == TransformKind::rigid);
  checkNear(model.assembly.worldFromNode(model.assembly.at(wedge)).apply({1, 2, 3}), {101, 202, 303});
}

TEST_CASE("an occurrence that a STEP file scales is scaled, in inches too", "[importers]") {
  const Model model = withWedgePlaced("#90001,#90002,#90006,2.,#90003");
  CHECK_FALSE(isIncomplete(model));
  checkNear(model.assembly.worldFromNode(model.assembly.at(wedge)).apply({1, 2, 3}), {102, 204, 306});
  const Model both = withWedgePlaced("#90004,#90002,#90006,0.5,#90003", "INCH");
  const Transform placement = both.assembly.worldFromNode(both.assembly.at(wedge));
  CHECK(placement.determinant() == Approx(-0.125));
  checkNear(placement.apply({1, 2, 3}), {100 * 25.4 - 0.5, 200 * 25.4 + 1, 300 * 25.4 + 1.5});
  CHECK(signedVolume(meshOf(both, wedge)) == Approx(wedgeVolume));
}

TEST_CASE("an operator from the assembly to the part is turned round", "[importers]") {
  const TemporaryFolder folder;
  std::string text = writtenStep(folder);
  constexpr std::string_view type = "ITEM_DEFINED_TRANSFORMATION(";
  std::size_t at = text.find(type);
  for (int i = 1; i < 4; ++i) at = text.find(type, at + 1);
  text.replace(at, text.find(';', at) + 1 - at, operatorText("#90004,#90002,#90006,2.,#90003"));
  // Its relation names the part's representation first.
  const std::size_t relation = text.rfind("REPRESENTATION_RELATIONSHIP('','',", at);
  const std::size_t first = text.find('#', relation), comma = text.find(',', first),
                    end = text.find(')', comma);
  const std::string part = text.substr(first, comma - first), whole = text.substr(comma + 1, end - comma - 1);
  text.replace(first, end - first, whole + "," + part);
  writeText(folder / "placed.step", text);
  const Model model = import(folder / "placed.step");
  checkNear(model.assembly.worldFromNode(model.assembly.at(wedge)).inverse().apply({1, 2, 3}),
            {98, 204, 306});
}

TEST_CASE("an operator of a STEP file that cannot be followed is said", "[importers]") {
  const TemporaryFolder folder;
  std::string text = writtenStep(folder);
  // The block's representation once more, mirrored, within that of the assembly.
  const AssemblyText assembly(text);
  text.insert(assembly.firstItem, "#90010,");
  text.insert(text.find(";\n", assembly.firstItem) + 2,
              "#90008=" + operatorText("#90004,#90002,#90006,1.,#90003") + "#90009=REPRESENTATION_MAP(" +
                  assembly.origin + "," + assembly.block + ");\n#90010=MAPPED_ITEM('',#90009,#90008);\n");
  writeText(folder / "mapped.step", text);
  const Model model = import(folder / "mapped.step");
  REQUIRE(isIncomplete(model));
  CHECK_THAT(model.warnings[0].element + ": " + model.warnings[0].message,
             Catch::Contains("entity #90008: mirrors what it places"));
  for (const char* scale : {"0.", "-1."}) {
    const Model strange = withWedgePlaced(std::string("#90001,#90002,#90006,") + scale + ",#90003");
    CHECK(isIncomplete(strange));
  }
}
#endif

}  // namespace step_placements_tests
