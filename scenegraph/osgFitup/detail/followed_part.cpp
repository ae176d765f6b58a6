#include <osgFitup/detail/followed_part.h>

#include <algorithm>

#include <osg/Camera>
#include <osg/NodeVisitor>

namespace osgFitup::detail {
namespace {

/// Its parent is the `FollowedPart` that it belongs to.
class FollowedPlace : public osg::Transform {
 public:
  explicit FollowedPlace(const osg::Matrixd& partFromDrawable = {}) : partFromDrawable_(partFromDrawable) {
    setDataVariance(osg::Object::DYNAMIC);
    setCullingActive(false);  // drawables below are culled one by one, by their current positions
  }
  FollowedPlace(const FollowedPlace& other, const osg::CopyOp& copyop)
      : osg::Transform(other, copyop), partFromDrawable_(other.partFromDrawable_) {}
  META_Node(osgFitup, FollowedPlace)

  bool computeLocalToWorldMatrix(osg::Matrix& matrix, osg::NodeVisitor*) const override {
    osg::Matrixd world;
    if (!worldFromDrawable(world)) return false;
    matrix.preMult(world);
    return true;
  }
  bool computeWorldToLocalMatrix(osg::Matrix& matrix, osg::NodeVisitor*) const override {
    osg::Matrixd world;
    if (!worldFromDrawable(world)) return false;
    matrix.postMult(osg::Matrixd::inverse(world));
    return true;
  }
  osg::BoundingSphere computeBound() const override { return {}; }
  [[nodiscard]] const osg::Matrixd& partFromDrawable() const { return partFromDrawable_; }

 protected:
  ~FollowedPlace() override = default;

 private:
  [[nodiscard]] bool worldFromDrawable(osg::Matrixd& world) const {
    const auto* part = getNumParents() == 0 ? nullptr : dynamic_cast<const FollowedPart*>(getParent(0));
    if (part == nullptr || !part->worldFromPart(world)) return false;
    world.preMult(partFromDrawable_);
    return true;
  }

  osg::Matrixd partFromDrawable_;
};

}  // namespace

FollowedPart::FollowedPart(const osg::NodePath& path) : path_(path.begin(), path.end()) {
  setCullingActive(false);  // it has no bound
}

FollowedPart::FollowedPart(const FollowedPart& other, const osg::CopyOp& copyop)
    : osg::Group(other, copyop), path_(other.path_) {}

bool FollowedPart::isAlive() const {
  return std::all_of(path_.begin(), path_.end(), [](const auto& observed) { return observed.valid(); });
}

osg::NodePath FollowedPart::path() const {
  osg::NodePath path;
  for (const auto& observed : path_) path.push_back(observed.get());
  return path;
}

// Reads the nodes without referencing them, as any traversal reads children: the application must not delete
// one meanwhile.

bool FollowedPart::worldFromPart(osg::Matrixd& matrix) const {
  matrix.makeIdentity();
  for (const auto& observed : path_) {
    const osg::Node* node = observed.get();
    if (node == nullptr) return false;
    // The first node may be a viewer's own camera, whose matrix is that of the view.
    if (node->asCamera() != nullptr && &observed == &path_.front()) continue;
    if (const osg::Transform* transform = node->asTransform())
      transform->computeLocalToWorldMatrix(matrix, nullptr);
  }
  return true;
}

void FollowedPart::traverse(osg::NodeVisitor& visitor) {
  const bool visible = std::all_of(path_.begin(), path_.end(), [&](const auto& observed) {
    const osg::Node* node = observed.get();
    return node != nullptr && visitor.validNodeMask(*node);
  });
  if (visible) osg::Group::traverse(visitor);
}

osg::Group& FollowedPart::placeAt(const osg::Matrixd& partFromDrawable, osg::StateSet* state) {
  for (unsigned int i = 0; i < getNumChildren(); ++i)
    if (auto* place = dynamic_cast<FollowedPlace*>(getChild(i));
        place != nullptr && place->getStateSet() == state && place->partFromDrawable() == partFromDrawable)
      return *place;
  osg::ref_ptr<FollowedPlace> place = new FollowedPlace(partFromDrawable);
  place->setStateSet(state);
  addChild(place);
  return *place;
}

void FollowedPart::maskIfEmpty() {
  bool isEmpty = true;
  for (unsigned int i = 0; i < getNumChildren() && isEmpty; ++i)
    isEmpty = getChild(i)->asGroup()->getNumChildren() == 0;
  setNodeMask(isEmpty ? 0 : ~0U);
}

FollowedPart::Found& FollowedPart::found(fitup::SurfaceId surface) {
  if (index(surface) >= found_.size()) found_.resize(index(surface) + 1);
  return found_[index(surface)];
}

void FollowedPart::show(Found& found) {
  found.place->addChild(found.node);
  found.isShown = true;
  setNodeMask(~0U);
}

void FollowedPart::hide(Found& found) {
  found.place->removeChild(found.node);
  found.isShown = false;
  maskIfEmpty();
}

}  // namespace osgFitup::detail
