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

/// A stored node: its position depth first, and one more than its parent's position (0 for no parent).
struct Remembered {
  std::size_t position, parent;
};

/// Checks that each position occurs once, below its stored parent, after that parent and after the siblings
/// before it.
bool fits(std::span<const Remembered> nodes, std::span<const std::optional<std::size_t>> parents) {
  if (nodes.size() != parents.size()) return false;
  std::vector<bool> there(parents.size(), false);
  std::vector<std::size_t> lastChild(parents.size() + 1, 0);  // one more than its position
  for (const auto& [position, parent] : nodes) {
    if (position >= parents.size() || there[position]) return false;
    if (parent != (parents[position] ? *parents[position] + 1 : 0)) return false;
    if (parent > 0 && !there[parent - 1]) return false;
    if (position < lastChild[parent]) return false;
    lastChild[parent] = position + 1;
    there[position] = true;
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
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto parent = assembly.nodes()[i].parent;
    text +=
        std::to_string(positions[i]) + ' ' + std::to_string(parent ? positions[index(*parent)] + 1 : 0) + ' ';
  }
  root.setUserValue(orderName, text);
}

bool isRememberedSubassembly(const osg::Node& node) {
  bool is = false;
  return node.getUserValue(subassemblyName, is) && is;
}

std::vector<std::size_t> rememberedOrder(const osg::Node& root,
                                         std::span<const std::optional<std::size_t>> parents) {
  std::vector<Remembered> nodes;
  std::string text;
  if (root.getUserValue(orderName, text)) {
    std::istringstream words(text);
    for (Remembered node{}; words >> node.position >> node.parent;) nodes.push_back(node);
  }
  std::vector<std::size_t> order(parents.size());
  if (fits(nodes, parents))
    std::transform(nodes.begin(), nodes.end(), order.begin(), [](const Remembered& n) { return n.position; });
  else
    std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

}  // namespace osgFitup::detail
