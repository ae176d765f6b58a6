#pragma once

#include <utility>
#include <vector>

#include <osg/NodeVisitor>
#include <osg/ref_ptr>

#include <fitup/scene/poses.h>
#include <osgFitup/scene_assembly.h>

namespace osgFitup::detail {

/// Finds what has changed in a scene since its assembly was made, without walking it again: groups,
/// transforms and parts are remembered and compared with what they are now, drawables are only compared by
/// address.
class SceneWatch {
 public:
  /// Remembers a scene of which `scene` is the assembly now.
  void record(osg::Node& root, const osg::NodeVisitor& masks, const SceneAssembly& scene);

  /// Whether the assembly has to be made anew: other children, active children, masks or models, other
  /// vertices of dynamic drawables, or a transform that has become one that assemblies leave out, or has
  /// ceased to be.
  [[nodiscard]] bool isOutdated() const;

  /// The instances that moved since the last call (or since they were recorded) with nodes of the graph,
  /// where they are now; `scene` is the one that was recorded. Precondition: not outdated.
  fitup::Poses follow(const SceneAssembly& scene);

 private:
  friend class SceneRecorder;

  /// A node that was met, or is there but hidden by its mask.
  struct Entry {
    osg::ref_ptr<osg::Node> node;
    bool isVisible = false;
    bool isPlain = true;  ///< its active children are its children
    const PartModel* model = nullptr;
    unsigned int childCount = 0;  ///< of a plain group
    /// Active ones with their positions; of plain groups within parts not the drawables, which are many.
    std::vector<std::pair<unsigned int, const osg::Node*>> children{};
  };
  /// A transform of the assembly.
  struct Placed {
    const osg::Transform* transform;
    fitup::NodeId node;
    osg::Matrixd matrix;
  };
  /// A transform that is none of the assembly's.
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
  fitup::Assembly assembly_;  ///< with nodes where they were when last looked at
  std::vector<Unplaced> unplaced_;
  std::vector<Vertices> vertices_;
};

}  // namespace osgFitup::detail
