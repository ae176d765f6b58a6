#include "assimp_scene.h"

#include <assimp/material.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <fitup/base/error.h>

namespace fitup::importers {
namespace {

/// A rotation or reflection whose entries were rounded to 32 bits, or written with some six digits, deviates
/// from orthogonality by at most this, entry by entry of transpose(m) * m; intended scales deviate by more.
constexpr double roundedRotation = 1e-5;

/// Returns the nearest orthogonal map by Newton's iteration for the polar decomposition, X <- (X +
/// transpose(X^-1)) / 2 (Higham 1986). From 1e-5, two steps reach the last bits.
Transform madeRigid(Transform a) {
  if (!a.isFinite() || a.orthonormalError() > roundedRotation) return a;
  const Vec3 t = a.t;
  a.t = {};
  for (int step = 0; step < 2; ++step) {
    const Transform inverse = a.inverse();
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) a.m[i][j] = (a.m[i][j] + inverse.m[j][i]) / 2;
  }
  a.t = t;
  return a;
}

Transform transformOf(const aiNode& node) {
  const aiMatrix4x4& m = node.mTransformation;
  if (m.d1 != 0 || m.d2 != 0 || m.d3 != 0 || m.d4 != 1)
    throw InputError("node '" + validUtf8(node.mName.C_Str()) + "'", "",
                     "its placement is not an affine transform");
  Transform result;
  for (unsigned i = 0; i < 3; ++i) {
    for (unsigned j = 0; j < 3; ++j) result.m[i][j] = static_cast<double>(m[i][j]);
    result.t[static_cast<int>(i)] = static_cast<double>(m[i][3]);
  }
  return madeRigid(result);
}

class SceneMaker {
 public:
  SceneMaker(const AssimpFile& file, const AssimpReading& reading) : scene_(file.scene()), reading_(reading) {
    for (const std::string& complaint : file.complaints())
      result_.warnings.push_back({"file", complaint + "; geometry may be missing", true});
  }

  RawScene make() {
    if (reading_.nodesAreArtificial) {
      addMeshesByName();
    } else if (const aiNode* root = scene_.mRootNode) {
      note(*root, 0);
      if (reading_.rootIsArtificial) {
        if (root->mNumMeshes > 0) throw InputError("the scene's root", "", "holds meshes of its own");
        for (unsigned i = 0; i < root->mNumChildren; ++i) add(*root->mChildren[i], std::nullopt);
      } else {
        add(*root, std::nullopt);
      }
    }
    if (pointsAndLines_ > 0)
      result_.warnings.push_back(
          {"file",
           std::to_string(pointsAndLines_) + " points and lines are left out because only faces are checked",
           false});
    return std::move(result_);
  }

 private:
  void addMeshesByName() {
    for (unsigned i = 0; i < scene_.mNumMeshes;) {
      std::vector<unsigned> meshes;
      const aiString& name = scene_.mMeshes[i]->mName;
      for (; i < scene_.mNumMeshes && scene_.mMeshes[i]->mName == name; ++i) meshes.push_back(i);
      if (const auto part = partOf(meshes))
        result_.nodes.push_back({result_.parts[*part].name, std::nullopt, Transform{}, part});
    }
  }

  void add(const aiNode& node, std::optional<NodeId> parent) {
    if (!holds_.at(&node) && !reading_.keepsEmptyNodes) return;
    const std::optional<std::uint32_t> part = partOf(node);
    std::string name = validUtf8(node.mName.C_Str());
    if (name.empty() || reading_.isMadeUp(name)) name = part ? result_.parts[*part].name : "unnamed";
    const auto id = static_cast<NodeId>(result_.nodes.size());
    result_.nodes.push_back({name, parent, transformOf(node), part});
    for (unsigned i = 0; i < node.mNumChildren; ++i) add(*node.mChildren[i], id);
  }

  /// Notes for each node whether it or a node below it has triangles.
  bool note(const aiNode& node, int depth) {
    if (depth > deepestTree)
      throw InputError("the tree of nodes is deeper than " + std::to_string(deepestTree));
    bool holds = partOf(node).has_value();
    for (unsigned i = 0; i < node.mNumChildren; ++i) holds = note(*node.mChildren[i], depth + 1) || holds;
    holds_[&node] = holds;
    return holds;
  }

  std::optional<std::uint32_t> partOf(const aiNode& node) {
    return partOf(std::vector<unsigned>(node.mMeshes, node.mMeshes + node.mNumMeshes));
  }

  std::optional<std::uint32_t> partOf(const std::vector<unsigned>& meshes) {
    if (meshes.empty()) return std::nullopt;
    const auto [found, isNew] = parts_.emplace(meshes, std::nullopt);
    if (!isNew) return found->second;
    RawPart part;
    part.name = validUtf8(reading_.partName(*scene_.mMeshes[meshes.front()]));
    std::uint32_t source = 0;
    for (const unsigned i : meshes) addMesh(*scene_.mMeshes[i], part, source);
    if (part.triangles.empty()) return std::nullopt;
    weld(part);
    found->second = static_cast<std::uint32_t>(result_.parts.size());
    result_.parts.push_back(std::move(part));
    return found->second;
  }

  void addMesh(const aiMesh& mesh, RawPart& part, std::uint32_t& source) {
    const auto first = static_cast<std::uint32_t>(part.points.size());
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D& v = mesh.mVertices[i];
      part.points.push_back({static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)});
    }
    const auto surface = static_cast<std::uint32_t>(part.surfaces.size());
    bool isUsed = false;
    std::vector<std::uint32_t> corners;
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices < 3) {
        ++pointsAndLines_;
        continue;
      }
      corners.clear();
      for (unsigned k = 0; k < face.mNumIndices; ++k) {
        if (face.mIndices[k] >= mesh.mNumVertices)
          throw InputError("part '" + part.name + "'", "face " + std::to_string(i),
                           "index " + std::to_string(face.mIndices[k]) + " of " +
                               std::to_string(mesh.mNumVertices) + " points");
        corners.push_back(first + face.mIndices[k]);
      }
      addPolygon(part, corners, source++, surface);
      isUsed = true;
    }
    if (!isUsed) return;
    part.surfaces.emplace_back();
    part.colours.emplace_back();
    describeSurface(mesh, part);
    if (mesh.HasBones())
      result_.warnings.push_back(
          {"part '" + part.name + "'", "is deformed by a skeleton; it is read undeformed", true});
  }

  void describeSurface(const aiMesh& mesh, RawPart& part) const {
    if (mesh.mMaterialIndex >= scene_.mNumMaterials) return;
    const aiMaterial& material = *scene_.mMaterials[mesh.mMaterialIndex];
    aiString name;
    aiColor4D colour;
    const bool hasName = material.Get(AI_MATKEY_NAME, name) == aiReturn_SUCCESS && name.length > 0;
    // The library gives meshes without a material one without a name, after all others, or one of this name.
    if (!hasName && mesh.mMaterialIndex + 1 == scene_.mNumMaterials) return;
    if (hasName && std::string_view(name.C_Str()) == "%%%DEFAULT") return;
    if (hasName) part.surfaces.back() = validUtf8(name.C_Str());
    if (material.Get(AI_MATKEY_COLOR_DIFFUSE, colour) != aiReturn_SUCCESS) return;
    const auto component = [](float value) { return value >= 0 && value <= 1 ? value : 1.0F; };
    part.colours.back() =
        Colour{component(colour.r), component(colour.g), component(colour.b), component(colour.a)};
  }

  const aiScene& scene_;
  const AssimpReading& reading_;
  RawScene result_;
  std::map<std::vector<unsigned>, std::optional<std::uint32_t>> parts_;
  std::map<const aiNode*, bool> holds_;
  std::uint64_t pointsAndLines_ = 0;
};

}  // namespace

RawScene sceneOf(const AssimpFile& file, const AssimpReading& reading, ProgressLines& progress) {
  const StillWorking sign(progress, "joining corners");
  return SceneMaker(file, reading).make();
}

}  // namespace fitup::importers
