#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/geometry/transform.h>
#include <fitup/mesh/triangle_mesh.h>
#include <fitup/scene/sibling_names.h>

namespace FITUP_EXPORT fitup {

/// Ordinal of a distinct part of an assembly, from 0.
enum class PartId : std::uint32_t {};
/// Ordinal of a node of the assembly tree, from 0.
enum class NodeId : std::uint32_t {};
constexpr std::size_t index(PartId id) noexcept { return static_cast<std::size_t>(id); }
constexpr std::size_t index(NodeId id) noexcept { return static_cast<std::size_t>(id); }

/// The axis of the file that points up. It is stored for display; geometry is never rotated to match it.
enum class UpAxis : std::uint32_t { x, y, z };
/// Conversions to and from "x", "y", "z".
std::string_view name(UpAxis axis) noexcept;
std::optional<UpAxis> upAxisFromName(std::string_view text) noexcept;

/// A node of the assembly tree: a subassembly (no part) or an *instance* (one occurrence of a part).
struct AssemblyNode {
  std::string name;  ///< as in the file, unescaped
  std::optional<NodeId> parent;
  std::vector<NodeId> children;
  Transform parentFromNode;
  std::optional<PartId> part;
  std::optional<Colour> colour;  ///< of this occurrence; overrides the colour of the part
  /// The caller's own number, as `Surface::tag`.
  std::uint64_t tag = 0;
  /// Names of the file's layers that the node, its part, or a solid or face of its part is on; sorted, each
  /// once. What is below the node is on them too.
  std::vector<std::string> layers;
};

/// A tree of subassemblies and instances of parts, with placements. A value: copies share the meshes.
///
/// All lengths are in `unit()`. Const member functions are thread-safe. Members that take an id throw
/// InputError if the assembly has no such id; the message names the assembly and the id. A *path* identifies
/// an instance: the names of the nodes from a root downwards, joined by '/'. Inside names, '/', '#' and '%'
/// are written %2F, %23 and %25. Siblings of the same name get the suffix `#k`, k from 1.
class Assembly {
 public:
  explicit Assembly(std::string name = {}) : name_(std::move(name)) {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// The symbol of the length unit, "mm" by default.
  [[nodiscard]] const std::string& unit() const noexcept { return unit_; }
  void setUnit(std::string unit) { unit_ = std::move(unit); }
  [[nodiscard]] UpAxis upAxis() const noexcept { return upAxis_; }
  void setUpAxis(UpAxis axis) noexcept { upAxis_ = axis; }

  /// Adds a part, of which instances can then be added. Throws InputError if `mesh` is null.
  PartId addPart(std::shared_ptr<const TriangleMesh> mesh);
  /// Replaces the mesh of a part, for example after a deformation (`CollisionModel::refit`). All instances of
  /// the part show the new mesh. Throws InputError if `mesh` is null.
  void replacePart(PartId id, std::shared_ptr<const TriangleMesh> mesh);
  /// Makes an instance show another part; other instances of its former part keep that one. Throws InputError
  /// if the node is not an instance.
  void setPart(NodeId instance, PartId part);
  /// Adds a node below `parent`, or a root. Throws PlacementError, which names the node, if the placement is
  /// singular or not finite.
  NodeId addNode(std::string name, const Transform& parentFromNode, std::optional<NodeId> parent = {},
                 std::optional<PartId> part = {}, std::optional<Colour> colour = {});
  /// Adds all of another assembly below a new root node called `name`. The added parts and nodes keep their
  /// order and follow the existing ones. Throws InputError if the units differ.
  NodeId append(const Assembly& other, std::string name);
  /// Sets `AssemblyNode::tag`. Reports name nodes by NodeId, so the tag can be looked up from a report.
  void setTag(NodeId node, std::uint64_t tag);
  /// Sets `AssemblyNode::layers`. They may come in any order; empty names and repetitions are left out.
  void setLayers(NodeId node, std::vector<std::string> layers);
  /// Moves a node and everything below it. Throws PlacementError as `addNode` does.
  void setPlacement(NodeId node, const Transform& parentFromNode);

  [[nodiscard]] std::size_t partCount() const noexcept { return parts_.size(); }
  [[nodiscard]] const TriangleMesh& part(PartId id) const { return *sharedPart(id); }
  [[nodiscard]] const std::shared_ptr<const TriangleMesh>& sharedPart(PartId id) const {
    if (index(id) >= parts_.size()) refuse(id);
    return parts_[index(id)];
  }
  [[nodiscard]] std::span<const AssemblyNode> nodes() const noexcept { return nodes_; }
  [[nodiscard]] const AssemblyNode& node(NodeId id) const {
    if (index(id) >= nodes_.size()) refuse(id);
    return nodes_[index(id)];
  }

  /// The part of an instance, and its mesh. Both throw InputError if the node is not an instance.
  [[nodiscard]] PartId partOf(NodeId instance) const {
    const std::optional<PartId>& part = node(instance).part;
    if (!part) refuseAsInstance(instance);
    return *part;
  }
  [[nodiscard]] const TriangleMesh& meshOf(NodeId instance) const { return part(partOf(instance)); }

  /// Nodes that carry a part, in the order they were added.
  [[nodiscard]] std::vector<NodeId> instances() const;
  /// True if `accepts` is true for a layer of the node or of one above it.
  template <typename Accepts>
  [[nodiscard]] bool isOnLayer(NodeId id, const Accepts& accepts) const {
    for (std::optional<NodeId> at = id; at; at = node(*at).parent)
      if (std::ranges::any_of(node(*at).layers, accepts)) return true;
    return false;
  }
  /// Instances at or below a node, in the order they were added.
  [[nodiscard]] std::vector<NodeId> instancesBelow(NodeId node) const;
  /// True if `node` is `ancestor` or lies below it.
  [[nodiscard]] bool isAtOrBelow(NodeId node, NodeId ancestor) const;

  /// worldFromPart for an instance, worldFromNode for any node.
  [[nodiscard]] Transform worldFromNode(NodeId id) const;
  /// Bounding box of an instance's part in the world, conservative.
  [[nodiscard]] Box worldBounds(NodeId instance) const;

  /// The path of a node, and the node of a path. Both are linear in the depth of the node and do not depend
  /// on the number of siblings.
  [[nodiscard]] std::string path(NodeId id) const;
  [[nodiscard]] std::optional<NodeId> find(std::string_view path) const;
  /// As `find`, but throws InputError if there is no such path. The message names the path and lists similar
  /// names.
  [[nodiscard]] NodeId at(std::string_view path) const;

  /// Hash over unit, tree, names, placements and the contents of the parts.
  [[nodiscard]] std::uint64_t contentHash() const;

 private:
  [[noreturn]] void refuse(PartId id) const;
  [[noreturn]] void refuse(NodeId id) const;
  [[noreturn]] void refuseAsInstance(NodeId node) const;

  std::string name_;
  std::string unit_ = "mm";
  UpAxis upAxis_ = UpAxis::z;
  std::vector<std::shared_ptr<const TriangleMesh>> parts_;
  std::vector<AssemblyNode> nodes_;
  SiblingNames siblingNames_;
};

/// Returns the name with '/', '#' and '%' escaped, as paths contain it.
std::string escapedName(std::string_view name);

}  // namespace fitup
