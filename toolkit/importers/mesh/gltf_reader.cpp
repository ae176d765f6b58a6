#include "gltf_reader.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fitup/base/error.h>

#include "assimp_scene.h"
#include "gltf_declaration.h"
#include "text_words.h"

namespace fitup::importers {
namespace {

/// Returns the name of a mesh, to which the library appends "-<ordinal of the primitive>" if it has several
/// primitives.
std::string meshName(const aiMesh& mesh, const GltfDeclaration& declared) {
  std::string name = mesh.mName.C_Str();
  if (declared.simpleMeshes.contains(name)) return name;
  const std::size_t dash = name.rfind('-');
  if (dash != std::string::npos && dash + 1 < name.size() &&
      name.find_first_not_of("0123456789", dash + 1) == std::string::npos)
    name.resize(dash);
  return name;
}

bool isMadeUp(const std::string& name) { return name.starts_with("nodes[") && name.ends_with(']'); }

/// Converts linear light, as in glTF, to sRGB (IEC 61966-2-1).
float srgb(float linear) {
  return linear <= 0.0031308F ? 12.92F * linear : 1.055F * std::pow(linear, 1 / 2.4F) - 0.055F;
}

}  // namespace

RawScene readGltf(SourceFile& source, ProgressLines& progress) {
  progress.report("checking the file", -1);
  const GltfDeclaration declared = readGltfDeclaration(source.bytes());
  std::set<std::filesystem::path> buffers;
  for (const std::string& name : declared.bufferFiles) {
    const SourceFile::Reference buffer = source.find(name);
    if (!buffer.isFound()) throw InputError("external file " + validUtf8(name), "", buffer.problem);
    buffers.insert(buffer.bytes);
  }

  const AssimpFile read(source.bytes(), "glTF", progress, std::move(buffers), pathOfUri);
  RawScene scene = sceneOf(read,
                           {.rootIsArtificial = declared.rootCount != 1,
                            .nodesAreArtificial = false,
                            .keepsEmptyNodes = declared.notes.has_value(),
                            .partName = [&](const aiMesh& mesh) { return meshName(mesh, declared); },
                            .isMadeUp = isMadeUp},
                           progress);
  scene.warnings.insert(scene.warnings.begin(), declared.warnings.begin(), declared.warnings.end());
  scene.unit = "m";
  scene.upAxis = UpAxis::y;
  for (RawPart& part : scene.parts)
    for (auto& colour : part.colours)
      if (colour) *colour = {srgb(colour->red), srgb(colour->green), srgb(colour->blue), colour->alpha};

  std::uint64_t triangles = 0;
  for (const RawScene::Node& node : scene.nodes)
    if (node.part) triangles += scene.parts[*node.part].triangles.size();
  if (triangles != declared.triangles)
    scene.warnings.push_back({"file",
                              "declares " + std::to_string(declared.triangles) + " triangles, of which " +
                                  std::to_string(triangles) + " were read; the others are missing",
                              true});
  if (declared.sceneCount > 1)
    scene.warnings.push_back(
        {"file",
         "holds " + std::to_string(declared.sceneCount) + " scenes; only the default one is read and checked",
         false});
  if (declared.notes) applyNotes(*declared.notes, scene);
  return scene;
}

}  // namespace fitup::importers
