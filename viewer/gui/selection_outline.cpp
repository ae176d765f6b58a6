#include <viewer/gui/selection_outline.h>

#include <osg/ColorMask>
#include <osg/Depth>
#include <osg/LineWidth>
#include <osg/PolygonMode>
#include <osg/Stencil>

#include <osgFitup/conversions.h>

namespace fitup::viewer {
namespace {

constexpr float width = 5;  // of which the inner half is hidden
constexpr int bin = 40;     // after everything that belongs to the model
constexpr auto on = osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE;
constexpr auto off = osg::StateAttribute::OFF | osg::StateAttribute::OVERRIDE;

osg::ref_ptr<osg::StateSet> overEverything(int binNumber) {
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  state->setAttributeAndModes(new osg::Depth(osg::Depth::ALWAYS, 0, 1, false), on);
  state->setMode(GL_LIGHTING, off);
  state->setMode(GL_CULL_FACE, off);
  state->setRenderBinDetails(binNumber, "RenderBin");
  return state;
}

/// The faces, as lines, have colours of their own at their vertices.
osg::ref_ptr<osg::Geometry> facesOf(const PartDrawing& drawing, const osg::Vec4& colour) {
  constexpr std::size_t most = 30'000;  // triangles; of larger parts, a coarser level is outlined
  std::size_t level = 0;
  while (level + 1 < drawing.levels.size() && drawing.levels[level].triangles > most) ++level;
  osg::ref_ptr<osg::Geometry> geometry =
      new osg::Geometry(*drawing.levels[level].faces, osg::CopyOp::SHALLOW_COPY);
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array(osg::Array::BIND_OVERALL);
  colours->push_back(colour);
  geometry->setNormalArray(nullptr);
  geometry->setColorArray(colours);
  return geometry;
}

}  // namespace

SelectionOutline::SelectionOutline()
    : root_(new osg::Group), inside_(new osg::Group), around_(new osg::Group) {
  osg::ref_ptr<osg::StateSet> inside = overEverything(bin);
  osg::ref_ptr<osg::Stencil> mark = new osg::Stencil;
  mark->setFunction(osg::Stencil::ALWAYS, 1, ~0U);
  mark->setOperation(osg::Stencil::REPLACE, osg::Stencil::REPLACE, osg::Stencil::REPLACE);
  inside->setAttributeAndModes(mark, on);
  inside->setAttributeAndModes(new osg::ColorMask(false, false, false, false), on);
  inside_->setStateSet(inside);
  osg::ref_ptr<osg::StateSet> around = overEverything(bin + 1);
  osg::ref_ptr<osg::Stencil> outside = new osg::Stencil;
  outside->setFunction(osg::Stencil::NOTEQUAL, 1, ~0U);
  outside->setOperation(osg::Stencil::KEEP, osg::Stencil::KEEP, osg::Stencil::KEEP);
  around->setAttributeAndModes(outside, on);
  around->setAttributeAndModes(new osg::PolygonMode(osg::PolygonMode::FRONT_AND_BACK, osg::PolygonMode::LINE),
                               on);
  around_->setStateSet(around);
  root_->addChild(inside_);
  root_->addChild(around_);
}

void SelectionOutline::clear() {
  outlined_.clear();
  inside_->removeChildren(0, inside_->getNumChildren());
  around_->removeChildren(0, around_->getNumChildren());
}

void SelectionOutline::add(NodeId instance, const Vec3& origin, const PartDrawing& drawing,
                           float pixelRatio) {
  const osg::Vec4 colour(0.05F, 0.4F, 1.0F, 1);
  around_->getStateSet()->setAttributeAndModes(new osg::LineWidth(width * pixelRatio), on);
  Outlined each{origin, new osg::MatrixTransform, new osg::MatrixTransform};
  const osg::ref_ptr<osg::Geometry> faces = facesOf(drawing, colour);
  for (const auto& [group, transform] : {std::pair{inside_, each.inside}, std::pair{around_, each.around}}) {
    transform->addChild(faces);
    group->addChild(transform);
  }
  outlined_[instance] = std::move(each);
}

void SelectionOutline::place(const std::function<Transform(NodeId)>& worldFromPart) {
  for (const auto& [instance, each] : outlined_) {
    const osg::Matrixd matrix =
        osgFitup::toMatrix(worldFromPart(instance) * Transform::translation(each.origin));
    each.inside->setMatrix(matrix);
    each.around->setMatrix(matrix);
  }
}

}  // namespace fitup::viewer
