#include "tds_reader.h"

#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fitup/base/error.h>

#include "assimp_scene.h"
#include "tds_declaration.h"

namespace fitup::importers {
namespace {

/// Returns the object of a mesh, which the library names by the object's ordinal.
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
                              std::to_string(faces[i]) + " were read; the others are missing",
                          true});
}

/// Warns about equal names, because nodes refer to objects only by name.
void warnOfEqualNames(const std::vector<TdsMesh>& declared, std::vector<ImportWarning>& warnings) {
  std::map<std::string, std::size_t> objects;
  for (const TdsMesh& mesh : declared) ++objects[mesh.name];
  for (const auto& [name, count] : objects)
    if (count > 1)
      warnings.push_back({"object '" + name + "'",
                          "is the name of " + std::to_string(count) +
                              " objects, which cannot be distinguished: all of them are placed wherever one "
                              "should be, so there may be too many parts",
                          true});
}

/// Restores names: the library makes up names for the second and further instances of an object.
void restoreNames(RawScene& scene) {
  constexpr std::string_view mark = "_inst_";
  std::set<std::string> names;
  for (const RawScene::Node& node : scene.nodes) names.insert(node.name);
  for (RawScene::Node& node : scene.nodes) {
    const std::size_t at = node.name.rfind(mark);
    if (at == std::string::npos || at + mark.size() == node.name.size()) continue;
    const bool numbered = node.name.find_first_not_of("0123456789", at + mark.size()) == std::string::npos;
    if (std::string name = node.name.substr(0, at); numbered && names.contains(name))
      node.name = std::move(name);
  }
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
  RawScene scene = sceneOf(read, reading, progress);
  restoreNames(scene);
  warnOfMissingFaces(read.scene(), declared, scene.warnings);
  warnOfEqualNames(declared, scene.warnings);
  return scene;
}

}  // namespace fitup::importers
