#include <viewer/gui/section_cap_node.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <osg/Geode>
#include <osg/Geometry>
#include <osg/Image>
#include <osg/PolygonOffset>
#include <osg/Texture2D>

#include <osgFitup/conversions.h>
#include <viewer/gui/flat_triangles.h>

namespace fitup::viewer {
namespace {

constexpr float outlineWidth = 1.7F;  // in the widget's pixels
const osg::Vec4 outlineColour{0.12F, 0.12F, 0.15F, 1}, overlapColour{0.9F, 0.06F, 0.05F, 1},
    selectedColour{0.25F, 0.55F, 0.95F, 1}, litColour{1.0F, 0.85F, 0.2F, 1};

/// One period of the hatching: a line on light ground, which smaller versions for slanted and distant caps
/// fade to their mean.
osg::ref_ptr<osg::Texture2D> makeHatching() {
  constexpr int size = 32, line = 4;
  constexpr unsigned char dark = 110;
  osg::ref_ptr<osg::Image> image = new osg::Image;
  image->allocateImage(size, 1, 1, GL_LUMINANCE, GL_UNSIGNED_BYTE);
  for (int i = 0; i < size; ++i) *image->data(static_cast<unsigned>(i)) = i < line ? dark : 255;
  osg::ref_ptr<osg::Texture2D> texture = new osg::Texture2D(image);
  texture->setFilter(osg::Texture::MIN_FILTER, osg::Texture::LINEAR_MIPMAP_LINEAR);
  texture->setFilter(osg::Texture::MAG_FILTER, osg::Texture::LINEAR);
  texture->setWrap(osg::Texture::WRAP_S, osg::Texture::REPEAT);
  texture->setMaxAnisotropy(8);
  return texture;
}

osg::Vec4 mixed(const osg::Vec4& a, const osg::Vec4& b, float ofB) { return a * (1 - ofB) + b * ofB; }

/// The drawn points of a face, relative to `anchor` in its frame.
struct Shape {
  FlatPoint anchor;
  osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array;
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array(osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::Vec2Array> hatching = new osg::Vec2Array;

  void add(const FlatPoint& p, const osg::Vec4& colour) {
    points->push_back({static_cast<float>(p.x - anchor.x), static_cast<float>(p.y - anchor.y), 0});
    colours->push_back(colour);
  }
  void addOutline(const FlatRegion& region) {
    const auto add = [this](const FlatLoop& loop) {
      for (std::size_t i = 0; i < loop.size(); ++i) {
        this->add(loop[i], outlineColour);
        this->add(loop[(i + 1) % loop.size()], outlineColour);
      }
    };
    for (const FlatRegion::Piece& piece : region.pieces) {
      add(piece.border);
      for (const FlatLoop& hole : piece.holes) add(hole);
    }
  }
  [[nodiscard]] osg::ref_ptr<osg::Geometry> finished(GLenum mode, osg::StateSet* state) const {
    osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
    geometry->setUseDisplayList(false);
    geometry->setVertexArray(points);
    geometry->setColorArray(colours);
    if (!hatching->empty()) geometry->setTexCoordArray(0, hatching);
    geometry->addPrimitiveSet(new osg::DrawArrays(mode, 0, static_cast<GLsizei>(points->size())));
    geometry->setStateSet(state);
    return geometry;
  }
};

/// A point near the face for its coordinates in single precision. It stays where it is while the section
/// moves, and so does the hatching, unless the model is far from the origin.
FlatPoint anchorOf(const SectionFace& face) {
  FlatBox box;
  for (const auto& cap : face.caps) {
    if (!cap->box.empty()) {
      box.extend(cap->box.min);
      box.extend(cap->box.max);
    }
    for (const FlatLine& line : cap->lines) box.extend(line.from);
  }
  if (box.empty()) return {};
  const double extent = std::max(box.max.x - box.min.x, box.max.y - box.min.y);
  const double step = std::exp2(std::ceil(std::log2(std::max(extent, 1e-30))) + 4);
  return {step * std::round(box.min.x / step), step * std::round(box.min.y / step)};
}

}  // namespace

SectionCapNode::SectionCapNode()
    : node_(new osg::Group),
      fillState_(new osg::StateSet),
      overlapState_(new osg::StateSet),
      outlineState_(new osg::StateSet),
      hatching_(new osg::TexMat),
      lineWidth_(new osg::LineWidth(outlineWidth)) {
  osg::StateSet* state = node_->getOrCreateStateSet();
  state->setMode(GL_LIGHTING, osg::StateAttribute::OFF);
  state->setMode(GL_CULL_FACE, osg::StateAttribute::OFF);
  // Fills are behind what lies in their plane: overlaps are in front of caps, and outlines of both.
  fillState_->setAttributeAndModes(new osg::PolygonOffset(2, 2));
  fillState_->setTextureAttributeAndModes(0, makeHatching());
  fillState_->setTextureAttributeAndModes(0, hatching_);
  overlapState_->setAttributeAndModes(new osg::PolygonOffset(1, 1));
  outlineState_->setAttributeAndModes(lineWidth_);
  setHatching(1);
}

void SectionCapNode::setHatching(double distance) {
  hatching_->setMatrix(osg::Matrix::scale(1 / distance, 1, 1));
}

void SectionCapNode::setPixelRatio(float ratio) { lineWidth_->setWidth(outlineWidth * ratio); }

const std::vector<FlatPoint>& SectionCapNode::trianglesOf(const std::shared_ptr<const void>& owner,
                                                          const FlatRegion& region) {
  const auto last = lastTriangles_.find(owner);
  Triangles& triangles = triangles_[owner];
  triangles = last != lastTriangles_.end()
                  ? last->second
                  : std::make_shared<const std::vector<FlatPoint>>(fitup::viewer::trianglesOf(region));
  return *triangles;
}

void SectionCapNode::show(std::span<const SectionFace> faces, const std::map<NodeId, CapStyle>& styles,
                          const CapLooks& looks) {
  node_->removeChildren(0, node_->getNumChildren());
  lastTriangles_ = std::move(triangles_);
  triangles_.clear();
  for (const SectionFace& face : faces) node_->addChild(makeFace(face, styles, looks));
  lastTriangles_.clear();
}

osg::ref_ptr<osg::Node> SectionCapNode::makeFace(const SectionFace& face,
                                                 const std::map<NodeId, CapStyle>& styles,
                                                 const CapLooks& looks) {
  const FlatPoint anchor = anchorOf(face);
  Shape fill{anchor}, overlaps{anchor}, outlines{anchor};
  for (const auto& cap : face.caps) {
    outlines.addOutline(cap->area);
    for (const FlatLine& line : cap->lines) {
      outlines.add(line.from, outlineColour);
      outlines.add(line.to, outlineColour);
    }
    if (looks.ghosted.contains(cap->instance)) continue;
    const CapStyle& style = styles.at(cap->instance);
    osg::Vec4 colour = osgFitup::toVec4(style.fill);
    if (looks.selected.contains(cap->instance)) colour = mixed(colour, selectedColour, 0.75F);
    if (looks.lit == cap->instance) colour = mixed(colour, litColour, 0.7F);
    const double angle = style.hatchDegrees * std::numbers::pi / 180;
    const FlatPoint across{-std::sin(angle) / style.hatchSpacing, std::cos(angle) / style.hatchSpacing};
    for (const FlatPoint& p : trianglesOf(cap, cap->area)) {
      fill.add(p, colour);
      fill.hatching->push_back(
          {static_cast<float>((p.x - anchor.x) * across.x + (p.y - anchor.y) * across.y), 0.5F});
    }
  }
  for (const auto& overlap : face.overlaps) {
    for (const FlatPoint& p : trianglesOf(overlap, overlap->area)) overlaps.add(p, overlapColour);
    outlines.addOutline(overlap->area);
  }
  osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  if (!fill.points->empty()) geode->addDrawable(fill.finished(GL_TRIANGLES, fillState_));
  if (!overlaps.points->empty()) geode->addDrawable(overlaps.finished(GL_TRIANGLES, overlapState_));
  if (!outlines.points->empty()) geode->addDrawable(outlines.finished(GL_LINES, outlineState_));
  const Vec3 &u = face.frame.u(), &v = face.frame.v(), &n = face.frame.plane().normal;
  const Transform worldFromShape{{{{u.x, v.x, n.x}, {u.y, v.y, n.y}, {u.z, v.z, n.z}}},
                                 face.frame.world(anchor)};
  osg::ref_ptr<osg::MatrixTransform> placed = new osg::MatrixTransform(osgFitup::toMatrix(worldFromShape));
  placed->addChild(geode);
  return placed;
}

}  // namespace fitup::viewer
