#include "gltf_declaration.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

#include <fitup/base/error.h>
#include <fitup/io/file_bytes.h>

#include "importer_main.h"
#include "text_words.h"

namespace fitup::importers {
namespace {

using nlohmann::json;

constexpr std::uint64_t triangleMode = 4, stripMode = 5, fanMode = 6;

/// Returns the JSON within the file: all of a .gltf, the first chunk of a .glb.
std::string_view jsonOf(std::string_view bytes) {
  if (!bytes.starts_with("glTF")) return bytes;
  std::array<std::uint32_t, 5> header{};  // magic, version, length; length and type of the first chunk
  if (bytes.size() < sizeof header) throw InputError("the file is cut off in its header");
  std::memcpy(header.data(), bytes.data(), sizeof header);
  if (header[1] != 2)
    throw InputError("binary glTF of version " + std::to_string(header[1]) + ", only 2 is read");
  if (header[2] > bytes.size())
    throw InputError("the file is cut off: it has " + std::to_string(bytes.size()) + " of " +
                     std::to_string(header[2]) + " bytes");
  bytes.remove_prefix(sizeof header);
  if (header[4] != 0x4E4F534A) throw InputError("its first chunk is not JSON");
  if (header[3] > bytes.size()) throw InputError("the file is cut off in its JSON");
  return bytes.substr(0, header[3]);
}

/// Whether the extension concerns only appearance or other data.
bool changesNoGeometry(const std::string& extension) {
  constexpr std::array<std::string_view, 4> looks{"KHR_materials_", "KHR_texture_", "KHR_lights_",
                                                  "EXT_texture_"};
  return std::any_of(looks.begin(), looks.end(),
                     [&](std::string_view start) { return extension.starts_with(start); });
}

class DeclarationReader {
 public:
  explicit DeclarationReader(const json& root) : root_(root) {}

  GltfDeclaration read() {
    const std::string version = root_.at("asset").at("version").get<std::string>();
    if (!version.starts_with("2."))
      throw InputError("glTF of version " + validUtf8(version) + ", only 2 is read");
    for (const json& extension : root_.value("extensionsRequired", json::array()))
      if (const auto name = extension.get<std::string>(); !changesNoGeometry(name))
        throw InputError("needs the extension " + validUtf8(name) + ", which is not supported");
    for (const json& buffer : root_.value("buffers", json::array()))
      if (const std::string uri = buffer.value("uri", std::string());
          !uri.empty() && !uri.starts_with("data:"))
        result_.bufferFiles.push_back(pathOfUri(uri));
    for (const json& mesh : root_.value("meshes", json::array()))
      if (mesh.at("primitives").size() == 1) result_.simpleMeshes.insert(mesh.value("name", std::string()));
    result_.sceneCount = root_.value("scenes", json::array()).size();
    if (result_.sceneCount == 0) throw InputError("has no scene");
    const json& scene = entry("scenes", root_.value("scene", std::uint64_t{0}));
    const json roots = scene.value("nodes", json::array());
    result_.rootCount = roots.size();
    for (const json& node : roots) addNode(node.get<std::uint64_t>(), 0);
    if (result_.rootCount == 1) result_.notes = readGltfNotes(root_, roots[0].get<std::uint64_t>());
    return std::move(result_);
  }

 private:
  const json& entry(const char* list, std::uint64_t i) const {
    const auto found = root_.find(list);
    if (found == root_.end() || !found->is_array() || i >= found->size())
      throw InputError(std::string(list) + "[" + std::to_string(i) + "]", "", "is not in the file");
    return (*found)[i];
  }

  void addNode(std::uint64_t i, int depth) {
    const json& node = entry("nodes", i);
    const auto fail = [&](const char* problem) {
      throw InputError("nodes[" + std::to_string(i) + "]", "", problem);
    };
    if (!seen_.insert(i).second) fail("occurs twice in the tree");
    if (depth > deepestTree) fail("is nested too deeply in the tree");
    if (const auto mesh = node.find("mesh"); mesh != node.end()) {
      result_.triangles += trianglesOf(mesh->get<std::uint64_t>());
      warnOfChanges(i, node, entry("meshes", mesh->get<std::uint64_t>()));
    }
    for (const json& child : node.value("children", json::array()))
      addNode(child.get<std::uint64_t>(), depth + 1);
  }

  void warnOfChanges(std::uint64_t i, const json& node, const json& mesh) {
    const auto warn = [&](const char* problem) {
      const std::string name = node.value("name", std::string());
      result_.warnings.push_back(
          {"nodes[" + std::to_string(i) + "]" + (name.empty() ? "" : " '" + validUtf8(name) + "'"), problem,
           true});
    };
    const json& primitives = mesh.at("primitives");
    const bool hasTargets = std::any_of(primitives.begin(), primitives.end(), [](const json& p) {
      return !p.value("targets", json::array()).empty();
    });
    const json weights = node.value("weights", mesh.value("weights", json::array()));
    if (hasTargets &&
        std::any_of(weights.begin(), weights.end(), [](const json& w) { return w.get<double>() != 0; }))
      warn("is deformed by morph targets; it is read undeformed");
    if (node.value("extensions", json::object()).contains("EXT_mesh_gpu_instancing"))
      warn("is repeated by EXT_mesh_gpu_instancing; it is read only once");
  }

  std::uint64_t trianglesOf(std::uint64_t mesh) {
    const json& primitives = entry("meshes", mesh).at("primitives");
    if (meshTriangles_.size() <= mesh) meshTriangles_.resize(mesh + 1);
    if (meshTriangles_[mesh]) return *meshTriangles_[mesh];
    std::uint64_t triangles = 0;
    for (const json& primitive : primitives) {
      const std::uint64_t mode = primitive.value("mode", triangleMode);
      if (mode < triangleMode) continue;
      if (mode > fanMode)
        throw InputError("meshes[" + std::to_string(mesh) + "]", "", "has a primitive of an unknown mode");
      const json& attributes = primitive.at("attributes");
      if (attributes.find("POSITION") == attributes.end()) continue;
      const std::uint64_t accessor = primitive.find("indices") != primitive.end()
                                         ? primitive.at("indices").get<std::uint64_t>()
                                         : attributes.at("POSITION").get<std::uint64_t>();
      const auto count = entry("accessors", accessor).at("count").get<std::uint64_t>();
      triangles += mode == triangleMode ? (count + 2) / 3 : count < 3 ? 0 : count - 2;
    }
    meshTriangles_[mesh] = triangles;
    return triangles;
  }

  const json& root_;
  GltfDeclaration result_;
  std::vector<std::optional<std::uint64_t>> meshTriangles_;
  std::set<std::uint64_t> seen_;
};

}  // namespace

std::string pathOfUri(std::string_view uri) {
  std::string text;
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0) {
      text += static_cast<char>(16 * digit(uri[i + 1]) + digit(uri[i + 2]));
      i += 2;
    } else {
      text += uri[i];
    }
  }
  return text;
}

GltfDeclaration readGltfDeclaration(const std::filesystem::path& file) {
  const auto contents = FileBytes::map(file);
  const std::string_view bytes = withoutByteOrderMark(contents->text());
  if (bytes.empty()) throw InputError("the file is empty");
  try {
    const json root = json::parse(jsonOf(bytes));
    return DeclarationReader(root).read();
  } catch (const json::exception& error) {
    throw InputError("not readable as glTF: " + validUtf8(error.what()));
  }
}

}  // namespace fitup::importers
