#include "mesh_model.h"

#include <algorithm>

#include <fitup/base/error.h>
#include <fitup/io/formats.h>

#include "obj_reader.h"
#include "off_reader.h"
#include "ply_reader.h"
#include "raw_scene.h"
#include "stl_reader.h"
#if defined(FITUP_HAS_ASSIMP)
#include "gltf_reader.h"
#include "tds_reader.h"
#endif

namespace fitup::importers {
namespace {

RawScene read(SourceFile& source, ProgressLines& progress) {
  const std::filesystem::path& file = source.bytes();
  const std::string extension = lowerExtension(file);
  RawScene scene;
  if (extension == ".obj")
    scene = readObj(source, progress);
  else if (extension == ".off")
    scene = readOff(file, progress);
  else if (extension == ".ply")
    scene = readPly(file, progress);
  else if (extension == ".stl")
    scene.parts = readStl(file, scene.warnings, progress);
#if defined(FITUP_HAS_ASSIMP)
  else if (extension == ".gltf" || extension == ".glb")
    scene = readGltf(source, progress);
  else if (extension == ".3ds")
    scene = read3ds(file, progress);
#endif
  else
    throw InputError("extension '" + extension + "'", "",
                     fileFamilyOf(file) == FileFamily::mesh
                         ? "is not supported by this build, which lacks assimp"
                         : "is not a mesh format");
  return scene;
}

}  // namespace

Model readMeshFile(SourceFile& source, const MeshFileOptions& options, ProgressLines& progress) {
  RawScene scene = read(source, progress);
  if (scene.parts.empty()) throw InputError("holds no triangles");
  Model model;
  model.source.path = source.name().string();
  model.source.referencedFiles = source.referencedFiles();
  model.warnings = std::move(scene.warnings);
  model.assembly = Assembly(validUtf8(source.name().stem().string()));
  model.assembly.setUnit(scene.unit.value_or(options.unit));
  model.assembly.setUpAxis(scene.upAxis.value_or(options.upAxis));
  const StillWorking sign(progress, "finding surfaces");
  for (std::size_t i = 0; i < scene.parts.size(); ++i) {
    progress.report("finding surfaces", static_cast<double>(i) / static_cast<double>(scene.parts.size()));
    const PartId id = model.assembly.addPart(
        std::make_shared<const TriangleMesh>(buildMesh(scene.parts[i], options.segmentationAngle)));
    if (scene.nodes.empty()) model.assembly.addNode(scene.parts[i].name, Transform{}, std::nullopt, id);
  }
  for (const RawScene::Node& node : scene.nodes)
    model.assembly.addNode(node.name, node.parentFromNode, node.parent,
                           node.part ? std::optional(static_cast<PartId>(*node.part)) : std::nullopt,
                           node.colour);
  return model;
}

}  // namespace fitup::importers
