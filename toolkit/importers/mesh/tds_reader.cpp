#include "tds_reader.h"

#include <charconv>
#include <set>
#include <string_view>
#include <vector>

#include <fitup/base/error.h>

#include "assimp_scene.h"
#include "tds_declaration.h"

namespace fitup::importers {
namespace {

/// The library names a mesh by the ordinal of the object it came from.
std::optional<std::size_t> objectOf(const aiMesh& mesh) {
  const std::string_view name = mesh.mName.C_Str();
  std::size_t ordinal = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), ordinal);
  if (name.empty() || parsed.ec != std::errc() || parsed.ptr != name.data() + name.size())
    return std::nullopt;
  return ordinal;
}

void collectMeshes(const aiNode& node, std::set<unsigned>& meshes) {
  meshes.insert(node.mMeshes, node.mMeshes + node.mNumMeshes);
  for (unsigned i = 0; i < node.mNumChildren; ++i) collectMeshes(*node.mChildren[i], meshes);
}

void warnOfMissingFaces(const aiScene& scene, const std::vector<TdsMesh>& declared,
                        std::vector<ImportWarning>& warnings) {
  std::set<unsigned> meshes;
  if (scene.mRootNode != nullptr) collectMeshes(*scene.mRootNode, meshes);
  std::vector<std::size_t> faces(declared.size(), 0);
  for (const unsigned i : meshes)
    if (const auto object = objectOf(*scene.mMeshes[i]); object && *object < faces.size())
      faces[*object] += scene.mMeshes[i]->mNumFaces;
  for (std::size_t i = 0; i < declared.size(); ++i)
    if (faces[i] != declared[i].faces)
      warnings.push_back({"object '" + declared[i].name + "'",
                          "declares " + std::to_string(declared[i].faces) + " faces, of which " +
                              std::to_string(faces[i]) + " arrived",
                          true});
}

}  // namespace

RawScene read3ds(const std::filesystem::path& file, ProgressLines& progress) {
  progress.report("checking the file", -1);
  const std::vector<TdsMesh> declared = readTdsDeclaration(file);
  const AssimpFile read(file, "3DS", progress);
  AssimpReading reading;
  reading.rootIsArtificial = true;
  reading.nodesAreArtificial = read.scene().mRootNode != nullptr &&
                               std::string_view(read.scene().mRootNode->mName.C_Str()) == "<3DSDummyRoot>";
  reading.partName = [&](const aiMesh& mesh) {
    const auto object = objectOf(mesh);
    return object && *object < declared.size() ? declared[*object].name : std::string(mesh.mName.C_Str());
  };
  reading.isMadeUp = [](const std::string& name) { return name == "$$$DUMMY"; };
  RawScene scene = sceneOf(read, reading);
  warnOfMissingFaces(read.scene(), declared, scene.warnings);
  return scene;
}

}  // namespace fitup::importers
