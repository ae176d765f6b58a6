#include <fitup/scene/assembly.h>

#include <algorithm>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>

namespace fitup {
namespace {

void checkPlacement(const std::string& name, const Transform& placement) {
  try {
    (void)placement.inverse();
  } catch (const PlacementError& error) {
    throw PlacementError("node '" + name + "': " + error.what());
  }
}

}  // namespace

std::string escapedName(std::string_view name) {
  std::string result;
  for (char c : name) {
    if (c == '/')
      result += "%2F";
    else if (c == '#')
      result += "%23";
    else if (c == '%')
      result += "%25";
    else
      result += c;
  }
  return result;
}

PartId Assembly::addPart(std::shared_ptr<const TriangleMesh> mesh) {
  if (!mesh) throw InputError("assembly '" + name_ + "'", "part", "no mesh");
  parts_.push_back(std::move(mesh));
  return PartId(static_cast<std::uint32_t>(parts_.size() - 1));
}

NodeId Assembly::addNode(std::string name, const Transform& parentFromNode, std::optional<NodeId> parent,
                         std::optional<PartId> part, std::optional<Colour> colour) {
  checkPlacement(name, parentFromNode);
  if (parent && index(*parent) >= nodes_.size())
    throw InputError("assembly", "node '" + name + "'", "unknown parent");
  if (part && index(*part) >= parts_.size())
    throw InputError("assembly", "node '" + name + "'", "unknown part");
  const NodeId id{static_cast<std::uint32_t>(nodes_.size())};
  nodes_.push_back({std::move(name), parent, {}, parentFromNode, part, colour});
  if (parent) nodes_[index(*parent)].children.push_back(id);
  return id;
}

NodeId Assembly::append(const Assembly& other, std::string name) {
  if (other.unit_ != unit_)
    throw InputError("assembly '" + name_ + "'", "'" + name + "'",
                     "is in " + other.unit_ + ", not in " + unit_);
  const auto firstPart = static_cast<std::uint32_t>(parts_.size());
  parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
  const NodeId root = addNode(std::move(name), {});
  const auto firstNode = static_cast<std::uint32_t>(nodes_.size());
  for (const AssemblyNode& n : other.nodes_) {
    const NodeId parent = n.parent ? NodeId{firstNode + static_cast<std::uint32_t>(*n.parent)} : root;
    const std::optional<PartId> part =
        n.part ? std::optional(PartId{firstPart + static_cast<std::uint32_t>(*n.part)}) : std::nullopt;
    addNode(n.name, n.parentFromNode, parent, part, n.colour);
  }
  return root;
}

void Assembly::setPlacement(NodeId node, const Transform& parentFromNode) {
  AssemblyNode& n = nodes_.at(index(node));
  checkPlacement(n.name, parentFromNode);
  n.parentFromNode = parentFromNode;
}

std::vector<NodeId> Assembly::instances() const {
  std::vector<NodeId> result;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].part) result.push_back(NodeId(i));
  return result;
}

std::vector<NodeId> Assembly::instancesBelow(NodeId node) const {
  std::vector<NodeId> result;
  for (NodeId i : instances())
    if (isAtOrBelow(i, node)) result.push_back(i);
  return result;
}

bool Assembly::isAtOrBelow(NodeId node, NodeId ancestor) const {
  for (std::optional<NodeId> n = node; n; n = nodes_.at(index(*n)).parent)
    if (*n == ancestor) return true;
  return false;
}

Transform Assembly::worldFromNode(NodeId id) const {
  const AssemblyNode* n = &nodes_.at(index(id));
  Transform result = n->parentFromNode;
  while (n->parent) {
    n = &nodes_[index(*n->parent)];
    result = n->parentFromNode * result;
  }
  return result;
}

Box Assembly::worldBounds(NodeId instance) const {
  const AssemblyNode& n = nodes_.at(index(instance));
  if (!n.part) return {};
  return placedBox(worldFromNode(instance), part(*n.part).boundsInPart());
}

std::string Assembly::path(NodeId id) const {
  const AssemblyNode& n = nodes_.at(index(id));
  std::uint32_t sameBefore = 0, same = 0;
  const auto count = [&](NodeId sibling) {
    if (nodes_[index(sibling)].name != n.name) return;
    ++same;
    if (index(sibling) < index(id)) ++sameBefore;
  };
  if (n.parent) {
    for (NodeId sibling : nodes_[index(*n.parent)].children) count(sibling);
  } else {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
      if (!nodes_[i].parent) count(NodeId(i));
  }
  std::string text = escapedName(n.name);
  if (same > 1) text += "#" + std::to_string(sameBefore + 1);
  return n.parent ? path(*n.parent) + "/" + text : text;
}

std::optional<NodeId> Assembly::find(std::string_view wanted) const {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (path(NodeId(i)) == wanted) return NodeId(i);
  return std::nullopt;
}

NodeId Assembly::at(std::string_view wanted) const {
  if (const auto found = find(wanted)) return *found;
  // A last step that matches is the most likely meaning; else the first paths show what they look like.
  const std::string_view tail = wanted.substr(wanted.rfind('/') + 1);
  std::string near;
  int listed = 0;
  for (int pass = 0; pass < 2 && listed == 0; ++pass)
    for (std::uint32_t i = 0; i < nodes_.size() && listed < 5; ++i) {
      const std::string candidate = path(NodeId(i));
      if (pass == 0 && candidate.find(tail) == std::string::npos) continue;
      near += (listed++ ? ", " : "") + candidate;
    }
  throw InputError("assembly '" + name_ + "'", "path '" + std::string(wanted) + "'",
                   "no such instance or subassembly; there is for example: " + near);
}

std::uint64_t Assembly::contentHash() const {
  ContentHash hash;
  hash.addText(unit_);
  for (const AssemblyNode& n : nodes_) {
    hash.addText(n.name);
    const std::uint32_t parent = n.parent ? static_cast<std::uint32_t>(*n.parent) + 1 : 0;
    hash.addBytes(&parent, sizeof parent);
    hash.addBytes(&n.parentFromNode, sizeof n.parentFromNode);
    const std::uint64_t part = n.part ? parts_[index(*n.part)]->contentHash() : 0;
    hash.addBytes(&part, sizeof part);
  }
  return hash.value();
}

}  // namespace fitup
