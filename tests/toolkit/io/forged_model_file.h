#pragma once

#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

#include "support/placements.h"
#include "support/sample_model.h"
#include "support/tiny_meshes.h"

/// Model files with forged hierarchies and right checksums.
namespace forged_model_file_tests {

using namespace fitup;
using namespace fitup::test;

inline Model modelOfPart(const MeshPtr& mesh, const BuildOptions& options = {}) {
  Model model;
  model.assembly.addPart(mesh);
  model.assembly.addNode(mesh->name(), {}, {}, PartId(0));
  model.collisionModels = {CollisionModel::build(mesh, withScd(options))};
  return model;
}

/// Returns parts with nodes in rotated axes and in the model's, with few surfaces and many, small and far
/// away.
inline std::vector<MeshPtr> someParts() {
  const Transform turn = Transform::rotation({1, 2, 0.5}, 0.7);
  return {transformed(flatSheet(12, 20), turn * Transform::scaling(0.3, 0.3, 1)),
          transformed(uvSphere(1, 24, 24, 6), shift(5, -3, 2) * turn), sixSidedBox(2, 1, 0.5, 6),
          soup(700, 11, 0.3, 40)};
}

/// Changes the elements of a block.
template <typename T>
std::function<void(std::string&)> onElements(const std::function<void(std::span<T>)>& change) {
  return [change](std::string& bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    change(values);
    std::memcpy(bytes.data(), values.data(), bytes.size());
  };
}

}  // namespace forged_model_file_tests
