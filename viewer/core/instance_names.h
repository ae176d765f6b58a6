#pragma once

#include <map>
#include <span>
#include <string>

#include <fitup/scene/assembly.h>

namespace fitup::viewer {

/// What instances are called where a path would be too long: their names, and where several have the same the
/// ends of their paths that tell each from the others ("left/bolt#2"). Of an assembly that outlives it and
/// keeps its nodes.
class InstanceNames {
 public:
  explicit InstanceNames(const Assembly& assembly);
  [[nodiscard]] std::string of(NodeId instance) const;

 private:
  void tellApart(std::span<const NodeId> instances);

  const Assembly& assembly_;
  std::map<NodeId, std::string> ends_;  ///< where the name does not do; empty: nor does a short end
};

}  // namespace fitup::viewer
