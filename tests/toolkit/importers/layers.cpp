// Tests layers of CAD files: the parts of support/write_test_step.cpp, and texts of our own.
#include <catch2/catch.hpp>

#include <cstdlib>

#include <fitup/scene/rule_attributes.h>
#include <fitup/scene/scene.h>

#include "support/assembly_text.h"
#include "support/import_checks.h"
#include "support/temporary_folder.h"
#include "support/tessellated_step_file.h"

namespace importer_layers_tests {

using namespace fitup;
using namespace fitup::test;

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

using Layers = std::vector<std::string>;

std::filesystem::path write(const TemporaryFolder& folder, const std::string& name, const std::string& mode) {
  const auto file = folder / name;
  const std::string command =
      std::string(FITUP_WRITE_TEST_STEP) + " " + file.string() + " " + mode + " >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  return file;
}

/// "path: layer, layer; ..." of all instances.
std::string layersOf(const Model& model) {
  std::string text;
  for (const NodeId instance : model.assembly.instances()) {
    text += (text.empty() ? "" : "; ") + model.assembly.path(instance) + ":";
    for (const std::string& layer : model.assembly.node(instance).layers) text += " " + layer;
  }
  return text;
}

bool saysLayer(const Model& model) {
  return std::ranges::any_of(
      model.warnings, [](const ImportWarning& warning) { return warning.element.starts_with("layer"); });
}

/// Writes the products twice more into the assembly, as mapped items, of which the text gives some a layer.
std::string withMappedBlocks(std::string text, const std::string& assigned) {
  const AssemblyText assembly(text);
  text.insert(assembly.firstItem, "#90010,#90011,");
  text.insert(text.rfind("ENDSEC;"),
              "#90001=CARTESIAN_POINT('',(0.,300.,0.));\n#90002=AXIS2_PLACEMENT3D('',#90001,$,$);\n"
              "#90009=REPRESENTATION_MAP(" +
                  assembly.origin + "," + assembly.block + ");\n#90010=MAPPED_ITEM('',#90009," +
                  assembly.origin +
                  ");\n#90011=MAPPED_ITEM('',#90009,#90002);\n"
                  "#90012=PRESENTATION_LAYER_ASSIGNMENT('mapped','',(" +
                  assigned + "));\n");
  return text;
}

}  // namespace

TEST_CASE("layers of parts, solids and faces of a STEP file arrive", "[importers]") {
  const TemporaryFolder folder;
  const Model model = import(write(folder, "l.step", "LAYERS"));
  CHECK_FALSE(isIncomplete(model));
  CHECK(
      layersOf(model) ==
      "layers/block#1: 7; layers/block#2: 7; layers/pin: 12 31 7; layers/pair/inner: 12; layers/pair/solid:; "
      "layers/ball:");
  // Rules select by them.
  const Scene scene(model.assembly);
  const Rules rules =
      resolveAttributes({.rules = {{.a = "*", .b = "*", .whereA = {.layer = "3?"}}}}, scene, {}, 1);
  CHECK(rules.find("layers/pin", "layers/ball") != nullptr);
  CHECK(rules.find("layers/block#1", "layers/ball") == nullptr);

  ReadOptions merged;
  merged.mergeSolids = true;
  CHECK_THAT(layersOf(import(folder / "l.step", merged)), Catch::Contains("layers/pair: 12;"));
  // They survive the model file.
  writeModelFile(folder / "l.fitup", model);
  CHECK(layersOf(readModelFile(folder / "l.fitup")) == layersOf(model));
}

TEST_CASE("levels of an IGES file arrive as layers", "[importers]") {
  const TemporaryFolder folder;
  std::string text = readText(write(folder, "b.igs", "BREP"));
  CHECK(layersOf(import(folder / "b.igs")).find(": ") == std::string::npos);
  // The first line of the directory entry of a solid has its level in columns 33 to 40.
  int level = 0;
  bool isFirst = true;  // entries have two lines each
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string_view line = std::string_view(text).substr(at, 80);
    if (line.size() < 80 || line[72] != 'D') continue;
    if (isFirst && line.starts_with("     186"))
      text.replace(at + 32, 8, "       " + std::to_string(++level));
    isFirst = !isFirst;
  }
  REQUIRE(level > 2);
  writeText(folder / "levels.igs", text);
  const std::string found = layersOf(import(folder / "levels.igs"));
  CAPTURE(found);
  CHECK(found.find(": 1;") != std::string::npos);
  CHECK(found.find(": 2;") != std::string::npos);
}

TEST_CASE("a layer that holds only some mapped items of a shape is said and left out", "[importers]") {
  const TemporaryFolder folder;
  const std::string text = readText(write(folder, "mm.step", "MM"));
  writeText(folder / "some.step", withMappedBlocks(text, "#90010"));
  const Model some = import(folder / "some.step");
  CAPTURE(layersOf(some));
  CHECK(saysLayer(some));
  CHECK(layersOf(some).find("mapped") == std::string::npos);
  writeText(folder / "all.step", withMappedBlocks(text, "#90010,#90011"));
  const Model all = import(folder / "all.step");
  CAPTURE(layersOf(all));
  CHECK_FALSE(saysLayer(all));
  CHECK(layersOf(all).find("mapped") != std::string::npos);
}

TEST_CASE("a shape on very many layers is said", "[importers]") {
  const TemporaryFolder folder;
  std::string text = readText(write(folder, "mm.step", "MM"));
  const std::size_t solid = text.find(" = MANIFOLD_SOLID_BREP");
  const std::size_t number = text.rfind('#', solid);
  std::string more;
  for (int i = 0; i < 300; ++i)
    more += "#" + std::to_string(91000 + i) + "=PRESENTATION_LAYER_ASSIGNMENT('" + std::to_string(i) +
            "','',(" + text.substr(number, solid - number) + "));\n";
  text.insert(text.rfind("ENDSEC;"), more);
  writeText(folder / "many.step", text);
  const Model model = import(folder / "many.step");
  CHECK(saysLayer(model));
  CHECK(model.assembly.node(model.assembly.instances().front()).layers.size() == 256);
}

TEST_CASE("layers of tessellated shapes arrive", "[importers]") {
  const TemporaryFolder folder;
  TessellatedStepFile file = sampleTessellatedStep();
  file.add("#500=PRESENTATION_LAYER_ASSIGNMENT('boxes','',(#201))");
  file.add("#501=PRESENTATION_LAYER_ASSIGNMENT('painted','',(#202,#301))");
  file.add("#502=PRESENTATION_LAYER_ASSIGNMENT('sets','',(#303))");
  writeText(folder / "t.step", file.text());
  const Model model = import(folder / "t.step");
  CHECK(layersOf(model) == "top/left: boxes painted; top/right: boxes painted; top/shapes: painted sets");
}
#endif

}  // namespace importer_layers_tests
