#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <osg/Group>
#include <osg/Transform>
#include <osg/observer_ptr>
#include <osg/ref_ptr>

#include <fitup/mesh/ids.h>

namespace osgFitup::detail {

/// What is shown of a part: `FollowedPlace`s that are where the last node of a path is, in the coordinates
/// that the path begins in. Nothing has to notify it when nodes move. Does not own the path; draws
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
  // For use while all are there.
  [[nodiscard]] osg::NodePath path() const;
  [[nodiscard]] osg::Node& node() const { return *path_.back(); }
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
  /// The child for drawables with these coordinates in the part's and this look; one for all that share them,
  /// so that a traversal meets a matrix and a state set once and not for each drawable.
  osg::Group& placeAt(const osg::Matrixd& partFromDrawable, osg::StateSet* state);
  /// Not even visited while nothing hangs at its places.
  void maskIfEmpty();

  /// A surface that was found to intersect once: kept for the next time, and hangs nowhere meanwhile.
  struct Found {
    osg::ref_ptr<osg::Group> place;
    osg::ref_ptr<osg::Node> node;
    std::uint64_t call = 0;  ///< in which it was found last
    bool isShown = false;
  };
  Found& found(fitup::SurfaceId surface);
  /// Whether the part has another model than at the last call.
  bool changesModel(const osg::Object* model) { return std::exchange(model_, model) != model; }
  void show(Found& found);
  void hide(Found& found);
  [[nodiscard]] std::size_t foundCount() const noexcept { return found_.size(); }
  void dropFound() noexcept { found_.clear(); }

 protected:
  ~FollowedPart() override = default;

 private:
  std::vector<osg::observer_ptr<osg::Node>> path_;
  std::vector<Found> found_;               ///< by surface
  osg::ref_ptr<const osg::Object> model_;  ///< that they are of
};

}  // namespace osgFitup::detail
