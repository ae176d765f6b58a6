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

/// The highlights of a part: `FollowedPlace`s at the place of the last node of a path, in the coordinates
/// that the path begins in. Moved nodes need not notify it. Does not own the path. Draws nothing if a node of
/// the path is deleted or a node mask hides the part. It is not a transform itself, so that a traversal
/// multiplies one matrix for each place, not two.
class FollowedPart : public osg::Group {
 public:
  explicit FollowedPart(const osg::NodePath& path = {});
  FollowedPart(const FollowedPart& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
  META_Node(osgFitup, FollowedPart)

  void traverse(osg::NodeVisitor& visitor) override;
  osg::BoundingSphere computeBound() const override { return {}; }
  /// Whether all nodes of the path still exist.
  [[nodiscard]] bool isAlive() const;
  // Precondition: `isAlive()`.
  [[nodiscard]] osg::NodePath path() const;
  [[nodiscard]] osg::Node& node() const { return *path_.back(); }
  /// Whether it follows exactly these nodes (osg::NodePath or osg::RefNodePath).
  template <typename Path>
  [[nodiscard]] bool follows(const Path& path) const {
    if (path.size() != path_.size()) return false;
    for (std::size_t i = 0; i < path_.size(); ++i)
      if (path_[i].get() != &*path[i]) return false;
    return true;
  }
  /// Computes the matrix of the last node at each call. Returns false if a node is deleted.
  [[nodiscard]] bool worldFromPart(osg::Matrixd& matrix) const;
  /// Returns the child for drawables with this matrix and this look. All drawables that share both share the
  /// child, so that a traversal meets one matrix and one state set for all of them.
  osg::Group& placeAt(const osg::Matrixd& partFromDrawable, osg::StateSet* state);
  /// Hides the node from traversals while its places are empty.
  void maskIfEmpty();

  /// A surface that was found to intersect before. It is kept for the next time, and is meanwhile detached
  /// from the graph.
  struct Found {
    osg::ref_ptr<osg::Group> place;
    osg::ref_ptr<osg::Node> node;
    std::uint64_t call = 0;  ///< in which it was found last
    bool isShown = false;
  };
  Found& found(fitup::SurfaceId surface);
  /// Remembers the model and returns whether it is another one than at the last call.
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
  osg::ref_ptr<const osg::Object> model_;  ///< the model that they belong to
};

}  // namespace osgFitup::detail
