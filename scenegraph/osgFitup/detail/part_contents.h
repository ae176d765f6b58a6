#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include <osg/Drawable>
#include <osg/PrimitiveSet>
#include <osg/observer_ptr>
#include <osg/ref_ptr>
#include <osgText/Text3D>

#include <fitup/geometry/transform.h>
#include <osgFitup/part_model.h>

namespace osgFitup::detail {

/// Text without a body.
bool isFlatText(const osg::Drawable& drawable);
/// The text if it has a body, else null.
const osgText::Text3D* solidTextOf(const osg::Drawable& drawable);
/// Said of one that should draw letters, and has none.
constexpr const char* noSolidLetters = "left out: the font of this solid text has no solid letters";
/// Whether it draws letters: it has some, and is not asked to draw its frame alone.
bool isDrawn(const osgText::TextBase& text);
/// Whether a text turns or grows with the view.
bool followsView(const osgText::TextBase& text);
/// Not flat text, and not what follows the view.
bool hasPlaceInPart(const osg::Drawable& drawable);

/// State of a primitive set: the same as long as it is neither dirtied nor replaced.
struct PrimitiveVersion {
  osg::ref_ptr<const osg::PrimitiveSet> set;  ///< kept, so that no other one comes to lie at its address
  unsigned int modifiedCount = 0;
  unsigned int first = 0, size = 0;  ///< osg::DrawArrays may be given another range without being dirtied
  friend bool operator==(const PrimitiveVersion&, const PrimitiveVersion&) = default;
};

/// A drawable of a part, as it was.
struct PartSource {
  osg::observer_ptr<osg::Drawable> drawable;  ///< not kept: one that is a part itself keeps its model
  ChildPath path;
  fitup::Transform partFromDrawable;
  bool isSurface = false;    ///< of the model; others had no triangles
  std::size_t textHash = 0;  ///< of the points of a solid text, which has no arrays
  VertexVersion vertices;
  std::vector<PrimitiveVersion> primitives;
};

/// Whether a drawable shows, in the same place, just what another one showed that may be gone by now: a copy
/// of it does. Compares data, not what they are rounded to in a model. False where the other one's data have
/// been edited since.
bool isCopyOf(const PartSource& now, const PartSource& was);

/// Those of a visitor.
struct NodeMasks {
  osg::Node::NodeMask traversal = ~0U, override = 0;
  [[nodiscard]] bool show(const osg::Node& node) const {
    return (traversal & (override | node.getNodeMask())) != 0;
  }
};

/// What a part's node showed to traversals of these masks when its model was made.
struct PartContents {
  NodeMasks masks;
  std::optional<SurfaceDivision> division;  ///< of the model; not known of models that were read
  std::vector<PartSource> drawables;        ///< in the order of traversal
};

/// The nodes from a part's down to a drawable of it, both included. Precondition: they are there.
osg::NodePath nodesAlong(osg::Node& part, const ChildPath& path);

/// Nodes that are about to be given a model (true) or to lose theirs (false): what is below them belongs to
/// no other part any more, or does again.
using ModelsToBe = std::unordered_map<const osg::Node*, bool>;

/// What the node shows now: of all active drawables below it those that are part of it, as `PartCollector`
/// hands them out. `toBe`, if given: as if the nodes had been given their models already.
PartContents contentsOf(osg::Node& part, const PartModel& model, const NodeMasks& masks = {},
                        const ModelsToBe* toBe = nullptr);

/// `contentsOf` after the model's points were taken anew from its surfaces: what is known of other drawables
/// stays, and everything where the surfaces are no longer the ones that were.
PartContents contentsAfterRefit(osg::Node& part, const PartModel& model, const PartContents& before);

/// How a node compares with what its model was made of.
struct ContentsComparison {
  /// The same drawables with the same primitives in the same places, and for all but the surfaces of dynamic
  /// drawables (osg::Object::DYNAMIC) the same vertices.
  bool isSame = true;
  /// Drawables below the node that belong to other parts, which carry no model, and that the asker sees.
  std::size_t drawablesOfNewParts = 0;
};
/// Allocates next to nothing: each part is asked at each rescan.
ContentsComparison compareContents(osg::Node& part, const PartContents& contents, const NodeMasks& asker = {},
                                   const ModelsToBe* toBe = nullptr);

}  // namespace osgFitup::detail
