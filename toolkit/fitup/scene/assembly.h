#pragma once

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

/// Ordinal of a distinct part of an assembly / of a node of its tree. From 0.
enum class PartId : std::uint32_t {};
enum class NodeId : std::uint32_t {};
constexpr std::size_t index(PartId id) noexcept { return static_cast<std::size_t>(id); }
constexpr std::size_t index(NodeId id) noexcept { return static_cast<std::size_t>(id); }

/// Which axis of the file points up. Carried for display; geometry is never rotated by it.
enum class UpAxis : std::uint32_t { x, y, z };
/// "x", "y", "z", and back.
std::string_view name(UpAxis axis) noexcept;
std::optional<UpAxis> upAxisFromName(std::string_view text) noexcept;

/// A node of the assembly tree: a subassembly (no part) or an *instance* (one occurrence of a part).
struct AssemblyNode {
  std::string name;  ///< as the file gives it, unescaped
  std::optional<NodeId> parent;
  std::vector<NodeId> children;
  Transform parentFromNode;
  std::optional<PartId> part;
  std::optional<Colour> colour;  ///< of this occurrence; overrides the part's
  /// The caller's own, as `Surface::tag`.
  std::uint64_t tag = 0;
};

/// A tree of subassemblies and instances of parts, with placements. A value: copies share the meshes.
///
/// All lengths are in `unit()`. Const member functions are thread-safe. Whatever takes an id throws
/// InputError that names assembly and id where there is none such. Instances are addressed by *paths*: the
/// nodes' names from a root downwards joined by '/', with '/', '#' and '%' inside names written %2F, %23,
/// %25, and `#k` (k from 1) appended among siblings of one name.
class Assembly {
 public:
  explicit Assembly(std::string name = {}) : name_(std::move(name)) {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Length unit as its symbol, "mm" by default.
  [[nodiscard]] const std::string& unit() const noexcept { return unit_; }
  void setUnit(std::string unit) { unit_ = std::move(unit); }
  [[nodiscard]] UpAxis upAxis() const noexcept { return upAxis_; }
  void setUpAxis(UpAxis axis) noexcept { upAxis_ = axis; }

  PartId addPart(std::shared_ptr<const TriangleMesh> mesh);
  /// Puts another mesh in a part's place, as when it has been deformed (`CollisionModel::refit`); all its
  /// instances show it. Throws InputError for no mesh.
  void replacePart(PartId id, std::shared_ptr<const TriangleMesh> mesh);
  /// Adds a node below `parent`, or a root. Throws PlacementError (naming the node) for a placement that is
  /// singular or not finite.
  NodeId addNode(std::string name, const Transform& parentFromNode, std::optional<NodeId> parent = {},
                 std::optional<PartId> part = {}, std::optional<Colour> colour = {});
  /// Adds all of another assembly below a new root node of that name; parts and nodes follow those already
  /// there, in their order. Throws InputError if the units differ.
  NodeId append(const Assembly& other, std::string name);
  /// `AssemblyNode::tag`; reports name nodes by the same id.
  void setTag(NodeId node, std::uint64_t tag);
  /// Moves a node with all below it. Throws as `addNode`.
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

  /// The part that an instance is an occurrence of, and its mesh. Throw InputError for a node that is none.
  [[nodiscard]] PartId partOf(NodeId instance) const {
    const std::optional<PartId>& part = node(instance).part;
    if (!part) refuseAsInstance(instance);
    return *part;
  }
  [[nodiscard]] const TriangleMesh& meshOf(NodeId instance) const { return part(partOf(instance)); }

  /// Nodes that carry a part, in the order they were added.
  [[nodiscard]] std::vector<NodeId> instances() const;
  /// Instances at or below a node, in the order they were added.
  [[nodiscard]] std::vector<NodeId> instancesBelow(NodeId node) const;
  /// True if `node` is `ancestor` or lies below it.
  [[nodiscard]] bool isAtOrBelow(NodeId node, NodeId ancestor) const;

  /// worldFromPart for an instance, worldFromNode for any node.
  [[nodiscard]] Transform worldFromNode(NodeId id) const;
  /// Box of an instance's part in the world, conservative.
  [[nodiscard]] Box worldBounds(NodeId instance) const;

  /// Linear in the depth of the node, however many siblings it has; so is finding it again.
  [[nodiscard]] std::string path(NodeId id) const;
  [[nodiscard]] std::optional<NodeId> find(std::string_view path) const;
  /// As `find`; throws InputError that names the path and lists near names.
  [[nodiscard]] NodeId at(std::string_view path) const;

  /// Over unit, tree, names, placements and the parts' contents.
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

/// A name with '/', '#' and '%' escaped, as it stands in a path.
std::string escapedName(std::string_view name);

}  // namespace fitup
