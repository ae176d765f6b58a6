#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <osg/Node>
#include <osg/ref_ptr>

#include <osgFitup/detail/part_contents.h>
#include <osgFitup/part_model.h>

namespace osgFitup::detail {

/// How a part's model matches what the part's node shows.
enum class ModelFit {
  fits,   ///< also if a refit for dynamic drawables (`needsRefit`) is still needed
  moved,  ///< the same triangles of the same drawables, elsewhere; a refit is enough
  other,  ///< other drawables or triangles
};

/// Returns how a model differs from the triangles that a node draws; empty if it does not, and for a node
/// that draws nothing, which may have a model alone. `rounding`: the rounding of the drawn numbers, relative
/// to each number. Precondition: the model is the node's own, and not empty.
std::string differenceFromDrawn(osg::Node& node, const PartModel& model, double rounding);

/// Returns whether the surfaces of a model that was built from drawables are known to be divided as
/// requested; true without a request.
bool isDividedBy(const PartModel& model, const std::optional<SurfaceDivision>& division);

/// Compares the models of parts with what their nodes show. A node is looked at with the masks that its model
/// was built with, so that visitors with other masks leave the model alone.
class ModelReview {
 public:
  /// `asker`: masks of the visitor. Models from a file or from the application do not record their drawables:
  /// they are trusted, and later edits are noticed through these masks. `toBe`, if given: models that nodes
  /// are treated as if they had already; the caller keeps it alive.
  explicit ModelReview(const NodeMasks& asker, const ModelsToBe* toBe = nullptr)
      : asker_(asker), toBe_(toBe) {}

  /// Precondition: the node carries a collision model. Arrays that were replaced by equal ones still match.
  /// So do copies that show the same triangles by drawables of their own: the node is then given a
  /// `PartModel` of the same collision model for its own drawables. `problem`, if given, receives what does
  /// not match.
  ModelFit look(osg::Node& node, std::string* problem = nullptr);

  /// The drawables, below all nodes looked at, that belong to other parts without a model.
  [[nodiscard]] std::size_t drawablesOfNewParts() const noexcept { return drawablesOfNewParts_; }
  /// Whether nodes were given other `PartModel`s.
  [[nodiscard]] bool hasRenewed() const noexcept { return hasRenewed_; }

 private:
  ModelFit lookAtUnknown(osg::Node& node, PartModel& model, std::string& problem);
  ModelFit lookCloser(osg::Node& node, PartModel& model, std::string& problem);
  void adopt(osg::Node& node, std::shared_ptr<const PartContents> contents, PartModel& model);
  void renew(osg::Node& node, const PartModel& model, std::shared_ptr<const PartContents> contents);

  NodeMasks asker_;
  const ModelsToBe* toBe_;
  std::size_t drawablesOfNewParts_ = 0;
  bool hasRenewed_ = false;
  /// Nodes that show the same drawables keep sharing.
  std::map<std::pair<osg::ref_ptr<const PartModel>, std::vector<const osg::Drawable*>>,
           osg::ref_ptr<PartModel>>
      renewed_;
};

}  // namespace osgFitup::detail
