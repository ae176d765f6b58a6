#include <viewer/gui/part_drawing.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include <osg/BlendFunc>
#include <osg/Depth>
#include <osg/LineWidth>
#include <osg/Material>

#include <fitup/base/parallel.h>
#include <fitup/base/work_meter.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/smooth_triangles.h>
#include <viewer/core/coarse_triangles.h>
#include <viewer/core/drawn_edges.h>
#include <viewer/gui/drawn_elements.h>

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
  // Otherwise it would be computed from the points, which are freed.
  geometry->setInitialBound(geometry->computeBoundingBox());
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
};

/// Makes geometries of faces, which share the arrays of their vertices.
class FaceGeometries {
 public:
  explicit FaceGeometries(const Faces& faces) : faces_(faces) {
    // A step is 3e-5, and normals take half as much memory as they would as floats.
    for (const osg::Vec3& normal : *faces.shape.normals) {
      const auto inSteps = [](float value) { return static_cast<GLshort>(std::lround(32767 * value)); };
      normals_->push_back({inSteps(normal.x()), inSteps(normal.y()), inSteps(normal.z())});
    }
    normals_->setNormalize(true);
  }
  [[nodiscard]] osg::ref_ptr<osg::Geometry> of(std::span<const std::uint32_t> corners) const {
    osg::Vec3Array* points = faces_.shape.points;
    osg::ref_ptr<osg::Geometry> geometry =
        geometryOf(points, makeElements(osg::PrimitiveSet::TRIANGLES, corners, points->size()));
    geometry->setNormalArray(normals_);
    geometry->setColorArray(faces_.colours);
    return geometry;
  }

 private:
  const Faces& faces_;
  osg::ref_ptr<osg::Vec3sArray> normals_ = new osg::Vec3sArray(osg::Array::BIND_PER_VERTEX);
};

/// Adds the finest level and coarser ones.
void addLevels(PartDrawing& drawing, const Faces& faces, double size) {
  static_assert(sizeof(osg::Vec3f) == sizeof(std::array<float, 3>));
  const std::span vertices(
      reinterpret_cast<const std::array<float, 3>*>(faces.shape.points->getDataPointer()),
      faces.shape.points->size());
  const FaceGeometries geometries(faces);
  std::vector<std::uint32_t> finer = faces.shape.triangles->asVector();
  drawing.levels.push_back({0, finer.size() / 3, geometries.of(finer)});
  for (const double cell : cells) {
    if (finer.size() < 3 * fewTriangles) return;
    std::vector<std::uint32_t> corners = coarseTriangles(vertices, finer, static_cast<float>(cell * size));
    // A level has to be worth its memory.
    if (2 * corners.size() > finer.size()) continue;
    drawing.levels.push_back({cell * size, corners.size() / 3, geometries.of(corners)});
    finer = std::move(corners);
  }
}

osg::ref_ptr<osg::Geometry> edgesOf(const TriangleMesh& mesh, const std::vector<EdgeSegment>& segments) {
  osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  std::vector<std::uint32_t> lines;
  std::map<std::uint32_t, std::uint32_t> vertexOf;
  const auto vertex = [&](std::uint32_t point) {
    const auto [at, isNew] = vertexOf.try_emplace(point, static_cast<std::uint32_t>(points->size()));
    const Point3f& p = mesh.points()[point];
    if (isNew) points->push_back({p.x, p.y, p.z});
    return at->second;
  };
  for (const auto& [from, to] : segments) {
    lines.push_back(vertex(from));
    lines.push_back(vertex(to));
  }
  return geometryOf(points, makeElements(osg::PrimitiveSet::LINES, lines, points->size()));
}

PartDrawing drawingOf(std::shared_ptr<const TriangleMesh> ofMesh) {
  const TriangleMesh& mesh = *ofMesh;
  Faces opaque, clear;
  for (std::uint32_t i = 0; i < mesh.surfaces().size(); ++i) {
    const Colour colour = mesh.surfaces()[i].colour.value_or(defaultColour);
    (colour.alpha < 1 ? clear : opaque).append(mesh, SurfaceId{i}, colour);
  }
  PartDrawing drawing;
  addLevels(drawing, opaque, mesh.triangleCount() > 0 ? 2 * norm(mesh.bounds().halfExtent()) : 0);
  if (!clear.shape.triangles->empty())
    drawing.clear = FaceGeometries(clear).of(clear.shape.triangles->asVector());
  const std::vector<EdgeSegment> segments = drawnEdges(mesh);
  drawing.segments = segments.size();
  if (!segments.empty()) drawing.edges = edgesOf(mesh, segments);
  drawing.mesh = std::move(ofMesh);
  return drawing;
}

std::vector<osg::Geometry*> geometriesOf(const PartDrawing& drawing) {
  std::vector<osg::Geometry*> all;
  for (const PartDrawing::Level& level : drawing.levels) all.push_back(level.faces);
  for (const auto& geometry : {drawing.clear, drawing.edges})
    if (geometry) all.push_back(geometry);
  return all;
}

/// Whether OpenGL has the current data.
bool isIn(unsigned int context, const osg::BufferData& data) {
  const osg::GLBufferObject* buffer = data.getGLBufferObject(context);
  return data.getTotalDataSize() == 0 || (buffer != nullptr && !buffer->isDirty());
}

/// Returns the number of bytes.
template <typename Array>
std::size_t freeArray(Array& array) {
  const std::size_t bytes = array.getTotalDataSize();
  array.clear();
  array.trim();
  return bytes;
}

std::size_t freeArray(osg::Array& array) {
  if (auto* floats = dynamic_cast<osg::Vec3Array*>(&array)) return freeArray(*floats);
  if (auto* shorts = dynamic_cast<osg::Vec3sArray*>(&array)) return freeArray(*shorts);
  return freeArray(dynamic_cast<osg::Vec4ubArray&>(array));
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
  state.setAttributeAndModes(polygonOffset(faceOffset));
}

}  // namespace

osg::ref_ptr<osg::PolygonOffset> polygonOffset(float offset) {
  return new osg::PolygonOffset(offset, osgFitup::HighlightStyle::unitsOfOffset * offset);
}

DrawnInstance::DrawnInstance(std::shared_ptr<PartDrawing> drawing)
    : drawing_(std::move(drawing)), edges_(new osg::Group) {
  setName("drawing");
  addDrawables();
}

void DrawnInstance::addDrawables() {
  removeChildren(0, getNumChildren());
  edges_->removeChildren(0, edges_->getNumChildren());
  for (const PartDrawing::Level& level : drawing_->levels) addChild(level.faces);
  if (drawing_->clear) addChild(drawing_->clear);
  if (drawing_->edges) edges_->addChild(drawing_->edges);
  addChild(edges_);
  apply();
}

std::size_t DrawnInstance::moveToOpenGl(osg::RenderInfo& info) {
  if (drawing_->isInOpenGl) return 0;
  const std::vector<osg::Geometry*> geometries = geometriesOf(*drawing_);
  std::set<osg::Array*> arrays;  // which levels share
  for (osg::Geometry* geometry : geometries) {
    geometry->compileGLObjects(info);
    osg::Geometry::ArrayList own;
    geometry->getArrayList(own);
    for (const auto& array : own) arrays.insert(array);
  }
  const unsigned int context = info.getContextID();
  const auto isThere = [&](const osg::BufferData* data) { return isIn(context, *data); };
  const auto indicesOf = [](const osg::Geometry* geometry) { return geometry->getPrimitiveSet(0); };
  if (!std::ranges::all_of(arrays, isThere) || !std::ranges::all_of(geometries, isThere, indicesOf)) return 0;
  std::size_t bytes = 0;
  for (osg::Array* array : arrays) bytes += freeArray(*array);
  for (osg::Geometry* geometry : geometries) {
    auto& elements = dynamic_cast<DrawnElements&>(*geometry->getPrimitiveSet(0));
    bytes += elements.bytes();
    elements.free();
  }
  drawing_->isInOpenGl = true;
  return bytes;
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
                                    SurfaceId surface, const osgFitup::HighlightStyle& style, float offset) {
  const auto& part = dynamic_cast<const osgFitup::PartNode&>(*toPart.back());
  osgFitup::HighlightStyle behindEdges = style;
  behindEdges.offset = offset;
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
    drawings[distinct[i]] = std::make_shared<PartDrawing>(drawingOf(models[distinct[i]]->sharedMesh()));
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

void remakeDrawings(std::span<DrawnInstance* const> instances) {
  std::set<PartDrawing*> distinct;
  for (const DrawnInstance* instance : instances) distinct.insert(instance->drawing_.get());
  const std::vector<PartDrawing*> drawings(distinct.begin(), distinct.end());
  std::vector<PartDrawing> made(drawings.size());
  parallelFor(drawings.size(), allCores,
              [&](std::size_t i, unsigned) { made[i] = drawingOf(drawings[i]->mesh); });
  for (std::size_t i = 0; i < drawings.size(); ++i) {
    if (made[i].clear) made[i].clear->setStateSet(drawings[i]->clear->getStateSet());
    *drawings[i] = std::move(made[i]);
  }
  for (DrawnInstance* instance : instances) instance->addDrawables();
}

}  // namespace fitup::viewer
