#pragma once

#include <utility>
#include <vector>

#include <osg/NodeVisitor>
#include <osg/ref_ptr>

#include <fitup/scene/poses.h>
#include <osgFitup/scene_assembly.h>

namespace osgFitup::detail {

/// Finds what has changed in a scene since its assembly was made, without walking it again. Groups,
/// transforms and parts are recorded and compared with their present state; drawables are compared by address
/// only.
class SceneWatch {
 public:
  /// Records a scene whose assembly is `scene`.
  void record(osg::Node& root, const osg::NodeVisitor& masks, const SceneAssembly& scene);

  /// Whether the assembly must be rebuilt: other children, active children, masks or models, other vertices
  /// of dynamic drawables, or a transform that assemblies leave out and did not before, or the reverse.
  [[nodiscard]] bool isOutdated() const;

  /// Returns the present placements of the instances that the graph has moved since the last call (or since
  /// `record`); `scene` is the one that was recorded. Precondition: not outdated.
  fitup::Poses follow(const SceneAssembly& scene);

 private:
  friend class SceneRecorder;

  /// A visited node, or one that its mask hides.
  struct Entry {
    osg::ref_ptr<osg::Node> node;
    bool isVisible = false;
    bool isPlain = true;  ///< its active children are its children
    const PartModel* model = nullptr;
    unsigned int childCount = 0;  ///< number of children of a plain group
    /// The active children with their positions; without the drawables of plain groups within parts, which
    /// are many.
    std::vector<std::pair<unsigned int, const osg::Node*>> children{};
  };
  /// A transform of the assembly.
  struct Placed {
    const osg::Transform* transform;
    fitup::NodeId node;
    osg::Matrixd matrix;
  };
  /// A transform that is not in the assembly.
  struct Unplaced {
    const osg::Transform* transform;
    bool isUsable;
  };
  /// A dynamic drawable of a part.
  struct Vertices {
    osg::ref_ptr<osg::Drawable> drawable;
    VertexVersion version;
  };
  [[nodiscard]] bool isSame(const Entry& entry) const;

  osg::Node::NodeMask traversalMask_ = ~0U, nodeMaskOverride_ = 0;
  std::vector<Entry> entries_;
  std::vector<Placed> placed_;
  fitup::Assembly assembly_;  ///< has the node placements of the last look
  std::vector<Unplaced> unplaced_;
  std::vector<Vertices> vertices_;
};

}  // namespace osgFitup::detail
