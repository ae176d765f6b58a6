#include <algorithm>
#include <array>
#include <string_view>

#include <fitup/base/error.h>

#include "importer_main.h"
#include "obj_reader.h"
#include "stl_reader.h"

using namespace fitup;
using namespace fitup::importers;

namespace {

std::string lowerExtension(const std::filesystem::path& file) {
  std::string text = file.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return text;
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

  Model model;
  model.source.path = arguments.input.string();
  model.assembly = Assembly(validUtf8(arguments.input.stem().string()));
  model.assembly.setUnit(unit);
  const std::string extension = lowerExtension(arguments.input);
  std::vector<RawPart> parts;
  if (extension == ".obj")
    parts = readObj(arguments.input, progress);
  else if (extension == ".stl")
    parts = readStl(arguments.input, model.warnings, progress);
  else
    throw InputError("extension '" + extension + "'", "", "not one of .obj, .stl");
  if (parts.empty()) throw InputError("holds no triangles");

  for (std::size_t i = 0; i < parts.size(); ++i) {
    progress.report("finding surfaces", static_cast<double>(i) / static_cast<double>(parts.size()));
    const RawPart& part = parts[i];
    auto mesh = std::make_shared<const TriangleMesh>(buildMesh(part, angle));
    model.assembly.addNode(part.name, Transform{}, std::nullopt, model.assembly.addPart(std::move(mesh)));
  }
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  return runMain(
      argc, argv, "Reads a mesh file (OBJ, STL) and writes a Fitup model file.",
      {{"unit", "mm", "unit of the file's numbers: mm, cm, m, in, ft"},
       {"segment", "30", "largest angle within a surface in degrees, where the file has no groups; or none"}},
      import);
}
