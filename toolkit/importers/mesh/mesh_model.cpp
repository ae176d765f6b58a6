#include "mesh_model.h"

#include <algorithm>

#include <fitup/base/error.h>

#include "obj_reader.h"
#include "stl_reader.h"

namespace fitup::importers {
namespace {

std::string lowerExtension(const std::filesystem::path& file) {
  std::string text = file.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return text;
}

}  // namespace

Model readMeshFile(const std::filesystem::path& file, const MeshFileOptions& options,
                   ProgressLines& progress) {
  Model model;
  model.source.path = file.string();
  model.assembly = Assembly(validUtf8(file.stem().string()));
  model.assembly.setUnit(options.unit);
  const std::string extension = lowerExtension(file);
  std::vector<RawPart> parts;
  if (extension == ".obj")
    parts = readObj(file, model.warnings, progress);
  else if (extension == ".stl")
    parts = readStl(file, model.warnings, progress);
  else
    throw InputError("extension '" + extension + "'", "", "not one of .obj, .stl");
  if (parts.empty()) throw InputError("holds no triangles");

  for (std::size_t i = 0; i < parts.size(); ++i) {
    progress.report("finding surfaces", static_cast<double>(i) / static_cast<double>(parts.size()));
    const RawPart& part = parts[i];
    auto mesh = std::make_shared<const TriangleMesh>(buildMesh(part, options.segmentationAngle));
    model.assembly.addNode(part.name, Transform{}, std::nullopt, model.assembly.addPart(std::move(mesh)));
  }
  return model;
}

}  // namespace fitup::importers
