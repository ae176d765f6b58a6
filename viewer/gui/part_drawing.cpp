#include <viewer/gui/part_drawing.h>

#include <array>
#include <atomic>
#include <map>
#include <string>

#include <osg/BlendFunc>
#include <osg/Depth>
#include <osg/LineWidth>
#include <osg/Material>
#include <osg/PolygonOffset>

#include <fitup/base/parallel.h>
#include <fitup/base/work_meter.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/smooth_triangles.h>
#include <viewer/core/coarse_triangles.h>
#include <viewer/core/drawn_edges.h>

namespace fitup::viewer {
namespace {

/// The sizes of cells as fractions of the size of the part.
constexpr std::array<double, 3> cells{1.0 / 96, 1.0 / 32, 1.0 / 12};
/// Parts with fewer triangles than this are drawn as they are.
constexpr std::size_t fewTriangles = 200;

const Colour defaultColour = osgFitup::SceneOptions{}.defaultColour;

osg::ref_ptr<osg::Geometry> geometryOf(osg::Array* points, osg::PrimitiveSet* elements) {
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setUseDisplayList(false);
  geometry->setUseVertexBufferObjects(true);
  geometry->setVertexArray(points);
  geometry->addPrimitiveSet(elements);
  return geometry;
}

/// Faces that have their colours at their vertices.
struct Faces {
  osgFitup::SmoothTriangles shape;
  osg::ref_ptr<osg::Vec4ubArray> colours = new osg::Vec4ubArray(osg::Array::BIND_PER_VERTEX);

  Faces() { colours->setNormalize(true); }
  void append(const TriangleMesh& mesh, SurfaceId surface, const Colour& colour) {
    shape.append(mesh, osgFitup::trianglesOf(mesh, surface));
    const auto byte = [](float value) { return static_cast<GLubyte>(255 * value + 0.5F); };
    colours->resize(shape.points->size(),
                    {byte(colour.red), byte(colour.green), byte(colour.blue), byte(colour.alpha)});
  }
  [[nodiscard]] osg::ref_ptr<osg::Geometry> geometry(osg::DrawElementsUInt* elements) const {
    osg::ref_ptr<osg::Geometry> geometry = geometryOf(shape.points, elements);
    geometry->setNormalArray(shape.normals);
    geometry->setColorArray(colours);
    return geometry;
  }
};

void addCoarseLevels(PartDrawing& drawing, const Faces& faces, double size) {
  static_assert(sizeof(osg::Vec3f) == sizeof(std::array<float, 3>));
  const std::span vertices(
      reinterpret_cast<const std::array<float, 3>*>(faces.shape.points->getDataPointer()),
      faces.shape.points->size());
  for (const double cell : cells) {
    const auto& finer =
        static_cast<const osg::DrawElementsUInt&>(*drawing.levels.back().faces->getPrimitiveSet(0));
    if (finer.size() < 3 * fewTriangles) return;
    const std::vector<std::uint32_t> corners =
        coarseTriangles(vertices, std::span(finer.asVector()), static_cast<float>(cell * size));
    // A level has to be worth its memory.
    if (2 * corners.size() > finer.size()) continue;
    osg::ref_ptr<osg::DrawElementsUInt> elements =
        new osg::DrawElementsUInt(osg::PrimitiveSet::TRIANGLES, corners.begin(), corners.end());
    drawing.levels.push_back({cell * size, corners.size() / 3, faces.geometry(elements)});
  }
}

osg::ref_ptr<osg::Geometry> edgesOf(const TriangleMesh& mesh, const std::vector<EdgeSegment>& segments) {
  osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::DrawElementsUInt> lines = new osg::DrawElementsUInt(osg::PrimitiveSet::LINES);
  std::map<std::uint32_t, GLuint> vertexOf;
  const auto vertex = [&](std::uint32_t point) {
    const auto [at, isNew] = vertexOf.try_emplace(point, static_cast<GLuint>(points->size()));
    const Point3f& p = mesh.points()[point];
    if (isNew) points->push_back({p.x, p.y, p.z});
    return at->second;
  };
  for (const auto& [from, to] : segments) {
    lines->push_back(vertex(from));
    lines->push_back(vertex(to));
  }
  return geometryOf(points, lines);
}

PartDrawing drawingOf(const TriangleMesh& mesh) {
  Faces opaque, clear;
  for (std::uint32_t i = 0; i < mesh.surfaces().size(); ++i) {
    const Colour colour = mesh.surfaces()[i].colour.value_or(defaultColour);
    (colour.alpha < 1 ? clear : opaque).append(mesh, SurfaceId{i}, colour);
  }
  PartDrawing drawing;
  drawing.levels.push_back({0, opaque.shape.triangles->size() / 3, opaque.geometry(opaque.shape.triangles)});
  if (mesh.triangleCount() > 0) addCoarseLevels(drawing, opaque, 2 * norm(mesh.bounds().halfExtent()));
  if (!clear.shape.triangles->empty()) drawing.clear = clear.geometry(clear.shape.triangles);
  const std::vector<EdgeSegment> segments = drawnEdges(mesh);
  drawing.segments = segments.size();
  if (!segments.empty()) drawing.edges = edgesOf(mesh, segments);
  return drawing;
}

osg::ref_ptr<osg::StateSet> clearLook() {
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  state->setMode(GL_BLEND, osg::StateAttribute::ON);
  state->setRenderingHint(osg::StateSet::TRANSPARENT_BIN);
  return state;
}

/// Colours come from vertices unless the material of an instance overrides them.
void setSceneState(osg::StateSet& state) {
  const auto face = osg::Material::FRONT_AND_BACK;
  osg::ref_ptr<osg::Material> material = new osg::Material;
  material->setColorMode(osg::Material::AMBIENT_AND_DIFFUSE);
  material->setSpecular(face, {0.1F, 0.1F, 0.1F, 1});
  material->setShininess(face, 24);
  state.setAttributeAndModes(material);
  state.setAttributeAndModes(new osg::PolygonOffset(faceOffset, faceOffset));
}

}  // namespace

DrawnInstance::DrawnInstance(std::shared_ptr<const PartDrawing> drawing)
    : drawing_(std::move(drawing)), edges_(new osg::Group) {
  setName("drawing");
  for (const PartDrawing::Level& level : drawing_->levels) addChild(level.faces);
  if (drawing_->clear) addChild(drawing_->clear);
  if (drawing_->edges) edges_->addChild(drawing_->edges);
  addChild(edges_);
  apply();
}

void DrawnInstance::show(std::size_t level, bool edges) {
  if (level == level_ && edges == showsEdges_) return;
  level_ = level;
  showsEdges_ = edges;
  apply();
}

void DrawnInstance::setFaces(bool drawn) {
  if (drawn == showsFaces_) return;
  showsFaces_ = drawn;
  apply();
}

void DrawnInstance::apply() {
  const std::size_t levels = drawing_->levels.size();
  const bool isSeen = level_ < levels;
  for (unsigned int i = 0; i + 1 < getNumChildren(); ++i)
    setValue(i, showsFaces_ && isSeen && (i == level_ || i == levels));
  setValue(getNumChildren() - 1, showsEdges_ && isSeen);
}

void DrawnInstance::setEdgeLook(osg::StateSet* look) {
  if (edges_->getStateSet() != look) edges_->setStateSet(look);
}

osgFitup::Highlight::Id showSurface(osgFitup::Highlight& highlight, const osg::NodePath& toPart,
                                    SurfaceId surface, const osgFitup::HighlightStyle& style) {
  const auto& part = dynamic_cast<const osgFitup::PartNode&>(*toPart.back());
  osgFitup::HighlightStyle behindEdges = style;
  behindEdges.offset = highlightOffset;
  return highlight.showTriangles(toPart, osgFitup::trianglesOf(part.getCollisionModel()->mesh(), surface),
                                 behindEdges);
}

osg::ref_ptr<osg::StateSet> edgeLook(const osg::Vec4& colour, float width) {
  const auto strength =
      osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE | osg::StateAttribute::PROTECTED;
  const auto face = osg::Material::FRONT_AND_BACK;
  osg::ref_ptr<osg::Material> material = new osg::Material;
  material->setColorMode(osg::Material::OFF);
  const osg::Vec4 black(0, 0, 0, colour.a());
  material->setAmbient(face, black);
  material->setDiffuse(face, black);
  material->setSpecular(face, black);
  material->setEmission(face, colour);
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  state->setAttributeAndModes(material, strength);
  state->setAttributeAndModes(new osg::LineWidth(width), strength);
  state->setAttributeAndModes(new osg::Depth(osg::Depth::LEQUAL, 0, 1, colour.a() >= 1), strength);
  if (colour.a() < 1)
    state->setAttributeAndModes(new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA), strength);
  else  // also those of translucent parts
    state->setMode(GL_BLEND,
                   osg::StateAttribute::OFF | osg::StateAttribute::OVERRIDE | osg::StateAttribute::PROTECTED);
  constexpr int afterHighlights = 24;
  state->setRenderBinDetails(afterHighlights, "RenderBin", osg::StateSet::PROTECTED_RENDERBIN_DETAILS);
  return state;
}

void addDrawings(osg::Group& root, const Scene& scene, const Progress& progress) {
  const CollisionModels models = scene.collisionModels(progress, allCores);
  std::map<const CollisionModel*, std::size_t> firstUse;
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < models.size(); ++i)
    if (firstUse.emplace(models[i].get(), i).second) distinct.push_back(i);
  std::vector<std::shared_ptr<PartDrawing>> drawings(models.size());
  std::atomic<std::size_t> done{0};
  const WorkMeter meter(progress);
  parallelFor(distinct.size(), allCores, [&](std::size_t i, unsigned) {
    meter.poll();
    drawings[distinct[i]] = std::make_shared<PartDrawing>(drawingOf(models[distinct[i]]->mesh()));
    progress.report("making drawables", static_cast<double>(++done) / static_cast<double>(distinct.size()));
  });
  // State sets keep lists of their users, so one thread assigns them.
  const osg::ref_ptr<osg::StateSet> clear = clearLook();
  for (const std::size_t i : distinct)
    if (drawings[i]->clear) drawings[i]->clear->setStateSet(clear);
  setSceneState(*root.getOrCreateStateSet());
  std::map<std::string, PartId> partAt;
  for (const NodeId node : scene.instances())
    partAt.emplace(scene.assembly().path(node), scene.assembly().partOf(node));
  for (osgFitup::PartNode* node : osgFitup::partNodesBelow(root)) {
    const std::size_t part = index(partAt.at(node->getInstancePath()));
    node->getChild(0)->asGroup()->addChild(new DrawnInstance(drawings[firstUse.at(models[part].get())]));
  }
}

}  // namespace fitup::viewer
