#include <osgFitup/part_model.h>

#include <algorithm>
#include <string>
#include <typeinfo>

#include <osg/Geometry>
#include <osg/Group>
#include <osg/Observer>
#include <osg/UserDataContainer>

#include <fitup/base/error.h>
#include <osgFitup/detail/drawable_triangles.h>
#include <osgFitup/detail/given.h>
#include <osgFitup/part_node.h>

namespace osgFitup {
namespace {

constexpr const char* userObjectName = "osgFitup.PartModel";

/// A model that neither files nor copies of its node take along. It is deleted with the node.
class UnsavedModel : public osg::Observer {
 public:
  explicit UnsavedModel(PartModel* model) : model(model) {}
  void objectDeleted(void*) override { delete this; }
  osg::ref_ptr<PartModel> model;
};

UnsavedModel* unsavedModelOf(const osg::Node& node) {
  const osg::ObserverSet* observers = node.getObserverSet();
  if (observers == nullptr) return nullptr;
  const OpenThreads::ScopedLock<OpenThreads::Mutex> lock(*observers->getObserverSetMutex());
  for (osg::Observer* observer : observers->getObservers())
    if (auto* unsaved = dynamic_cast<UnsavedModel*>(observer)) return unsaved;
  return nullptr;
}

}  // namespace

VertexVersion versionOf(const osg::Drawable& drawable) {
  const osg::Geometry* geometry = drawable.asGeometry();
  const osg::Array* array = geometry == nullptr ? nullptr : detail::vertexArrayOf(*geometry);
  return {array, array == nullptr ? 0 : array->getModifiedCount()};
}

std::vector<VertexVersion> vertexVersionsOf(osg::Node& part, const PartModel& model) {
  std::vector<VertexVersion> versions;
  for (std::uint32_t s = 0; s < model.getSurfacePaths().size(); ++s) {
    const osg::Drawable* drawable = model.drawableOf(part, fitup::SurfaceId{s});
    versions.push_back(drawable == nullptr ? VertexVersion{} : versionOf(*drawable));
  }
  return versions;
}

PartModel::PartModel(std::shared_ptr<const fitup::CollisionModel> model, std::vector<ChildPath> surfacePaths,
                     PrimitiveNumbering numbering, std::vector<fitup::ImportWarning> warnings) {
  fill(std::move(model), std::move(surfacePaths), numbering, std::move(warnings));
}

void PartModel::fill(std::shared_ptr<const fitup::CollisionModel> model, std::vector<ChildPath> surfacePaths,
                     PrimitiveNumbering numbering, std::vector<fitup::ImportWarning> warnings) {
  if (model_) throw fitup::InputError("part model: already has a collision model");
  if (!model) throw fitup::InputError("part model: no collision model");
  const auto& mesh = model->mesh();
  if (surfacePaths.size() != mesh.surfaces().size())
    throw fitup::InputError(
        "part model of '" + mesh.name() + "'", "drawables",
        std::to_string(surfacePaths.size()) + " for " + std::to_string(mesh.surfaces().size()) + " surfaces");
  if (!std::is_sorted(surfacePaths.begin(), surfacePaths.end()))
    throw fitup::InputError("part model of '" + mesh.name() + "'", "drawables", "are not in order");
  if (numbering == PrimitiveNumbering::consecutive &&
      std::adjacent_find(surfacePaths.begin(), surfacePaths.end()) != surfacePaths.end())
    throw fitup::InputError("part model of '" + mesh.name() + "'", "drawables",
                            "one has several surfaces without numbered triangles");
  model_ = std::move(model);
  surfacePaths_ = std::move(surfacePaths);
  numbering_ = numbering;
  warnings_ = std::move(warnings);
  setName(userObjectName);
}

PartModel::PartModel(const PartModel& other, const osg::CopyOp& copyop)
    : osg::Object(other, copyop),
      model_(other.model_),
      surfacePaths_(other.surfacePaths_),
      numbering_(other.numbering_),
      warnings_(other.warnings_),
      saved_(other.saved_),
      versions_(other.versions_),
      contents_(other.contents_) {}

osg::NodePath PartModel::pathTo(osg::Node& part, fitup::SurfaceId surface) const {
  if (index(surface) >= surfacePaths_.size()) return {};
  osg::NodePath path{&part};
  osg::Node* node = &part;
  for (const unsigned int child : surfacePaths_[index(surface)]) {
    osg::Group* group = node->asGroup();
    if (group == nullptr || child >= group->getNumChildren()) return {};
    node = group->getChild(child);
    path.push_back(node);
  }
  return node->asDrawable() == nullptr ? osg::NodePath{} : path;
}

osg::Drawable* PartModel::drawableOf(osg::Node& part, fitup::SurfaceId surface) const {
  const osg::NodePath path = pathTo(part, surface);
  return path.empty() ? nullptr : path.back()->asDrawable();
}

std::optional<fitup::SurfaceId> PartModel::surfaceAt(const osg::NodePath& path) const {
  ChildPath way;
  return surfaceAt(detail::givenPath(path, "PartModel::surfaceAt", "fromPartToDrawable"), way);
}

std::optional<fitup::SurfaceId> PartModel::surfaceAt(const osg::NodePath& path,
                                                     unsigned int primitiveIndex) const {
  const auto first = surfaceAt(path);
  if (!first) return std::nullopt;
  const auto [begin, end] = surfacesBeside(*first);
  for (std::uint32_t s = index(begin); s < index(end); ++s)
    if (trianglesOf(fitup::SurfaceId{s}, primitiveIndex).count > 0) return fitup::SurfaceId{s};
  return std::nullopt;
}

std::pair<fitup::SurfaceId, fitup::SurfaceId> PartModel::surfacesBeside(fitup::SurfaceId surface) const {
  const auto [begin, end] =
      std::equal_range(surfacePaths_.begin(), surfacePaths_.end(), surfacePaths_[index(surface)]);
  return {fitup::SurfaceId(static_cast<std::uint32_t>(begin - surfacePaths_.begin())),
          fitup::SurfaceId(static_cast<std::uint32_t>(end - surfacePaths_.begin()))};
}

std::optional<fitup::SurfaceId> PartModel::surfaceAt(const osg::NodePath& path, ChildPath& way) const {
  if (way.size() + 1 >= path.size()) {
    const auto found = std::lower_bound(surfacePaths_.begin(), surfacePaths_.end(), way);
    if (found == surfacePaths_.end() || *found != way) return std::nullopt;
    return fitup::SurfaceId(static_cast<std::uint32_t>(found - surfacePaths_.begin()));
  }
  const osg::Group* group = path[way.size()]->asGroup();
  const osg::Node* child = path[way.size() + 1];
  // A group may have a child more than once, and not every time as part of the model.
  for (unsigned int i = 0; group != nullptr && i < group->getNumChildren(); ++i) {
    if (group->getChild(i) != child) continue;
    way.push_back(i);
    if (const auto surface = surfaceAt(path, way)) return surface;
    way.pop_back();
  }
  return std::nullopt;
}

unsigned int PartModel::primitiveIndexOf(fitup::TriangleId triangle) const {
  const auto& mesh = detail::given(model_.get(), "PartModel::primitiveIndexOf", "collision model").mesh();
  if (numbering_ == PrimitiveNumbering::fromSource) return mesh.sourceTriangle(triangle);
  return static_cast<std::uint32_t>(triangle) -
         mesh.surfaces()[index(mesh.surfaceOf(triangle))].firstTriangle;
}

TriangleRange PartModel::trianglesOf(fitup::SurfaceId surface, unsigned int primitiveIndex) const {
  if (!model_ || index(surface) >= model_->mesh().surfaces().size()) return {};
  const fitup::Surface& s = model_->mesh().surfaces()[index(surface)];
  if (numbering_ == PrimitiveNumbering::consecutive) {
    if (primitiveIndex >= s.triangleCount) return {};
    return {fitup::TriangleId{s.firstTriangle + primitiveIndex}, 1};
  }
  // Primitives were numbered while their triangles were made, so they ascend within a surface.
  const auto sources = model_->mesh().data().sourceTriangles.span().subspan(s.firstTriangle, s.triangleCount);
  const auto [begin, end] = std::equal_range(sources.begin(), sources.end(), primitiveIndex);
  return {fitup::TriangleId{s.firstTriangle + static_cast<std::uint32_t>(begin - sources.begin())},
          static_cast<std::uint32_t>(end - begin)};
}

PartModel* partModelOf(osg::Node& node) {
  // The common case, without a cast through the class hierarchy, because a monitor asks each part in each
  // update.
  if (typeid(node) == typeid(PartNode)) return static_cast<PartNode&>(node).getPartModel();
  if (auto* part = dynamic_cast<PartNode*>(&node)) return part->getPartModel();
  if (const UnsavedModel* unsaved = unsavedModelOf(node)) return unsaved->model;
  osg::UserDataContainer* data = node.getUserDataContainer();
  return data == nullptr ? nullptr : dynamic_cast<PartModel*>(data->getUserObject(userObjectName));
}

const PartModel* partModelOf(const osg::Node& node) { return partModelOf(const_cast<osg::Node&>(node)); }

void setPartModel(osg::Node& node, PartModel* model) {
  if (auto* part = dynamic_cast<PartNode*>(&node)) return part->setPartModel(model);
  const osg::ref_ptr<PartModel> kept = model;  // it may be the model that the node releases
  if (UnsavedModel* unsaved = unsavedModelOf(node)) {
    node.getObserverSet()->removeObserver(unsaved);
    delete unsaved;
  }
  if (model != nullptr && !model->isSaved()) {
    node.getOrCreateObserverSet()->addObserver(new UnsavedModel(model));
    model = nullptr;
  }
  if (model != nullptr) model->setName(userObjectName);
  osg::UserDataContainer* data = node.getUserDataContainer();
  if (data == nullptr && model == nullptr) return;
  if (data == nullptr) data = node.getOrCreateUserDataContainer();
  // Shallow copies of a node share its user data, but must not share the model.
  if (data->referenceCount() > 1) {
    node.setUserDataContainer(osg::clone(data, osg::CopyOp::SHALLOW_COPY));
    data = node.getUserDataContainer();
  }
  const unsigned int place = data->getUserObjectIndex(userObjectName);
  if (place < data->getNumUserObjects()) data->removeUserObject(place);
  if (model != nullptr) data->addUserObject(model);
}

}  // namespace osgFitup
