#include <viewer/core/instance_names.h>

#include <string_view>
#include <utility>
#include <vector>

namespace fitup::viewer {
namespace {

constexpr int longestEnd = 8;  ///< steps of a path; beyond, the whole path does as well

/// Where the last steps of a path begin, one more than those from `at` on.
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
  std::vector<std::pair<NodeId, std::string>> open;  // with the end of the path
  for (const NodeId node : instances) open.emplace_back(node, assembly_.path(node));
  std::vector<std::size_t> from;
  for (const auto& [node, path] : open) from.push_back(oneStepBefore(path, path.size() + 1));
  for (int steps = 1; steps <= longestEnd && !open.empty(); ++steps) {
    const auto endOf = [&](std::size_t i) { return std::string_view(open[i].second).substr(from[i]); };
    std::map<std::string_view, std::size_t> count;
    for (std::size_t i = 0; i < open.size(); ++i) ++count[endOf(i)];
    std::vector<std::pair<NodeId, std::string>> rest;
    std::vector<std::size_t> restFrom;
    for (std::size_t i = 0; i < open.size(); ++i) {
      // The bare name would do as a path's end, but reads as that of the others.
      const bool isBare = steps == 1 && from[i] > 0 && endOf(i).find('#') == std::string_view::npos;
      if (count[endOf(i)] == 1 && !isBare) {
        ends_.emplace(open[i].first, endOf(i));
        continue;
      }
      rest.emplace_back(open[i].first, open[i].second);
      restFrom.push_back(oneStepBefore(open[i].second, from[i]));
    }
    count.clear();  // refers to what goes
    open = std::move(rest);
    from = std::move(restFrom);
  }
  for (const auto& [node, path] : open) ends_.emplace(node, std::string());
}

std::string InstanceNames::of(NodeId instance) const {
  const auto found = ends_.find(instance);
  if (found == ends_.end()) return assembly_.node(instance).name;
  return found->second.empty() ? assembly_.path(instance) : found->second;
}

}  // namespace fitup::viewer
