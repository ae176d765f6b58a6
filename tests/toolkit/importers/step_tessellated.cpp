// Tests tessellated shapes of STEP AP242, and the warnings about those that are not read.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/mesh/watertightness.h>

#include "support/command_line.h"
#include "support/import_checks.h"

#include "support/temporary_folder.h"
#include "support/tessellated_step_file.h"
#include "support/test_data.h"

namespace step_tessellated_tests {

using namespace fitup;
using namespace fitup::test;

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

using File = TessellatedStepFile;

Model importText(const std::string& text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  writeText(folder / "t.step", text);
  return import(folder / "t.step", options);
}
Model importFile(const File& file) { return importText(file.text()); }

/// Returns the error of a file, or the warnings that make the answer incomplete.
std::string missingOf(const std::string& text) {
  try {
    std::string all;
    for (const ImportWarning& warning : importText(text).warnings)
      if (warning.incomplete) all += warning.element + " " + warning.message + "\n";
    return all;
  } catch (const ImportError& error) {
    return error.what();
  }
}

std::string saidOf(const Model& model) {
  std::string all;
  for (const ImportWarning& warning : model.warnings)
    all += (warning.incomplete ? "missing: " : "warning: ") + warning.element + ": " + warning.message + "\n";
  return all;
}

std::vector<std::string> paths(const Model& model) {
  std::vector<std::string> result;
  for (const NodeId instance : model.assembly.instances()) result.push_back(model.assembly.path(instance));
  return result;
}

Watertightness closednessOf(const TriangleMesh& mesh) { return Watertightness(mesh, MeshTopology(mesh)); }

/// Returns one product with these items, beside a placement.
File single(const std::string& items, std::string_view unit = File::millimetre) {
  File file(unit);
  file.product(100, "part", "#14," + items);
  return file;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a tessellated solid is a closed part with a surface for each face", "[importers]") {
  File file = single("#201");
  file.boxCorners(200, 4, 3, 2);
  file.box(201, 200);
  const Model model = importFile(file);
  INFO(saidOf(model));
  REQUIRE(paths(model) == std::vector<std::string>{"part"});
  const TriangleMesh& mesh = model.assembly.part(PartId{0});
  CHECK(mesh.name() == "part");
  CHECK(mesh.points().size() == 8);
  REQUIRE(mesh.surfaces().size() == 6);
  CHECK(mesh.surfaces()[3].name == "side 3");
  CHECK(closednessOf(mesh).closed());
  CHECK(signedVolume(mesh) == Approx(24));
  CHECK_FALSE(mesh.deflection());
  CHECK_FALSE(isIncomplete(model));
  CHECK_THAT(saidOf(model), Catch::Contains("warning: file: has 1 part stored as triangles"));
}

TEST_CASE("faces with lists of coordinates of their own share the points", "[importers]") {
  File file = single("#201");
  file.boxCorners(200, 4, 3, 2);
  file.boxCorners(300, 4, 3, 2);
  file.box(201, 200);
  const Model model =
      importText(replaced(file.text(), "TRIANGULATED_FACE('side 2',#200", "TRIANGULATED_FACE('side 2',#300"));
  CHECK(model.assembly.part(PartId{0}).points().size() == 8);
  CHECK(closednessOf(model.assembly.part(PartId{0})).closed());
}

TEST_CASE("coordinates of tessellated shapes are in the unit of their context", "[importers]") {
  const auto volumeIn = [](std::string_view unit) {
    File file = single("#201", unit);
    file.boxCorners(200, 4, 3, 2);
    file.box(201, 200);
    return signedVolume(importFile(file).assembly.part(PartId{0}));
  };
  CHECK(volumeIn(File::metre) == Approx(24e9));
  CHECK(volumeIn(File::inch) == Approx(24 * 25.4 * 25.4 * 25.4));
  File none = single("#201", "(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())");
  none.boxCorners(200, 4, 3, 2);
  none.box(201, 200);
  CHECK_THAT(missingOf(none.text()), Catch::Contains("#105") && Catch::Contains("no known unit of length"));
  // A unit that is defined by itself.
  File cyclic = single("#201", "(CONVERSION_BASED_UNIT('X',#50)LENGTH_UNIT()NAMED_UNIT(#9))");
  cyclic.add("#50=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(2.),#10)");
  cyclic.boxCorners(200, 4, 3, 2);
  cyclic.box(201, 200);
  CHECK_THAT(missingOf(cyclic.text()),
             Catch::Contains("#105") && Catch::Contains("defined in terms of itself"));
}

TEST_CASE("strips and fans close a pyramid, in both senses", "[importers]") {
  const auto pyramid = [](const std::string& strip, const std::string& fan) {
    File file = single("#210");
    file.add("#200=COORDINATES_LIST('',5,((0.,0.,0.),(1.,0.,0.),(0.,1.,0.),(1.,1.,0.),(0.5,0.5,3.)))");
    file.add("#201=COMPLEX_TRIANGULATED_FACE('base',#200,5,(),$,(),(" + strip + "),())");
    file.add("#202=COMPLEX_TRIANGULATED_FACE('sides',#200,5,(),$,(),(),(" + fan + "))");
    file.add("#210=TESSELLATED_SHELL('',(#201,#202),$)");
    return importFile(file);
  };
  // Seen from below, the base turns counter-clockwise.
  const Model outward = pyramid("(1,3,2,4)", "(5,1,2,4,3,1)"), inward = pyramid("(1,2,3,4)", "(5,1,3,4,2,1)");
  for (const Model* model : {&outward, &inward}) {
    const TriangleMesh& mesh = model->assembly.part(PartId{0});
    CHECK(mesh.triangleCount() == 6);
    const Watertightness watertightness = closednessOf(mesh);
    CHECK(watertightness.closed());
    REQUIRE(watertightness.components().size() == 1);
    CHECK(watertightness.components()[0].reversedTriangles == 0);
  }
  CHECK(signedVolume(outward.assembly.part(PartId{0})) == Approx(1));
  CHECK(signedVolume(inward.assembly.part(PartId{0})) == Approx(-1));
  // A longer strip of two stretches, connected by a corner that occurs twice.
  const Model stitched = pyramid("(3,4,1,1,1,4,2)", "(5,1,2,4,3,1)");
  CHECK(stitched.assembly.part(PartId{0}).triangleCount() == 6);
  CHECK(signedVolume(stitched.assembly.part(PartId{0})) == Approx(1));
}

TEST_CASE("indices lead through pnindex where it is given", "[importers]") {
  File file = single("#201,#202");
  file.add("#200=COORDINATES_LIST('',4,((9.,9.,9.),(0.,0.,0.),(2.,0.,0.),(0.,2.,0.)))");
  file.add("#201=TRIANGULATED_SURFACE_SET('direct',#200,4,(),(),((2,3,4)))");
  file.add("#202=TRIANGULATED_FACE('through',#200,3,(),$,(4,3,2),((1,2,3)))");
  const Model model = importFile(file);
  INFO(saidOf(model));
  const TriangleMesh& mesh = model.assembly.part(PartId{0});
  REQUIRE(mesh.surfaces().size() == 2);
  const auto corners = [&](int i) {
    const Triangle t = mesh.triangle(TriangleId(static_cast<std::uint32_t>(i)));
    std::vector<std::pair<double, double>> list;
    for (const Vec3& p : t.v) list.emplace_back((mesh.origin() + p).x, (mesh.origin() + p).y);
    return list;
  };
  using Corners = std::vector<std::pair<double, double>>;
  CHECK(corners(0) == Corners{{0, 0}, {2, 0}, {0, 2}});
  CHECK(corners(1) == Corners{{0, 2}, {2, 0}, {0, 0}});
}

TEST_CASE("sets, entities of several types, placements and colours of tessellated items", "[importers]") {
  File file = sampleTessellatedStep();
  file.add(
      "#310=(GEOMETRIC_REPRESENTATION_ITEM()REPRESENTATION_ITEM('roof')TESSELLATED_FACE(#300,5,(),$)"
      "TESSELLATED_ITEM()TESSELLATED_STRUCTURED_ITEM()TRIANGULATED_FACE((),((1,2,5))))");
  const std::string text =
      replaced(file.text(), "TESSELLATED_SHELL('shell',(#303)", "TESSELLATED_SHELL('shell',(#303,#310)");
  const Model model = importText(text);
  INFO(saidOf(model));
  CHECK_FALSE(isIncomplete(model));
  CHECK(paths(model) == std::vector<std::string>{"top/left", "top/right", "top/shapes"});
  CHECK(model.assembly.partCount() == 2);
  CHECK(model.assembly.partOf(model.assembly.at("top/left")) ==
        model.assembly.partOf(model.assembly.at("top/right")));
  // x to y, y to -x, then by (1, 2, 3).
  const Box right = model.assembly.worldBounds(model.assembly.at("top/right"));
  CHECK(right.min.x == Approx(-2));
  CHECK(right.max.x == Approx(1));
  CHECK(right.min.y == Approx(2));
  CHECK(right.max.y == Approx(6));
  CHECK(right.min.z == Approx(3));
  // The set is placed within its product, and the product in the assembly: (1, 2, 3), turned, and the same
  // again; the face that has several types is placed once.
  const TriangleMesh& shapes = model.assembly.meshOf(model.assembly.at("top/shapes"));
  REQUIRE(shapes.surfaces().size() == 3);
  CHECK(shapes.surfaces()[0].name == "base");
  CHECK(shapes.surfaces()[2].name == "roof");
  const Box own = shapes.boundsInPart();
  CHECK(own.min.x == Approx(0).margin(1e-6));
  CHECK(own.max.z == Approx(4));
  const Box world = model.assembly.worldBounds(model.assembly.at("top/shapes"));
  CHECK(world.max.z == Approx(7));
  CHECK(world.min.x == Approx(-2).margin(1e-5));  // y of the set is 2 to 3, and goes to 1 - y
  const TriangleMesh& box = model.assembly.meshOf(model.assembly.at("top/left"));
  REQUIRE(box.surfaces()[0].colour);
  CHECK(box.surfaces()[0].colour->green == Approx(0.5));
  CHECK_FALSE(box.surfaces()[1].colour);
}

TEST_CASE("each solid of a tessellated product is a part, and its loose faces are one", "[importers]") {
  File file = single("#201,#211,#220");
  file.boxCorners(200, 4, 3, 2);
  file.box(201, 200, "one");
  file.box(211, 200, "two");
  file.add("#220=TRIANGULATED_FACE('loose',#200,8,(),$,(),((1,2,3)))");
  CHECK(paths(importFile(file)) == std::vector<std::string>{"part/one", "part/two", "part/sheet"});
  ReadOptions merged;
  merged.mergeSolids = true;
  const Model model = importText(file.text(), merged);
  CHECK(paths(model) == std::vector<std::string>{"part"});
  CHECK(countsOf(model).faces == 13);
  CHECK_THAT(saidOf(model), Catch::Contains("3 bodies form one part"));
}

TEST_CASE("representations that lead to tessellated ones, or have nothing else", "[importers]") {
  const auto check = [](const File& file) {
    const Model model = importFile(file);
    INFO(saidOf(model));
    CHECK(paths(model) == std::vector<std::string>{"part"});
    CHECK(countsOf(model).faces == 6);
    CHECK_FALSE(isIncomplete(model));
  };
  const auto withBox = [](File file) {
    file.boxCorners(200, 4, 3, 2);
    file.box(201, 200);
    return file;
  };
  File related;
  related.product(100, "part", "#14", "SHAPE_REPRESENTATION");
  related.add("#150=TESSELLATED_SHAPE_REPRESENTATION('',(#201),#13)");
  related.add("#151=SHAPE_REPRESENTATION_RELATIONSHIP('','',#105,#150)");
  check(withBox(related));

  File alone;
  alone.product(100, "part", "#201");
  check(withBox(alone));

  File plain;
  plain.product(100, "part", "#201,#14", "SHAPE_REPRESENTATION");
  check(withBox(plain));

  File accurate;
  accurate.product(100, "part", "#14,#201", "TESSELLATED_SHAPE_REPRESENTATION_WITH_ACCURACY_PARAMETERS",
                   ",(#150)");
  accurate.add("#150=MEASURE_REPRESENTATION_ITEM('chord',LENGTH_MEASURE(0.1),#10)");
  check(withBox(accurate));
}

TEST_CASE("an assembly may have tessellated shapes beside its parts", "[importers]") {
  File file;
  file.product(100, "top", "#14,#211");
  file.product(110, "box", "#14,#201");
  file.occurrence(130, "child", 100, 110, 18);
  file.boxCorners(200, 4, 3, 2);
  file.box(201, 200);
  file.box(211, 200, "frame");
  const Model model = importFile(file);
  INFO(saidOf(model));
  const std::vector<std::string> all = paths(model);
  CHECK(std::set<std::string>(all.begin(), all.end()) == std::set<std::string>{"top/frame", "top/child"});
  CHECK_FALSE(isIncomplete(model));
}

namespace {

/// Returns the blocks of support/write_test_step.cpp, with additional text.
std::string exactText(const std::string& more) {
  const TemporaryFolder folder;
  const std::string command =
      std::string(FITUP_WRITE_TEST_STEP) + " " + (folder / "a.step").string() + " MM >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  std::string text = readText(folder / "a.step");
  constexpr std::string_view type = "ADVANCED_BREP_SHAPE_REPRESENTATION(";
  const std::size_t at = text.find(type);
  REQUIRE(at != text.npos);
  const std::size_t begin = text.rfind('#', at), contextAt = text.find("),#", at) + 2;
  const std::string representation = text.substr(begin, text.find(' ', begin) - begin),
                    context = text.substr(contextAt, text.find(')', contextAt) - contextAt);
  if (!more.empty())
    text.insert(text.rfind("ENDSEC;"), more + "#90005=TESSELLATED_SHAPE_REPRESENTATION('',(#90002)," +
                                           context + ");\n#90006=SHAPE_REPRESENTATION_RELATIONSHIP('',''," +
                                           representation + ",#90005);\n");
  return text;
}

std::string triangle(double size) {
  const std::string s = std::to_string(size);
  return "#90000=COORDINATES_LIST('',3,((0.,0.,0.),(" + s + ",0.,0.),(0.," + s +
         ",0.)));\n#90001=TRIANGULATED_FACE('',#90000,3,(),$,(),((1,2,3)));\n"
         "#90002=TESSELLATED_SHELL('',(#90001),$);\n";
}

}  // namespace

TEST_CASE("an exact shape counts, the tessellated one beside it is said not to be read", "[importers]") {
  const Model plain = importText(exactText({})), both = importText(exactText(triangle(1)));
  INFO(saidOf(both));
  CHECK(paths(both) == paths(plain));
  CHECK(countsOf(both).triangles == countsOf(plain).triangles);
  CHECK_FALSE(isIncomplete(both));
  CHECK_THAT(saidOf(both), Catch::Contains("warning: entity #90002: tessellated geometry is not read"));
  CHECK_THAT(missingOf(exactText(triangle(1e4))),
             Catch::Contains("#90002") && Catch::Contains("extends beyond"));
}

TEST_CASE("damaged tessellated items are named, and never read otherwise", "[importers]") {
  File file = single("#201");
  file.boxCorners(200, 4, 3, 2);
  file.box(201, 200);
  const std::string whole = file.text();
  CHECK(missingOf(whole).empty());
  struct Case {
    std::string from, to, entity, cause;
  };
  const std::vector<Case> cases{
      {"(1,3,4),", "(0,3,4),", "#202", "point 0 of 8"},
      {"(1,3,4),", "(1,3,9),", "#202", "point 9 of 8"},
      {"(1,3,4),", "(1,3,-4),", "#202", "point -4 of 8"},
      {"(1,3,4),", "(1,3,99999999999999999999),", "#202", "a whole number"},
      {"(1,3,4),", "(1,3,4.5),", "#202", "a comma"},
      {"(1,3,4),", "(1,3),", "#202", "fewer than three"},
      {"(1,3,4),", "(1,3,4,5),", "#202", "more than three"},
      {"(1,3,4),", "(1,3,),", "#202", "a value"},
      {"(1,3,4),(1,4,2)));", "(1,3,4),(1,4,2);", "#202", "a comma"},
      {"(1,3,4),(1,4,2)", "", "#202", "no triangles"},
      {",8,(),$,(),((1,3,4)", ",3,(),$,(1,2,3,4),((1,3,4)", "#202", "4 indices of points where it says 3"},
      {",8,(),$,(),((1,3,4)", ",3,(),$,(1,2,9),((1,3,2)", "#202", "point 9 of 8"},
      {"'side 0',#200", "'side 0',#14", "#202", "not a COORDINATES_LIST"},
      {"'side 0',#200", "'side 0',$", "#202", "no list of coordinates"},
      {"'side 0',#200", "'side 0',#777", "#202", "#777"},
      {"COORDINATES_LIST('',8", "COORDINATES_LIST('',7", "#202", "8 points where it says 7"},
      {"COORDINATES_LIST('',8", "COORDINATES_LIST('',9000000000000000000", "#202",
       "8 points where it says 9"},
      {"COORDINATES_LIST('',8,((0.000000,", "COORDINATES_LIST('',8,((NAN,", "#202", "a number"},
      {"COORDINATES_LIST('',8,((0.000000,", "COORDINATES_LIST('',8,((1e999,", "#202", "a number"},
      {"COORDINATES_LIST('',8,((0.000000,", "COORDINATES_LIST('',8,((", "#202",
       "does not have three coordinates"},
      {"COORDINATES_LIST('',8,((0.000000,", "COORDINATES_LIST('',8,((1e300,", "part", "coordinate above"},
      {"(#202,#203", "(#202,#999", "#999", "not in the file"},
      {"(#202,#203", "(#202,#16", "#16", "not a known kind of shape"},
      {"(#202,#203", "(#202,#201", "#201", "contains itself"},
      {"=TRIANGULATED_FACE('side 1'", "=CUBIC_BEZIER_TRIANGULATED_FACE('side 1'", "#203",
       "not a known kind of shape"},
      {"TESSELLATED_SOLID('box',(#202,#203,#204,#205,#206,#207)", "TESSELLATED_SOLID('box',()", "#201",
       "no faces"},
      {"('part',(#14,#201)", "('part',(#14)", "#202", "to no product"},
      {"SHAPE_DEFINITION_REPRESENTATION(", "SHAPE_DEFINITION_REPRESENTATIO(", "#202", "to no product"},
  };
  for (const Case& each : cases) {
    INFO(each.from + " -> " + each.to);
    const std::string said = missingOf(replaced(whole, each.from, each.to));
    CHECK_THAT(said, Catch::Contains(each.entity));
    CHECK_THAT(said, Catch::Contains(each.cause));
  }
}

TEST_CASE("items that use each other again and again are refused soon", "[importers]") {
  File file = single("#201");
  file.boxCorners(200, 4, 3, 2);
  for (int i = 0; i < 40; ++i)
    file.add("#" + std::to_string(201 + i) + "=TESSELLATED_GEOMETRIC_SET('',(#" + std::to_string(202 + i) +
             ",#" + std::to_string(202 + i) + "))");
  file.add("#241=TRIANGULATED_FACE('',#200,8,(),$,(),((1,2,3)))");
  CHECK_THAT(missingOf(file.text()), Catch::Contains("repeats its tessellated items too often"));
  // Deep, and not wide.
  File deep = single("#201");
  deep.boxCorners(200, 4, 3, 2);
  for (int i = 0; i < 5000; ++i)
    deep.add("#" + std::to_string(201 + i) + "=TESSELLATED_GEOMETRIC_SET('',(#" + std::to_string(202 + i) +
             "))");
  deep.add("#5201=TRIANGULATED_FACE('',#200,8,(),$,(),((1,2,3)))");
  CHECK_THAT(missingOf(deep.text()), Catch::Contains("nested too deeply"));
}

TEST_CASE("a tessellated file that is cut anywhere is whole or says what it lacks", "[importers]") {
  const std::string data = sampleTessellatedStep().data();
  const std::size_t faces = countsOf(importText(File::header + data + File::footer)).faces;
  REQUIRE(faces == 14);
  for (std::size_t cut = 0; cut < data.size(); cut += 50) {
    const std::string text = File::header + data.substr(0, cut) + "\n" + File::footer;
    INFO(cut);
    // After the last face there are only colours.
    if (missingOf(text).empty()) CHECK(countsOf(importText(text)).faces == faces);
  }
}

TEST_CASE("annotations are counted, and their triangles are no shapes", "[importers]") {
  File file = sampleTessellatedStep();
  file.add("#500=COORDINATES_LIST('',3,((0.,0.,0.),(9.,0.,0.),(0.,9.,0.)))");
  file.add("#501=COMPLEX_TRIANGULATED_SURFACE_SET('',#500,3,(),(),((1,2,3)),())");
  file.add("#502=TESSELLATED_CURVE_SET('',#500,((1,2,3)))");
  file.add("#503=TESSELLATED_GEOMETRIC_SET('note',(#501,#502))");
  file.add("#504=TESSELLATED_ANNOTATION_OCCURRENCE('note',(#406),#503)");
  file.add("#505=DRAUGHTING_CALLOUT('',(#504))");
  file.add("#506=SHAPE_ASPECT('','',#113,.T.)");
  file.add("#507=DIMENSIONAL_SIZE(#506,'diameter')");
  file.add("#508=FLATNESS_TOLERANCE('','',$,#506)");
  file.add(
      "#509=(GEOMETRIC_TOLERANCE('','',$,#506)GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE(())"
      "POSITION_TOLERANCE())");
  const Model model = importFile(file);
  INFO(saidOf(model));
  CHECK_FALSE(isIncomplete(model));
  CHECK(countsOf(model).faces == 14);
  CHECK_THAT(saidOf(model),
             Catch::Contains("warning: PMI: 1 annotation, 2 tolerances and 1 dimension are not read"));
}

TEST_CASE("curves and points of a tessellated product are counted, other items are missing", "[importers]") {
  File file = single("#201,#220,#221");
  file.boxCorners(200, 4, 3, 2);
  file.box(201, 200);
  file.add("#220=TESSELLATED_CURVE_SET('',#200,((1,2,3)))");
  file.add("#221=TESSELLATED_SOMETHING('',#200)");
  const Model model = importFile(file);
  CHECK(countsOf(model).faces == 6);
  CHECK_THAT(saidOf(model), Catch::Contains("missing: entity #221: TESSELLATED_SOMETHING is not read") &&
                                Catch::Contains("warning: entity #102: 1 tessellated curve"));
}

TEST_CASE("verdicts on tessellated parts ask for a tolerance", "[importers][cli]") {
  const CommandLine run;
  writeText(run.file("t.step"), sampleTessellatedStep().text());
  CHECK(problemOfFailure(run({"check", "--verdict", "t.step"}), {"--tolerance"}).empty());
  CHECK(run({"check", "--tolerance", "0.01", "t.step"}).exitCode == 0);
}

TEST_CASE("the public tessellated files are read", "[importers]") {
  const auto only = sharedData("reports/import/tess_only.step"),
             plus = sharedData("reports/import/tess_plus.step");
  if (!only || !plus) {
    WARN("skipped: reports/import is absent");
    return;
  }
  const Model model = import(*only);
  CHECK(paths(model) == std::vector<std::string>{"Part/Cube"});
  CHECK(signedVolume(model.assembly.part(PartId{0})) == Approx(1e9 / 6));
  CHECK(closednessOf(model.assembly.part(PartId{0})).closed());
  // A solid in no representation.
  CHECK_THAT(saidOf(model), Catch::Contains("missing: solid #33: was not transferred"));
  const Model exact = import(*plus);
  CHECK(signedVolume(exact.assembly.part(PartId{0})) == Approx(1e9));
  CHECK_FALSE(isIncomplete(exact));
  CHECK_THAT(saidOf(exact), Catch::Contains("#9003: tessellated geometry is not read"));
}
#endif

}  // namespace step_tessellated_tests
