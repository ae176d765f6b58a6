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

/// How a part's model fits what the part's node shows now.
enum class ModelFit {
  fits,   ///< or a refit for dynamic drawables (`needsRefit`) is all that it takes
  moved,  ///< the same triangles of the same drawables, elsewhere: a refit is enough
  other,  ///< other drawables or triangles
};

/// How a model differs from the triangles that a node draws now; empty if it does not, and for a node that
/// draws nothing, which a model alone may stand for. `rounding`: of the drawn numbers, as a part of
/// themselves. Precondition: the model is a node's own, and not empty.
std::string differenceFromDrawn(osg::Node& node, const PartModel& model, double rounding);

/// Whether the surfaces of a model that was built from drawables are known to be what is asked for; true if
/// nothing is.
bool isDividedBy(const PartModel& model, const std::optional<SurfaceDivision>& division);

/// Compares the models that parts carry with what their nodes show. A node is looked at by the masks that
/// its model was made by, so that visitors of other masks leave the model alone.
class ModelReview {
 public:
  /// `asker`: masks of the visitor. Models that come from a file or from the application tell nothing of what
  /// they were made from: they are taken at their word, and edits from then on are noticed by these masks.
  /// `toBe`, if given: as if nodes had been given these models already; to be kept by the caller.
  explicit ModelReview(const NodeMasks& asker, const ModelsToBe* toBe = nullptr)
      : asker_(asker), toBe_(toBe) {}

  /// Precondition: the node carries a collision model. Arrays that were replaced by equal ones fit, and so do
  /// copies that show the same triangles by drawables of their own: the node is given a `PartModel` of the
  /// same collision model that knows about these. `problem`, if given: what does not fit.
  ModelFit look(osg::Node& node, std::string* problem = nullptr);

  /// Of all nodes looked at: drawables below them that belong to other parts, which carry no model.
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
  /// Nodes that show the same drawables go on sharing.
  std::map<std::pair<osg::ref_ptr<const PartModel>, std::vector<const osg::Drawable*>>,
           osg::ref_ptr<PartModel>>
      renewed_;
};

}  // namespace osgFitup::detail
