#include <osgFitup/detail/node_order.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <string>

#include <osg/ValueObject>

namespace osgFitup::detail {
namespace {

using fitup::NodeId;

constexpr const char *orderName = "osgFitup.nodeOrder", *subassemblyName = "osgFitup.subassembly";

std::vector<NodeId> depthFirst(const fitup::Assembly& assembly) {
  std::vector<NodeId> waiting, order;
  for (std::size_t i = assembly.nodes().size(); i-- > 0;)
    if (!assembly.nodes()[i].parent) waiting.push_back(NodeId{static_cast<std::uint32_t>(i)});
  while (!waiting.empty()) {
    order.push_back(waiting.back());
    waiting.pop_back();
    const auto& children = assembly.node(order.back()).children;
    waiting.insert(waiting.end(), children.rbegin(), children.rend());
  }
  return order;
}

/// By NodeId. Parents come before their children.
std::vector<bool> holdParts(std::span<const fitup::AssemblyNode> nodes) {
  std::vector<bool> hold(nodes.size(), false);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (nodes[i].part) hold[i] = true;
    if (hold[i] && nodes[i].parent) hold[index(*nodes[i].parent)] = true;
  }
  return hold;
}

/// Each position once, and none before its parent's.
bool fits(std::span<const std::size_t> order, std::span<const std::optional<std::size_t>> parents) {
  if (order.size() != parents.size()) return false;
  std::vector<bool> there(parents.size(), false);
  for (const std::size_t i : order) {
    if (i >= parents.size() || there[i] || (parents[i] && !there[*parents[i]])) return false;
    there[i] = true;
  }
  return true;
}

}  // namespace

void rememberNodes(osg::Group& root, const fitup::Assembly& assembly,
                   std::span<const osg::ref_ptr<osg::Group>> nodes) {
  const std::vector<bool> hold = holdParts(assembly.nodes());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!hold[i]) nodes[i]->setUserValue(subassemblyName, true);
  const std::vector<NodeId> found = depthFirst(assembly);
  if (std::is_sorted(found.begin(), found.end())) return;
  std::vector<std::size_t> positions(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) positions[index(found[i])] = i;
  std::string text;
  for (const std::size_t position : positions) text += std::to_string(position) + ' ';
  root.setUserValue(orderName, text);
}

bool isRememberedSubassembly(const osg::Node& node) {
  bool is = false;
  return node.getUserValue(subassemblyName, is) && is;
}

std::vector<std::size_t> rememberedOrder(const osg::Node& root,
                                         std::span<const std::optional<std::size_t>> parents) {
  std::vector<std::size_t> order;
  std::string text;
  if (root.getUserValue(orderName, text)) {
    std::istringstream words(text);
    for (std::size_t position = 0; words >> position;) order.push_back(position);
  }
  if (!fits(order, parents)) {
    order.resize(parents.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
  }
  return order;
}

}  // namespace osgFitup::detail
