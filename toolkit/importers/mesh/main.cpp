#include <algorithm>
#include <array>
#include <string_view>

#include <fitup/base/error.h>

#include "importer_main.h"
#include "obj_reader.h"
#include "off_reader.h"
#include "ply_reader.h"
#include "raw_scene.h"
#if defined(FITUP_HAS_ASSIMP)
#include "gltf_reader.h"
#include "stl_reader.h"
#include "tds_reader.h"
#endif

using namespace fitup;
using namespace fitup::importers;

namespace {

std::string lowerExtension(const std::filesystem::path& file) {
  std::string text = file.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return text;
}

RawScene read(const std::filesystem::path& file, ProgressLines& progress) {
  const std::string extension = lowerExtension(file);
  RawScene scene;
  if (extension == ".obj")
    scene.parts = readObj(file, progress, &scene.warnings);
  else if (extension == ".off")
    scene = readOff(file, progress);
  else if (extension == ".ply")
    scene = readPly(file, progress);
#if defined(FITUP_HAS_ASSIMP)
  else if (extension == ".stl")
    scene.parts = readStl(file, scene.warnings, progress);
  else if (extension == ".gltf" || extension == ".glb")
    scene = readGltf(file, progress);
  else if (extension == ".3ds")
    scene = read3ds(file, progress);
  else
    throw InputError("extension '" + extension + "'", "",
                     "not one of .obj, .off, .ply, .stl, .gltf, .glb, .3ds");
#else
  else
    throw InputError("extension '" + extension + "'", "",
                     "this build reads .obj, .off, .ply only, for it lacks assimp");
#endif
  return scene;
}

Model import(const Arguments& arguments, ProgressLines& progress) {
  constexpr std::array<std::string_view, 5> units{"mm", "cm", "m", "in", "ft"};
  const std::string& unit = arguments.text("unit");
  if (std::find(units.begin(), units.end(), unit) == units.end())
    throw InputError("option --unit", "'" + unit + "'", "must be one of mm, cm, m, in, ft");
  std::optional<double> angle;
  if (arguments.text("segment") != "none") {
    angle = arguments.number("segment");
    if (*angle < 0 || *angle > 180) throw InputError("option --segment must lie between 0 and 180 degrees");
  }
  const std::optional<UpAxis> upAxis = upAxisFromName(arguments.text("up"));
  if (!upAxis) throw InputError("option --up", "'" + arguments.text("up") + "'", "must be one of x, y, z");

  RawScene scene = read(arguments.input, progress);
  if (scene.parts.empty()) throw InputError("holds no triangles");
  Model model;
  model.source.path = arguments.input.string();
  model.source.companions = std::move(scene.companions);
  model.warnings = std::move(scene.warnings);
  model.assembly = Assembly(validUtf8(arguments.input.stem().string()));
  model.assembly.setUnit(scene.unit.value_or(unit));
  model.assembly.setUpAxis(scene.upAxis.value_or(*upAxis));
  for (std::size_t i = 0; i < scene.parts.size(); ++i) {
    progress.report("finding surfaces", static_cast<double>(i) / static_cast<double>(scene.parts.size()));
    const PartId id =
        model.assembly.addPart(std::make_shared<const TriangleMesh>(buildMesh(scene.parts[i], angle)));
    if (scene.nodes.empty()) model.assembly.addNode(scene.parts[i].name, Transform{}, std::nullopt, id);
  }
  for (const RawScene::Node& node : scene.nodes)
    model.assembly.addNode(node.name, node.parentFromNode, node.parent,
                           node.part ? std::optional(static_cast<PartId>(*node.part)) : std::nullopt);
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  return runMain(
      argc, argv, "Reads a mesh file (OBJ, STL, PLY, OFF, glTF, 3DS) and writes a Fitup model file.",
      {{"unit", "mm", "unit of the file's numbers: mm, cm, m, in, ft (glTF: always m)"},
       {"up", "z", "axis of the file that points up: x, y, z (glTF: always y)"},
       {"segment", "30", "largest angle within a surface in degrees, where the file has no groups; or none"}},
      import);
}
