#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include <QStringList>

#include <viewer/gui/document.h>
#include <viewer/gui/state_icons.h>

namespace fitup::viewer {

/// What the tree shows beside names. Sums over the tree are kept; everything else is computed for the lines
/// that are drawn, so that assemblies with 100,000 instances stay quick. Use it while a session is open.
class InstanceStates {
 public:
  explicit InstanceStates(const Document& document) : document_(document) {}

  /// Begins with the document's model. Linear in its nodes.
  void begin();
  /// Follows the session's state. Linear in the nodes if what is hidden has changed, otherwise in the scope
  /// of the check.
  void followState();
  /// Follows the answer of the check. Linear in its pairs, times the depth of the tree.
  void followAnswer();

  /// Whether all, some or none of the instances at or below a node are hidden.
  [[nodiscard]] bool allHidden(NodeId node) const { return hidden(node) == instances(node); }
  [[nodiscard]] bool anyHidden(NodeId node) const { return hidden(node) > 0; }
  /// The number of instances at or below a node.
  [[nodiscard]] std::uint32_t instances(NodeId node) const { return instances_.at(index(node)); }
  /// The instance is not in the scope of the check.
  [[nodiscard]] bool isOutOfScope(NodeId node) const;
  [[nodiscard]] bool isGhosted(NodeId node) const;
  [[nodiscard]] bool isMoved(NodeId node) const;
  /// The signs of a line, in their order.
  [[nodiscard]] std::vector<StateSign> signs(NodeId node) const;
  /// A sentence about each state of a line; without names of the model.
  [[nodiscard]] QStringList texts(NodeId node) const;

 private:
  [[nodiscard]] std::uint32_t hidden(NodeId node) const { return hidden_.at(index(node)); }
  [[nodiscard]] bool isPart(NodeId node) const;
  [[nodiscard]] bool isOpen(NodeId node) const;
  /// The number of faces without triangles; the part has no triangles at all: all of its faces, at least one.
  [[nodiscard]] std::size_t missingFaces(NodeId node) const;
  void addUpwards(NodeId instance, std::vector<std::uint32_t>& sums) const;

  const Document& document_;
  std::vector<std::uint32_t> instances_, hidden_;  ///< by node: at or below it
  std::vector<std::uint32_t> occurrences_;         ///< by part: of its instances
  std::vector<std::uint32_t> missing_;             ///< by part, as `missingFaces`
  /// By node: the pairs that need action, and those of them that clash.
  std::vector<std::uint32_t> needAction_, clash_;
  std::set<NodeId> hiddenNow_, scope_;
  std::vector<bool> open_;  ///< by part: the last check found holes in it
};

}  // namespace fitup::viewer
