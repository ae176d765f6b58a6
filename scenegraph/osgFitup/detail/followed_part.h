#pragma once

#include <vector>

#include <osg/Group>
#include <osg/Transform>
#include <osg/observer_ptr>

namespace osgFitup::detail {

/// What is shown of a part: `FollowedPlace`s that are where the last node of a path is, in the coordinates
/// that the path begins in. Nothing has to be told to it when nodes move. Does not own the path; draws
/// nothing once a node of it is gone, and where a node mask of it hides the node. No transform itself: what
/// hangs at its places costs a traversal one matrix, not two.
class FollowedPart : public osg::Group {
 public:
  explicit FollowedPart(const osg::NodePath& path = {});
  FollowedPart(const FollowedPart& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
  META_Node(osgFitup, FollowedPart)

  void traverse(osg::NodeVisitor& visitor) override;
  osg::BoundingSphere computeBound() const override { return {}; }
  /// All nodes of the path are still there.
  [[nodiscard]] bool isAlive() const;
  /// Follows just these nodes (osg::NodePath or osg::RefNodePath).
  template <typename Path>
  [[nodiscard]] bool follows(const Path& path) const {
    if (path.size() != path_.size()) return false;
    for (std::size_t i = 0; i < path_.size(); ++i)
      if (path_[i].get() != &*path[i]) return false;
    return true;
  }
  /// Of the last node, put together anew at each call. False if a node is gone.
  [[nodiscard]] bool worldFromPart(osg::Matrixd& matrix) const;
  /// The child for drawables with these coordinates in the part's; one for all that share them.
  osg::Group& placeAt(const osg::Matrixd& partFromDrawable);
  /// Not even visited while all that hangs at its places is hidden by its own masks.
  void maskIfEmpty();

 protected:
  ~FollowedPart() override = default;

 private:
  std::vector<osg::observer_ptr<osg::Node>> path_;
};

}  // namespace osgFitup::detail
