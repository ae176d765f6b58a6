#pragma once

#include <string>
#include <vector>

#include <fitup/planning/removal.h>

#include "support/tiny_meshes.h"

namespace fitup::test {

/// A scene under construction, whose moved parts shall come out.
struct RemovalStage {
  Assembly assembly{"stage"};
  std::vector<NodeId> moved;

  NodeId rest(const std::string& name, const MeshPtr& mesh, const Transform& where = {}) {
    return assembly.addNode(name, where, {}, assembly.addPart(mesh));
  }
  NodeId move(const std::string& name, const MeshPtr& mesh, const Transform& where = {}) {
    moved.push_back(rest(name, mesh, where));
    return moved.back();
  }
  [[nodiscard]] RemovalReport find(const RemovalOptions& options = {}) const {
    return findRemoval(Scene(assembly), {}, moved, options);
  }
};

}  // namespace fitup::test
