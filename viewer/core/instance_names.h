#pragma once

#include <map>
#include <span>
#include <string>

#include <fitup/scene/assembly.h>

namespace fitup::viewer {

/// Short names of instances, for places where a path would be too long: the instance's name, or, if several
/// have the same name, the end of the path that distinguishes it ("left/bolt#2"). The assembly must outlive
/// the object and keep its nodes.
class InstanceNames {
 public:
  explicit InstanceNames(const Assembly& assembly);
  [[nodiscard]] std::string of(NodeId instance) const;

 private:
  void tellApart(std::span<const NodeId> instances);

  const Assembly& assembly_;
  std::map<NodeId, std::string> ends_;  ///< if the name is ambiguous; empty if every short end is too
};

}  // namespace fitup::viewer
