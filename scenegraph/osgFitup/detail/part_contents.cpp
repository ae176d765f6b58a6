#include <osgFitup/detail/part_contents.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include <osg/Geometry>
#include <osg/Group>

#include <osgFitup/collision_model_visitor.h>
#include <osgFitup/detail/drawable_triangles.h>
#include <osgFitup/detail/scene_walk.h>
#include <osgFitup/part_node.h>

namespace osgFitup::detail {
namespace {

bool isMarked(const osg::Node& node) {
  return dynamic_cast<const PartNode*>(&node) != nullptr || isMarkedAsPart(node);
}

/// Walks the drawables of a part and knows the place of each.
class ContentsWalk : public SceneWalk {
 public:
  void walk() {
    if (osg::Drawable* drawable = part_.asDrawable()) return take(*drawable, way_, partFromNode_);
    pushOntoNodePath(&part_);
    last_.push_back(noChild);
    traverse(part_);
    last_.pop_back();
    popFromNodePath();
  }
  std::size_t drawablesOfNewParts = 0;

 protected:
  ContentsWalk(osg::Node& part, const NodeMasks& masks, const NodeMasks& asker, const ModelsToBe* toBe)
      : part_(part), asker_(asker), toBe_(toBe), isMarked_(isMarked(part)) {
    setTraversalMask(masks.traversal);
    setNodeMaskOverride(masks.override);
  }
  ~ContentsWalk() override = default;

  virtual void take(osg::Drawable& drawable, const ChildPath& path,
                    const fitup::Transform& partFromDrawable) = 0;

  void visit(osg::Node& node, const fitup::Transform* parentFromNode) final {
    if (carriesModel(node)) return;  // a part of its own
    const bool isOther = isInNewPart_ || isMarked(node) ||
                         (parentFromNode != nullptr && !isMarked_ && !node.getName().empty());
    const bool wasHidden = isHidden_;
    isHidden_ = isHidden_ || !asker_.show(node);
    way_.push_back(childIndex(node));
    if (osg::Drawable* drawable = node.asDrawable()) {
      if (isOther)
        drawablesOfNewParts += isHidden_ ? 0 : 1;
      else if (hasPlaceInPart(*drawable))
        take(*drawable, way_, partFromNode_);
    } else {
      const bool wasInNewPart = std::exchange(isInNewPart_, isOther);
      const fitup::Transform above = partFromNode_;
      if (parentFromNode != nullptr) partFromNode_ = above * *parentFromNode;
      last_.push_back(noChild);
      traverse(node);
      last_.pop_back();
      partFromNode_ = above;
      isInNewPart_ = wasInNewPart;
    }
    way_.pop_back();
    isHidden_ = wasHidden;
  }

 private:
  [[nodiscard]] bool carriesModel(const osg::Node& node) const {
    if (toBe_ != nullptr)
      if (const auto found = toBe_->find(&node); found != toBe_->end()) return found->second;
    return partModelOf(node) != nullptr;
  }
  /// Children come one after the other, so that a child that its parent has twice is distinguished.
  unsigned int childIndex(const osg::Node& node) {
    const auto& path = getNodePath();
    const osg::Group& parent = *path[path.size() - 2]->asGroup();
    unsigned int& last = last_.back();
    for (unsigned int i = last + 1; i < parent.getNumChildren(); ++i)
      if (parent.getChild(i) == &node) return last = i;
    return last = parent.getChildIndex(&node);
  }

  osg::Node& part_;
  NodeMasks asker_;
  const ModelsToBe* toBe_;
  bool isMarked_, isInNewPart_ = false;
  bool isHidden_ = false;  ///< from the asker
  ChildPath way_;
  fitup::Transform partFromNode_;
  static constexpr unsigned int noChild = ~0U;  ///< the one before the first
  std::vector<unsigned int> last_;  ///< positions of the last children, for each group on the path
};

PrimitiveVersion primitiveVersionOf(const osg::PrimitiveSet& set) {
  if (set.getType() == osg::PrimitiveSet::DrawArraysPrimitiveType) {
    const auto& range = static_cast<const osg::DrawArrays&>(set);
    return {&set, set.getModifiedCount(), static_cast<unsigned int>(range.getFirst()),
            static_cast<unsigned int>(range.getCount())};
  }
  return {&set, set.getModifiedCount(), 0, set.getTotalDataSize()};
}

template <typename Data>
bool hasSameBytes(const Data& a, const Data& b) {
  const std::size_t size = a.getTotalDataSize();
  return size == b.getTotalDataSize() && a.getDataPointer() != nullptr && b.getDataPointer() != nullptr &&
         std::memcmp(a.getDataPointer(), b.getDataPointer(), size) == 0;
}

bool isCopyOf(const VertexVersion& now, const VertexVersion& was) {
  if (now.array == was.array) return now == was;
  return now.array.valid() && was.array.valid() && was.array->getModifiedCount() == was.modifiedCount &&
         now.array->getType() == was.array->getType() && hasSameBytes(*now.array, *was.array);
}

bool isCopyOf(const PrimitiveVersion& now, const PrimitiveVersion& was) {
  if (now.set == was.set) return now == was;
  if (primitiveVersionOf(*was.set) != was) return false;
  if (now.set->getType() != was.set->getType() || now.set->getMode() != was.set->getMode()) return false;
  if (now.set->getType() == osg::PrimitiveSet::DrawArraysPrimitiveType)
    return now.first == was.first && now.size == was.size;
  return now.set->getDrawElements() != nullptr && hasSameBytes(*now.set, *was.set);
}

bool hasSamePrimitives(const osg::Drawable& drawable, const std::vector<PrimitiveVersion>& versions) {
  const osg::Geometry* geometry = drawable.asGeometry();
  if (geometry == nullptr) return versions.empty();
  const auto& sets = geometry->getPrimitiveSetList();
  return std::equal(sets.begin(), sets.end(), versions.begin(), versions.end(),
                    [](const auto& set, const PrimitiveVersion& version) {
                      return set == version.set && primitiveVersionOf(*set) == version;
                    });
}

/// FNV-1a hash.
std::size_t textHash(const osg::Drawable& drawable) {
  if (solidTextOf(drawable) == nullptr) return 0;
  std::size_t hash = 14695981039346656037U;
  for (const fitup::Vec3& point : trianglesOf(drawable).points)
    for (const double x : {point.x, point.y, point.z}) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &x, sizeof bits);
      hash = (hash ^ static_cast<std::size_t>(bits)) * 1099511628211U;
    }
  return hash;
}

bool hasSameVertices(const osg::Drawable& drawable, const VertexVersion& version) {
  const osg::Geometry* geometry = drawable.asGeometry();
  const osg::Array* array = geometry == nullptr ? nullptr : vertexArrayOf(*geometry);
  return array == version.array && (array == nullptr || array->getModifiedCount() == version.modifiedCount);
}

class ContentsReader : public ContentsWalk {
 public:
  ContentsReader(osg::Node& part, const PartModel& model, const NodeMasks& masks, const ModelsToBe* toBe)
      : ContentsWalk(part, masks, masks, toBe), model_(model) {
    result.masks = masks;
    if (model.getContents()) result.division = model.getContents()->division;
  }
  ~ContentsReader() override = default;
  PartContents result;

 protected:
  void take(osg::Drawable& drawable, const ChildPath& path,
            const fitup::Transform& partFromDrawable) override {
    const auto& surfaces = model_.getSurfacePaths();
    PartSource& source = result.drawables.emplace_back();
    source.drawable = &drawable;
    source.path = path;
    source.partFromDrawable = partFromDrawable;
    source.isSurface = std::binary_search(surfaces.begin(), surfaces.end(), path);
    source.textHash = textHash(drawable);
    source.vertices = versionOf(drawable);
    if (const osg::Geometry* geometry = drawable.asGeometry())
      for (const auto& set : geometry->getPrimitiveSetList())
        source.primitives.push_back(primitiveVersionOf(*set));
  }

 private:
  const PartModel& model_;
};

class ContentsComparer : public ContentsWalk {
 public:
  ContentsComparer(osg::Node& part, const PartContents& contents, const NodeMasks& asker,
                   const ModelsToBe* toBe)
      : ContentsWalk(part, contents.masks, asker, toBe),
        next_(contents.drawables.begin()),
        end_(contents.drawables.end()) {}
  ~ContentsComparer() override = default;
  [[nodiscard]] bool isSame() const { return isSame_ && next_ == end_; }

 protected:
  void take(osg::Drawable& drawable, const ChildPath& path,
            const fitup::Transform& partFromDrawable) override {
    isSame_ = isSame_ && next_ != end_ && isSame(*next_, drawable, path, partFromDrawable);
    if (isSame_) ++next_;
  }

 private:
  static bool isSame(const PartSource& source, const osg::Drawable& drawable, const ChildPath& path,
                     const fitup::Transform& partFromDrawable) {
    if (source.drawable.get() != &drawable || source.path != path) return false;
    if (source.partFromDrawable != partFromDrawable) return false;
    if (!hasSamePrimitives(drawable, source.primitives) || textHash(drawable) != source.textHash)
      return false;
    const bool isRefitted = source.isSurface && drawable.getDataVariance() == osg::Object::DYNAMIC;
    return isRefitted || hasSameVertices(drawable, source.vertices);
  }

  std::vector<PartSource>::const_iterator next_, end_;
  bool isSame_ = true;
};

}  // namespace

const osgText::Text3D* solidTextOf(const osg::Drawable& drawable) {
  return dynamic_cast<const osgText::Text3D*>(&drawable);
}

bool isFlatText(const osg::Drawable& drawable) {
  return drawable.getCompoundClassName().starts_with("osgText::") && solidTextOf(drawable) == nullptr;
}

bool isDrawn(const osgText::TextBase& text) {
  const osgText::String& letters = text.getText();
  return (text.getDrawMode() & osgText::TextBase::TEXT) != 0 &&
         std::any_of(letters.begin(), letters.end(), [](unsigned int c) { return c > ' ' && c != 0xa0; });
}

bool hasPlaceInPart(const osg::Drawable& drawable) {
  const osgText::Text3D* const text = solidTextOf(drawable);
  return !isFlatText(drawable) && (text == nullptr || !followsView(*text));
}

bool followsView(const osgText::TextBase& text) {
  return text.getAutoRotateToScreen() || text.getCharacterSizeMode() != osgText::TextBase::OBJECT_COORDS;
}

osg::NodePath nodesAlong(osg::Node& part, const ChildPath& path) {
  osg::NodePath nodes{&part};
  for (const unsigned int child : path) nodes.push_back(nodes.back()->asGroup()->getChild(child));
  return nodes;
}

bool isCopyOf(const PartSource& now, const PartSource& was) {
  if (now.path != was.path || now.partFromDrawable != was.partFromDrawable) return false;
  const osg::Drawable& drawable = *now.drawable.get();
  if (drawable.asGeometry() == nullptr && (now.drawable != was.drawable || now.textHash != was.textHash))
    return false;
  // A refit decides about the vertices of dynamic drawables.
  const bool isRefitted = now.isSurface && drawable.getDataVariance() == osg::Object::DYNAMIC;
  return (isRefitted || isCopyOf(now.vertices, was.vertices)) &&
         std::equal(now.primitives.begin(), now.primitives.end(), was.primitives.begin(),
                    was.primitives.end(),
                    [](const PrimitiveVersion& a, const PrimitiveVersion& b) { return isCopyOf(a, b); });
}

PartContents contentsOf(osg::Node& part, const PartModel& model, const NodeMasks& masks,
                        const ModelsToBe* toBe) {
  ContentsReader reader(part, model, masks, toBe);
  reader.walk();
  return std::move(reader.result);
}

PartContents contentsAfterRefit(osg::Node& part, const PartModel& model, const PartContents& before) {
  PartContents now = contentsOf(part, model, before.masks);
  if (now.drawables.size() != before.drawables.size()) return before;
  for (std::size_t i = 0; i < now.drawables.size(); ++i) {
    const PartSource& was = before.drawables[i];
    PartSource& is = now.drawables[i];
    if (is.path != was.path || is.drawable != was.drawable) return before;
    if (!is.isSurface) is = was;
  }
  return now;
}

ContentsComparison compareContents(osg::Node& part, const PartContents& contents, const NodeMasks& asker,
                                   const ModelsToBe* toBe) {
  ContentsComparer comparer(part, contents, asker, toBe);
  comparer.walk();
  return {comparer.isSame(), comparer.drawablesOfNewParts};
}

}  // namespace osgFitup::detail
