#include "import_checks.h"

#include <algorithm>

namespace fitup::test {

std::optional<std::filesystem::path> cadImporter() {
#if defined(FITUP_CAD_IMPORTER)
  return FITUP_CAD_IMPORTER;
#else
  return std::nullopt;
#endif
}

std::optional<std::filesystem::path> meshImporter() {
#if defined(FITUP_MESH_IMPORTER)
  return FITUP_MESH_IMPORTER;
#else
  return std::nullopt;
#endif
}

std::optional<std::filesystem::path> osgImporter() {
#if defined(FITUP_OSG_IMPORTER)
  return FITUP_OSG_IMPORTER;
#else
  return std::nullopt;
#endif
}

bool hasAssimp() {
#if defined(FITUP_HAS_ASSIMP)
  return true;
#else
  return false;
#endif
}

Model import(const std::filesystem::path& file, ReadOptions options) {
  options.useCache = false;
  // All are built into one folder.
  options.importerFolder = std::filesystem::path(FITUP_IMPORTER_FOLDER);
  return readAssembly(file, options);
}

ImportCounts countsOf(const Model& model) {
  ImportCounts counts;
  counts.parts = model.assembly.partCount();
  for (NodeId instance : model.assembly.instances()) {
    const TriangleMesh& mesh = model.assembly.meshOf(instance);
    ++counts.instances;
    counts.faces += mesh.surfaces().size();
    counts.triangles += mesh.triangleCount();
    for (const Surface& surface : mesh.surfaces()) counts.untessellated += surface.triangleCount == 0;
  }
  return counts;
}

double signedVolume(const TriangleMesh& mesh) {
  double sixfold = 0;
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const Triangle t = mesh.triangle(TriangleId(i));
    sixfold += dot(t.v[0], cross(t.v[1], t.v[2]));
  }
  return sixfold / 6;
}

bool isIncomplete(const Model& model) {
  return std::any_of(model.warnings.begin(), model.warnings.end(),
                     [](const auto& w) { return w.incomplete; });
}

}  // namespace fitup::test
