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

/// Whether the drawable is text without depth.
bool isFlatText(const osg::Drawable& drawable);
/// Returns the drawable as solid text, or null.
const osgText::Text3D* solidTextOf(const osg::Drawable& drawable);
/// The warning for solid text without letters.
constexpr const char* noSolidLetters = "left out: the font of this solid text has no solid letters";
/// Whether it draws letters: it has some, and does not draw its frame alone.
bool isDrawn(const osgText::TextBase& text);
/// Whether a text turns or scales with the view.
bool followsView(const osgText::TextBase& text);
/// False for flat text and for what follows the view.
bool hasPlaceInPart(const osg::Drawable& drawable);

/// The state of a primitive set; stays equal until it is dirtied or replaced.
struct PrimitiveVersion {
  osg::ref_ptr<const osg::PrimitiveSet> set;  ///< kept alive, so that no other set gets its address
  unsigned int modifiedCount = 0;
  unsigned int first = 0, size = 0;  ///< osg::DrawArrays may get another range without being dirtied
  friend bool operator==(const PrimitiveVersion&, const PrimitiveVersion&) = default;
};

/// The recorded state of a part's drawable.
struct PartSource {
  osg::observer_ptr<osg::Drawable>
      drawable;  ///< not owned: a drawable may itself be a part and own its model
  ChildPath path;
  fitup::Transform partFromDrawable;
  bool isSurface = false;    ///< a surface of the model; the others had no triangles
  std::size_t textHash = 0;  ///< hash of the points of a solid text, which has no arrays
  VertexVersion vertices;
  std::vector<PrimitiveVersion> primitives;
};

/// Whether a drawable shows, in the same place, what another one showed, which may be deleted. Compares data,
/// not what they are rounded to in a model. False if the data of the other one were edited since.
bool isCopyOf(const PartSource& now, const PartSource& was);

/// The masks of a visitor.
struct NodeMasks {
  osg::Node::NodeMask traversal = ~0U, override = 0;
  [[nodiscard]] bool show(const osg::Node& node) const {
    return (traversal & (override | node.getNodeMask())) != 0;
  }
};

/// The content of a part's node for traversals with these masks, at the time its model was made.
struct PartContents {
  NodeMasks masks;
  std::optional<SurfaceDivision> division;  ///< that of the model; unknown if the model was read from a file
  std::vector<PartSource> drawables;        ///< in the order of traversal
};

/// Returns the nodes from a part's down to one of its drawables, both included. Precondition: they exist.
osg::NodePath nodesAlong(osg::Node& part, const ChildPath& path);

/// Nodes that are about to be given a model (true) or to lose theirs (false). A node with a model takes what
/// is below it from other parts; without one, it gives it back.
using ModelsToBe = std::unordered_map<const osg::Node*, bool>;

/// Records what the node shows: the active drawables below it that are part of it, as `PartCollector` assigns
/// them. `toBe`, if given: models that nodes are treated as if they had already.
PartContents contentsOf(osg::Node& part, const PartModel& model, const NodeMasks& masks = {},
                        const ModelsToBe* toBe = nullptr);

/// Returns `contentsOf` after the model's points were taken from its surfaces again. The state of other
/// drawables is kept, and so is all state if the surfaces are not the same any more.
PartContents contentsAfterRefit(osg::Node& part, const PartModel& model, const PartContents& before);

/// The comparison of a node with what its model was made of.
struct ContentsComparison {
  /// The same drawables with the same primitives in the same places, with the same vertices except for
  /// surfaces of dynamic drawables (osg::Object::DYNAMIC).
  bool isSame = true;
  /// Drawables below the node that belong to other parts without a model and that the asker sees.
  std::size_t drawablesOfNewParts = 0;
};
/// Allocates hardly anything, because each rescan calls it for each part.
ContentsComparison compareContents(osg::Node& part, const PartContents& contents, const NodeMasks& asker = {},
                                   const ModelsToBe* toBe = nullptr);

}  // namespace osgFitup::detail
