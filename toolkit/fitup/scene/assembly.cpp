#include <fitup/scene/assembly.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/base/text.h>

namespace fitup {
namespace {

void checkPlacement(const std::string& name, const Transform& placement) {
  try {
    (void)placement.inverse();
  } catch (const PlacementError& error) {
    throw PlacementError("node '" + name + "': " + error.what());
  }
}

/// Edit distance: fewest insertions, deletions and replacements of characters that turn one text into the
/// other. Ignores case.
std::size_t editDistance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) != lower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

/// Measure of how unlikely it is that `wanted` means `path`. The last step counts most, because people
/// remember it best.
std::size_t unlikeness(std::string_view wanted, std::string_view path) {
  while (wanted.ends_with('/')) wanted.remove_suffix(1);
  const auto lastStep = [](std::string_view text) { return text.substr(text.rfind('/') + 1); };
  return 4 * editDistance(lastStep(wanted), lastStep(path)) + editDistance(wanted, path);
}

/// The reverse of `escapedName`; other text stays as it is.
std::string unescapedName(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view code = text.substr(i, 3);
    const char c = code == "%2F" ? '/' : code == "%23" ? '#' : code == "%25" ? '%' : '\0';
    result += c != '\0' ? c : text[i];
    if (c != '\0') i += 2;
  }
  return result;
}

std::optional<std::uint32_t> ordinalOf(std::optional<NodeId> node) {
  return node ? std::optional(static_cast<std::uint32_t>(*node)) : std::nullopt;
}

/// Returns k of "#k" as paths contain it: from 1, decimal, without leading zeros.
std::optional<std::size_t> placeOf(std::string_view text) {
  if (text.size() < 2 || text[0] != '#' || text[1] == '0') return std::nullopt;
  std::size_t k = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), k);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return k;
}

}  // namespace

std::string_view name(UpAxis axis) noexcept {
  switch (axis) {
    case UpAxis::x:
      return "x";
    case UpAxis::y:
      return "y";
    case UpAxis::z:
      break;
  }
  return "z";
}

std::optional<UpAxis> upAxisFromName(std::string_view text) noexcept {
  for (const UpAxis axis : {UpAxis::x, UpAxis::y, UpAxis::z})
    if (text == name(axis)) return axis;
  return std::nullopt;
}

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

void Assembly::replacePart(PartId id, std::shared_ptr<const TriangleMesh> mesh) {
  if (!mesh) throw InputError("assembly '" + name_ + "'", "part", "no mesh");
  if (index(id) >= parts_.size()) refuse(id);
  parts_[index(id)] = std::move(mesh);
}

void Assembly::setPart(NodeId instance, PartId part) {
  (void)partOf(instance);
  if (index(part) >= parts_.size()) refuse(part);
  nodes_[index(instance)].part = part;
}

NodeId Assembly::addNode(std::string name, const Transform& parentFromNode, std::optional<NodeId> parent,
                         std::optional<PartId> part, std::optional<Colour> colour) {
  checkPlacement(name, parentFromNode);
  const auto refuseAsUnknown = [&](const std::string& what) {
    throw InputError("assembly '" + name_ + "'", "node '" + name + "'", "unknown " + what);
  };
  if (parent && index(*parent) >= nodes_.size()) refuseAsUnknown("parent " + std::to_string(index(*parent)));
  if (part && index(*part) >= parts_.size()) refuseAsUnknown("part " + std::to_string(index(*part)));
  const NodeId id{static_cast<std::uint32_t>(nodes_.size())};
  siblingNames_.add(ordinalOf(parent), name);
  nodes_.push_back({.name = std::move(name),
                    .parent = parent,
                    .parentFromNode = parentFromNode,
                    .part = part,
                    .colour = colour});
  if (parent) nodes_[index(*parent)].children.push_back(id);
  return id;
}

NodeId Assembly::append(const Assembly& other, std::string name) {
  if (&other == this)
    return append(Assembly(other), std::move(name));  // the loops below read what they append to
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
    const NodeId added = addNode(n.name, n.parentFromNode, parent, part, n.colour);
    setTag(added, n.tag);
    setLayers(added, n.layers);
  }
  return root;
}

void Assembly::setTag(NodeId node, std::uint64_t tag) {
  (void)this->node(node);
  nodes_[index(node)].tag = tag;
}

void Assembly::setLayers(NodeId node, std::vector<std::string> layers) {
  (void)this->node(node);
  std::erase_if(layers, [](const std::string& layer) { return layer.empty(); });
  std::ranges::sort(layers);
  layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
  nodes_[index(node)].layers = std::move(layers);
}

void Assembly::setPlacement(NodeId node, const Transform& parentFromNode) {
  checkPlacement(this->node(node).name, parentFromNode);
  nodes_[index(node)].parentFromNode = parentFromNode;
}

void Assembly::refuse(PartId id) const {
  throw InputError("assembly '" + name_ + "'", "part " + std::to_string(index(id)), "does not exist");
}

void Assembly::refuse(NodeId id) const {
  throw InputError("assembly '" + name_ + "'", "node " + std::to_string(index(id)), "does not exist");
}

void Assembly::refuseAsInstance(NodeId node) const {
  throw InputError("assembly '" + name_ + "'", "node '" + path(node) + "'",
                   "is a subassembly, not an instance of a part");
}

std::vector<NodeId> Assembly::instances() const {
  std::vector<NodeId> result;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].part) result.push_back(NodeId(i));
  return result;
}

std::vector<NodeId> Assembly::instancesBelow(NodeId node) const {
  (void)this->node(node);
  std::vector<NodeId> result;
  for (NodeId i : instances())
    if (isAtOrBelow(i, node)) result.push_back(i);
  return result;
}

bool Assembly::isAtOrBelow(NodeId node, NodeId ancestor) const {
  (void)this->node(ancestor);
  for (std::optional<NodeId> n = node; n; n = this->node(*n).parent)
    if (*n == ancestor) return true;
  return false;
}

Transform Assembly::worldFromNode(NodeId id) const {
  const AssemblyNode* n = &node(id);
  Transform result = n->parentFromNode;
  while (n->parent) {
    n = &nodes_[index(*n->parent)];
    result = n->parentFromNode * result;
  }
  return result;
}

Box Assembly::worldBounds(NodeId instance) const {
  const AssemblyNode& n = node(instance);
  if (!n.part) return {};
  return placedBox(worldFromNode(instance), part(*n.part).boundsInPart());
}

std::string Assembly::path(NodeId id) const {
  std::vector<std::string> steps;  // from the node up; trees may be deeper than the stack
  for (std::optional<NodeId> at = id; at; at = node(*at).parent) {
    const auto ordinal = static_cast<std::uint32_t>(*at);
    std::string& text = steps.emplace_back(escapedName(node(*at).name));
    if (siblingNames_.count(ordinal) > 1) text += "#" + std::to_string(siblingNames_.place(ordinal) + 1);
  }
  std::string path = std::move(steps.back());
  for (std::size_t i = steps.size() - 1; i-- > 0;) path += "/" + steps[i];
  return path;
}

std::optional<NodeId> Assembly::find(std::string_view wanted) const {
  std::optional<NodeId> parent;
  while (true) {
    const std::string_view step = wanted.substr(0, wanted.find('/'));
    const std::string_view name = step.substr(0, step.find('#')), place = step.substr(name.size());
    std::optional<NodeId> found;
    const std::string unescaped = unescapedName(name);
    // A name has one escaped form; other spellings of it are not paths.
    const auto same = escapedName(unescaped) == name ? siblingNames_.named(ordinalOf(parent), unescaped)
                                                     : std::span<const std::uint32_t>();
    if (same.size() == 1 && place.empty()) found = NodeId{same.front()};
    if (const auto k = placeOf(place); k && same.size() > 1 && *k <= same.size())
      found = NodeId{same[*k - 1]};
    if (!found || step.size() == wanted.size()) return found;
    wanted.remove_prefix(step.size() + 1);
    parent = found;
  }
}

NodeId Assembly::at(std::string_view wanted) const {
  if (const auto found = find(wanted)) return *found;
  constexpr std::size_t mostNames = 5, longestMistake = 1000;  // each comparison costs their product
  if (wanted.size() > longestMistake)
    throw InputError("assembly '" + name_ + "'", "path '" + shortened(wanted, longestMistake) + "'",
                     "no such instance or subassembly");
  std::vector<std::pair<std::size_t, NodeId>> ranked;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    ranked.emplace_back(unlikeness(wanted, path(NodeId(i))), NodeId(i));
  const std::size_t shown = std::min(mostNames, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(shown), ranked.end());
  std::string near = shown > 0 ? "; existing paths are, for example: " : "";
  for (std::size_t i = 0; i < shown; ++i) near += (i > 0 ? ", " : "") + path(ranked[i].second);
  throw InputError("assembly '" + name_ + "'", "path '" + std::string(wanted) + "'",
                   "no such instance or subassembly" + near);
}

std::uint64_t Assembly::contentHash() const {
  ContentHash hash;
  hash.addText(unit_);
  for (const AssemblyNode& n : nodes_) {
    hash.addText(n.name);
    const std::uint32_t parent = n.parent ? static_cast<std::uint32_t>(*n.parent) + 1 : 0;
    hash.addValue(parent);
    hash.addValue(n.parentFromNode);
    const std::uint64_t part = n.part ? parts_[index(*n.part)]->contentHash() : 0;
    hash.addValue(part);
  }
  return hash.value();
}

}  // namespace fitup
