#include <osgFitup/create_scene.h>

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>

#include <osg/FrontFace>
#include <osg/LightModel>
#include <osg/Material>
#include <osg/NodeVisitor>
#include <osg/ValueObject>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/base/work_meter.h>
#include <osgFitup/conversions.h>
#include <osgFitup/detail/node_order.h>
#include <osgFitup/detail/part_contents.h>
#include <osgFitup/smooth_triangles.h>

namespace osgFitup {
namespace {

using fitup::AssemblyNode;
using fitup::Colour;
using fitup::NodeId;
using fitup::PartId;

/// State sets of materials, one for each colour and strength.
class Materials {
 public:
  osg::StateSet* of(const Colour& colour, bool overridesSurfaces) {
    auto& found =
        byColour_[{colour.red, colour.green, colour.blue, colour.alpha, overridesSurfaces ? 1.0F : 0.0F}];
    if (!found) found = make(colour, overridesSurfaces);
    return found.get();
  }

 private:
  static osg::ref_ptr<osg::StateSet> make(const Colour& colour, bool overridesSurfaces) {
    const auto face = osg::Material::FRONT_AND_BACK;
    osg::ref_ptr<osg::Material> material = new osg::Material;
    material->setColorMode(osg::Material::OFF);
    material->setAmbient(face, toVec4(colour));
    material->setDiffuse(face, toVec4(colour));
    material->setSpecular(face, {0.15F, 0.15F, 0.15F, colour.alpha});
    material->setShininess(face, 24);
    osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
    const auto strength = osg::StateAttribute::ON |
                          (overridesSurfaces ? osg::StateAttribute::OVERRIDE : osg::StateAttribute::OFF);
    state->setAttribute(material, strength);
    if (colour.alpha < 1) {
      state->setMode(GL_BLEND, strength);
      state->setRenderingHint(osg::StateSet::TRANSPARENT_BIN);
    }
    return state;
  }

  std::map<std::array<float, 5>, osg::ref_ptr<osg::StateSet>> byColour_;
};

/// Drawables and model of a distinct part.
struct PartScene {
  osg::ref_ptr<osg::Group> surfaces;
  osg::ref_ptr<PartModel> model;
};

/// A `PartNode` has a group of its own for the instance's state and the mesh's origin. Below it is the group
/// of the drawables that instances share.
std::vector<ChildPath> surfacePaths(std::size_t count) {
  std::vector<ChildPath> paths;
  for (unsigned int i = 0; i < count; ++i) paths.push_back({0, 0, i});
  return paths;
}

osg::ref_ptr<SurfaceGeometry> makeSurfaceGeometry(const fitup::TriangleMesh& mesh, fitup::SurfaceId id) {
  osg::ref_ptr<SurfaceGeometry> geometry = new SurfaceGeometry(id);
  geometry->setName(mesh.surfaces()[index(id)].name);
  geometry->setUseDisplayList(false);
  geometry->setUseVertexBufferObjects(true);
  SmoothTriangles shape;
  shape.append(mesh, trianglesOf(mesh, id));
  geometry->setVertexArray(shape.points);
  geometry->setNormalArray(shape.normals);
  if (!shape.triangles->empty()) geometry->addPrimitiveSet(shape.triangles);
  return geometry;
}

PartScene makePartScene(std::shared_ptr<const fitup::CollisionModel> model, bool hasDrawables) {
  const fitup::TriangleMesh& mesh = model->mesh();
  PartScene scene;
  scene.surfaces = new osg::Group;
  // osgUtil::Optimizer removes groups without names, and paths depend on them.
  scene.surfaces->setName(mesh.name().empty() ? "part" : mesh.name());
  for (std::uint32_t i = 0; hasDrawables && i < mesh.surfaces().size(); ++i)
    scene.surfaces->addChild(makeSurfaceGeometry(mesh, fitup::SurfaceId{i}));
  scene.model =
      new PartModel(std::move(model), surfacePaths(mesh.surfaces().size()), PrimitiveNumbering::consecutive);
  if (!hasDrawables) return scene;
  std::vector<VertexVersion> versions;
  for (unsigned int i = 0; i < scene.surfaces->getNumChildren(); ++i)
    versions.push_back(versionOf(*scene.surfaces->getChild(i)->asDrawable()));
  scene.model->setVertexVersions(std::move(versions));
  return scene;
}

osg::ref_ptr<osg::Group> makeInstanceGroup(const fitup::TriangleMesh& mesh) {
  osg::ref_ptr<osg::Group> group;
  if (mesh.origin() == fitup::Vec3{})
    group = new osg::Group;
  else
    group = new osg::MatrixTransform(toMatrix(fitup::Transform::translation(mesh.origin())));
  group->setName("surfaces");
  group->setDataVariance(osg::Object::DYNAMIC);  // flattened into 32-bit vertices, it would move them
  return group;
}

void setSceneState(osg::StateSet& state) {
  osg::ref_ptr<osg::LightModel> light = new osg::LightModel;
  light->setTwoSided(true);  // open sheets show both sides
  state.setAttributeAndModes(light);
  state.setMode(GL_LIGHTING, osg::StateAttribute::ON);
  state.setMode(GL_NORMALIZE, osg::StateAttribute::ON);  // placements may scale
}

/// Makes one `PartScene` for each part; parts that share a model share it. Throws CancelledError.
std::vector<PartScene> makePartScenes(const fitup::CollisionModels& models, const SceneOptions& options,
                                      const fitup::Progress& progress) {
  std::map<const fitup::CollisionModel*, std::size_t> firstUse;
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < models.size(); ++i)
    if (firstUse.emplace(models[i].get(), i).second) distinct.push_back(i);
  std::vector<PartScene> scenes(models.size());
  std::atomic<std::size_t> done{0};
  const fitup::WorkMeter meter(progress);
  fitup::parallelFor(distinct.size(), options.threads, [&](std::size_t i, unsigned) {
    meter.poll();
    scenes[distinct[i]] = makePartScene(models[distinct[i]], options.drawables);
    progress.report("making drawables", static_cast<double>(++done) / static_cast<double>(distinct.size()));
  });
  // State sets keep lists of their users, so one thread assigns them.
  Materials materials;
  for (const std::size_t i : distinct) {
    const auto surfaces = models[i]->mesh().surfaces();
    for (unsigned int s = 0; options.drawables && s < surfaces.size(); ++s)
      scenes[i].surfaces->getChild(s)->setStateSet(
          materials.of(surfaces[s].colour.value_or(options.defaultColour), false));
  }
  for (std::size_t i = 0; i < models.size(); ++i) scenes[i] = scenes[firstUse.at(models[i].get())];
  return scenes;
}

class PartNodeCollector : public osg::NodeVisitor {
 public:
  PartNodeCollector() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) { setNodeMaskOverride(~0U); }
  using osg::NodeVisitor::apply;
  void apply(osg::MatrixTransform& node) override {
    if (auto* part = dynamic_cast<PartNode*>(&node))
      if (seen_.insert(part).second) found.push_back(part);
    traverse(node);
  }
  std::vector<PartNode*> found;

 private:
  std::unordered_set<const PartNode*> seen_;
};

}  // namespace

osg::ref_ptr<osg::Group> createScene(const fitup::Scene& scene, const SceneOptions& options,
                                     const fitup::Progress& progress) {
  const std::vector<PartScene> parts =
      makePartScenes(scene.collisionModels(progress, options.threads), options, progress);
  const fitup::Assembly& assembly = scene.assembly();

  osg::ref_ptr<osg::Group> root = new osg::Group;
  root->setName(assembly.name());
  root->setUserValue("osgFitup.unit", assembly.unit());
  root->setUserValue("osgFitup.upAxis", static_cast<unsigned int>(assembly.upAxis()));
  setSceneState(*root->getOrCreateStateSet());

  Materials instanceMaterials;
  const auto nodes = assembly.nodes();
  std::vector<osg::ref_ptr<osg::Group>> sceneNodes(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const AssemblyNode& node = nodes[i];
    if (!node.part) {
      osg::ref_ptr<osg::MatrixTransform> subassembly =
          new osg::MatrixTransform(toMatrix(node.parentFromNode));
      subassembly->setDataVariance(osg::Object::DYNAMIC);
      sceneNodes[i] = subassembly;
    } else {
      const PartScene& part = parts[index(*node.part)];
      osg::ref_ptr<PartNode> instance = new PartNode(part.model.get(), node.parentFromNode);
      instance->setInstancePath(assembly.path(NodeId{i}));
      osg::ref_ptr<osg::Group> group = makeInstanceGroup(assembly.part(*node.part));
      group->addChild(part.surfaces);
      if (node.colour) group->setStateSet(instanceMaterials.of(*node.colour, true));
      // A mirrored placement reverses the winding of triangles, by which two-sided lighting distinguishes the
      // sides.
      if (assembly.worldFromNode(NodeId{i}).determinant() < 0) {
        osg::ref_ptr<osg::StateSet> state =
            group->getStateSet() != nullptr
                ? new osg::StateSet(*group->getStateSet(), osg::CopyOp::SHALLOW_COPY)
                : new osg::StateSet;
        state->setAttribute(new osg::FrontFace(osg::FrontFace::CLOCKWISE));
        group->setStateSet(state);
      }
      instance->addChild(group);
      if (options.drawables && !part.model->getContents())
        part.model->setContents(
            std::make_shared<const detail::PartContents>(detail::contentsOf(*instance, *part.model)));
      sceneNodes[i] = instance;
    }
    sceneNodes[i]->setName(node.name);
    (node.parent ? *sceneNodes[index(*node.parent)] : *root).addChild(sceneNodes[i]);
  }
  detail::rememberNodes(*root, assembly, sceneNodes);
  return root;
}

std::vector<PartNode*> partNodesBelow(osg::Node& node) {
  PartNodeCollector collector;
  node.accept(collector);
  return collector.found;
}

PartNode* findPartNode(osg::Node& root, const std::string& instancePath) {
  for (PartNode* part : partNodesBelow(root))
    if (part->getInstancePath() == instancePath) return part;
  return nullptr;
}

}  // namespace osgFitup
