#include <viewer/core/instance_names.h>

#include <string_view>
#include <utility>
#include <vector>

namespace fitup::viewer {
namespace {

constexpr int longestEnd = 8;  ///< steps of a path; beyond this, the whole path is as good

/// Returns where the last steps of a path begin, one step more than those from `at` on.
std::size_t oneStepBefore(std::string_view path, std::size_t at) {
  if (at < 2) return 0;
  const std::size_t slash = path.rfind('/', at - 2);
  return slash == std::string_view::npos ? 0 : slash + 1;
}

}  // namespace

InstanceNames::InstanceNames(const Assembly& assembly) : assembly_(assembly) {
  std::map<std::string_view, std::vector<NodeId>> byName;
  for (const NodeId node : assembly.instances()) byName[assembly.node(node).name].push_back(node);
  for (const auto& [name, instances] : byName)
    if (instances.size() > 1) tellApart(instances);
}

void InstanceNames::tellApart(std::span<const NodeId> instances) {
  struct Open {
    NodeId node;
    std::string path;
    std::size_t from;  ///< the start of the end that is tried
    [[nodiscard]] std::string end() const { return path.substr(from); }
  };
  std::vector<Open> open;
  for (const NodeId node : instances) {
    std::string path = assembly_.path(node);
    const std::size_t from = oneStepBefore(path, path.size() + 1);
    open.push_back({node, std::move(path), from});
  }
  for (int steps = 1; steps <= longestEnd && !open.empty(); ++steps) {
    std::map<std::string, std::size_t> count;
    for (const Open& each : open) ++count[each.end()];
    std::erase_if(open, [&](const Open& each) {
      const std::string end = each.end();
      // The bare name would also be a distinct end of the path, but reads like the name of the others.
      const bool isBare = steps == 1 && each.from > 0 && end.find('#') == std::string::npos;
      if (count[end] > 1 || isBare) return false;
      ends_.emplace(each.node, end);
      return true;
    });
    for (Open& each : open) each.from = oneStepBefore(each.path, each.from);
  }
  for (const Open& each : open) ends_.emplace(each.node, std::string());
}

std::string InstanceNames::of(NodeId instance) const {
  const auto found = ends_.find(instance);
  if (found == ends_.end()) return assembly_.node(instance).name;
  return found->second.empty() ? assembly_.path(instance) : found->second;
}

}  // namespace fitup::viewer
