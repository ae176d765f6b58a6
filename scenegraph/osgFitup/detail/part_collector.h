#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <osg/Drawable>

#include <fitup/geometry/transform.h>
#include <osgFitup/detail/scene_walk.h>
#include <osgFitup/part_model.h>

namespace osgFitup::detail {

/// A drawable of a part.
struct PartDrawable {
  osg::Drawable* drawable = nullptr;
  ChildPath path;  ///< from the part's node
  fitup::Transform partFromDrawable;
  std::string pathText;  ///< from the first node visited
  std::string name;
  std::optional<fitup::Colour> colour;  ///< that of the material, or the one colour of all vertices, if any
};

/// A node that is a part, and its drawables.
struct CollectedPart {
  osg::Node* node = nullptr;
  std::string name;
  bool keepsModel = false;  ///< it carries a model that is kept: its drawables are not listed
  std::vector<PartDrawable> drawables;
};

/// Finds the parts of a subgraph by the rule of `CollisionModelVisitor`, each once however often it occurs. A
/// node that is a part in one place is one in all places, because models belong to nodes. So the graph is
/// walked once to find the parts, and once more to assign their drawables.
class PartCollector : public SceneWalk {
 public:
  using Nodes = std::unordered_set<const osg::Node*>;

  /// Uses the masks of `masks`. `keepModels`: lists the drawables of a part with a model only if its model is
  /// `stale`.
  PartCollector(const osg::NodeVisitor& masks, bool keepModels, Nodes stale = {});
  ~PartCollector() override = default;

  /// Precondition: called once.
  void collect(osg::Node& root);
  /// In the order of traversal, without those that have neither drawables nor model. Parts with a stale model
  /// may have no drawables left.
  std::vector<CollectedPart> parts;
  /// Nodes that carry a model and are not parts; none if models are kept.
  std::vector<osg::Node*> outdated;

 protected:
  void visit(osg::Node& node, const fitup::Transform* parentFromNode) override;

 private:
  /// A part on the current path. One that was seen before, or that keeps its model, collects nothing.
  struct OpenPart {
    std::size_t part = 0;
    std::size_t depth = 0;  ///< depth of its node in the path
    bool marked = false;
    bool collects = true;
    fitup::Transform partFromNode;  ///< placement of the node visited last
  };
  [[nodiscard]] const osg::Node* onlySeenChild(const osg::Group& group) const;
  [[nodiscard]] bool becomesPart(const osg::Node& node, bool isTransform) const;
  void find(osg::Node& node, bool isTransform);
  void open(osg::Node& node);
  void descend(osg::Node& node);
  void take(osg::Drawable& drawable);
  [[nodiscard]] bool keepsModel(const osg::Node& node) const;
  unsigned int childIndex(const osg::Group& group, const osg::Node* child);

  bool keepModels_;
  Nodes stale_;
  bool found_ = false;  ///< second walk
  Nodes partNodes_;
  std::vector<OpenPart> open_;
  std::unordered_map<const osg::Node*, std::size_t> partOfNode_;
  static constexpr unsigned int noChild = ~0U;  ///< the one before the first
  std::unordered_map<const osg::Group*, unsigned int> lastChild_;
  const osg::Group* container_ = nullptr;  ///< its children are the parts of last resort
  const osg::Node* lastResort_ = nullptr;  ///< or this node alone is
};

}  // namespace osgFitup::detail
