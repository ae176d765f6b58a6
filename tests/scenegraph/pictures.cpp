// These tests need a display, which may be one in memory.

#include <array>

#include <catch2/catch.hpp>
#include <osg/Image>
#include <osgViewer/Viewer>

#include <models/process_plant.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/highlight.h>
#include <osgFitup/interference_visitor.h>
#include <osgFitup/part_ghost.h>
#include <osgFitup/swept_volume_node.h>
#include <support/tiny_meshes.h>

#include "scene_state.h"

namespace pictures_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;

namespace {

constexpr int width = 320, height = 240;

/// Draws the scene a few times into memory, seen along `away`.
class Camera {
 public:
  explicit Camera(osg::Node& scene, const osg::Vec3d& away) {
    osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
    traits->readDISPLAY();
    traits->width = width;
    traits->height = height;
    traits->pbuffer = true;
    traits->samples = 0;
    osg::ref_ptr<osg::GraphicsContext> context = osg::GraphicsContext::createGraphicsContext(traits);
    REQUIRE(context.valid());
    viewer_.setThreadingModel(osgViewer::Viewer::SingleThreaded);
    osg::Camera* camera = viewer_.getCamera();
    camera->setGraphicsContext(context);
    camera->setViewport(0, 0, width, height);
    camera->setDrawBuffer(GL_FRONT);
    camera->setReadBuffer(GL_FRONT);
    camera->setClearColor({0, 0, 0, 1});
    camera->setProjectionMatrixAsPerspective(30, static_cast<double>(width) / height, 1, 1000);
    const osg::Vec3d centre = scene.getBound().center();
    camera->setViewMatrixAsLookAt(centre + away * scene.getBound().radius(), centre, {0, 0, 1});
    camera->attach(osg::Camera::COLOR_BUFFER, image_);
    viewer_.setSceneData(&scene);
  }

  osg::Image& draw() {
    for (int i = 0; i < 2; ++i) viewer_.frame();
    return *image_;
  }
  /// Returns the place in the picture of a point of the world.
  [[nodiscard]] osg::Vec3d toPicture(const osg::Vec3d& world) {
    const osg::Camera* camera = viewer_.getCamera();
    return world * camera->getViewMatrix() * camera->getProjectionMatrix() *
           camera->getViewport()->computeWindowMatrix();
  }

 private:
  osgViewer::Viewer viewer_;
  osg::ref_ptr<osg::Image> image_ = new osg::Image;
};

bool isBlue(const osg::Vec4& c) { return c.b() > 0.45F && c.b() > 2 * c.r() && c.b() > 2 * c.g(); }

std::size_t bluePixels(const osg::Image& image) {
  std::size_t count = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      count += isBlue(image.getColor(static_cast<unsigned int>(x), static_cast<unsigned int>(y))) ? 1 : 0;
  return count;
}

HighlightStyle blueStyle() { return {.colour = {0, 0, 1, 1}}; }

}  // namespace

TEST_CASE("pixels of a highlighted surface have its colour, and lose it again") {
  Assembly assembly("boxes");
  const PartId box = assembly.addPart(fitup::test::sixSidedBox(2, 2, 2, 3));
  const NodeId left = assembly.addNode("left", Transform::translation({-3, 0, 0}), {}, box);
  assembly.addNode("right", Transform::translation({3, 0, 0}), {}, box);
  osg::ref_ptr<osg::Group> root = new osg::Group;
  const auto scene = createScene(fitup::Scene(assembly));
  osg::ref_ptr<Highlight> highlight = new Highlight;
  root->addChild(scene);
  root->addChild(highlight);
  PartNode* part = findPartNode(*scene, assembly.path(left));
  const SceneState before = sceneStateOf(*scene);
  Camera camera(*root, {0.2, -3.5, 0.5});
  CHECK(bluePixels(camera.draw()) == 0);
  // Surface 2 is the one towards -y, which faces the camera.
  const auto id = highlight->showSurface({scene, part}, SurfaceId{2}, blueStyle());
  osg::Image& image = camera.draw();
  const auto colourAt = [&](const osg::Vec3d& world) {
    const osg::Vec3d at = camera.toPicture(world);
    return image.getColor(static_cast<unsigned int>(at.x()), static_cast<unsigned int>(at.y()));
  };
  for (const double u : {-0.8, 0.0, 0.8}) {
    CHECK(isBlue(colourAt({-3 + u, -1, u})));
    CHECK(!isBlue(colourAt({3 + u, -1, u})));
    CHECK(colourAt({3 + u, -1, u}).r() > 0.1F);
  }
  const std::size_t shown = bluePixels(image);
  CHECK(shown > 500);
  // It follows the part by itself.
  part->setPlacement(Transform::translation({-3, 0, 1.5}));
  camera.draw();
  CHECK(isBlue(colourAt({-3, -1, 2.3})));
  CHECK(!isBlue(colourAt({-3, -1, -0.8})));
  part->resetPlacement();
  highlight->hide(id);
  CHECK(bluePixels(camera.draw()) == 0);
  // Lines of boxes; a surface behind others appears only if it is drawn in front.
  highlight->showBoxes({scene, part}, HierarchyKind::wide, 0, blueStyle());
  CHECK(bluePixels(camera.draw()) > 50);
  highlight->hideAll();
  HighlightStyle style = blueStyle();
  highlight->showSurface({scene, part}, SurfaceId{3}, style);
  CHECK(bluePixels(camera.draw()) == 0);
  style.inFront = true;
  highlight->showSurface({scene, part}, SurfaceId{3}, style);
  CHECK(bluePixels(camera.draw()) > 300);
  highlight->hideAll();
  CHECK(bluePixels(camera.draw()) == 0);
  SceneState after = sceneStateOf(*scene);
  // Drawing itself changes the modified counts and objects of arrays; nothing else may differ.
  CHECK(after.addresses.size() == before.addresses.size());
  for (const auto& [object, addresses] : before.addresses) CHECK(after.addresses.at(object) == addresses);
}

TEST_CASE("the spool between its flanges: interference shown in the plant") {
  const Assembly assembly = models::makeProcessPlant();
  osg::ref_ptr<osg::Group> root = new osg::Group;
  const auto scene = createScene(fitup::Scene(assembly));
  osg::ref_ptr<Highlight> highlight = new Highlight;
  root->addChild(scene);
  root->addChild(highlight);
  Camera camera(*root, {-1.6, -2.4, 1.3});
  CHECK(bluePixels(camera.draw()) == 0);
  osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  scene->accept(*visitor);
  HighlightStyle style = blueStyle();
  style.inFront = true;
  highlight->showInterference(visitor->getSceneAssembly(), visitor->getReport(), style, style);
  CHECK(bluePixels(camera.draw()) > 20);
  highlight->showInterference(visitor->getSceneAssembly(), {}, style, style);
  CHECK(bluePixels(camera.draw()) == 0);
}

TEST_CASE("a region shows what is inside, not the whole surface; open parts show theirs") {
  // The small box reaches by half of its size into the large one.
  Assembly assembly("boxes");
  assembly.addNode("large", {}, {}, assembly.addPart(fitup::test::sixSidedBox(4, 4, 4)));
  assembly.addNode("small", Transform::translation({2, 0, 0}), {},
                   assembly.addPart(fitup::test::sixSidedBox(1, 1, 1)));
  const auto shownOf = [&](const Assembly& of, bool regions) {
    osg::ref_ptr<osg::Group> root = new osg::Group;
    const auto scene = createScene(fitup::Scene(of));
    osg::ref_ptr<Highlight> highlight = new Highlight;
    root->addChild(scene);
    root->addChild(highlight);
    osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
    scene->accept(*visitor);
    REQUIRE(visitor->getReport().pairs.size() == 1);
    const auto model = visitor->getSceneAssembly().instances.front().part->getCollisionModel();
    const long users = model.use_count();
    Camera camera(*root, {1.5, -2.5, 1});
    if (regions)
      highlight->showRegions(visitor->getSceneAssembly(), visitor->getReport(), blueStyle());
    else
      highlight->showInterference(visitor->getSceneAssembly(), visitor->getReport(), blueStyle());
    const std::size_t pixels = bluePixels(camera.draw());
    // Calls replace what the one before has shown.
    highlight->showRegions(visitor->getSceneAssembly(), {}, blueStyle());
    CHECK(bluePixels(camera.draw()) == 0);
    CHECK(highlight->getNumShown() == 0);
    // It keeps no model that it does not show, such as those of deforming parts before.
    CHECK(model.use_count() == users);
    return pixels;
  };
  const std::size_t region = shownOf(assembly, true), faces = shownOf(assembly, false);
  CHECK(region > 10);  // the line, and what is seen of the small part's mouth
  CHECK(4 * region < faces);

  Assembly sheets("sheets");
  const PartId sheet = sheets.addPart(fitup::test::flatSheet(2, 2));
  sheets.addNode("lying", {}, {}, sheet);
  sheets.addNode("standing",
                 Transform::translation({0, 1, -1}) * Transform::rotation({1, 0, 0}, 1.5707963267948966), {},
                 sheet);
  CHECK(shownOf(sheets, true) > 500);
}

TEST_CASE("what is behind a ghost or a swept volume shows through") {
  // A blue box behind a red ghost or a green swept volume.
  const auto box = fitup::test::sixSidedBox(2, 2, 2);
  Assembly assembly("two");
  const PartId part = assembly.addPart(box);
  assembly.addNode("behind", Transform::translation({0, 8, 0}), {}, part);
  const NodeId shown = assembly.addNode("shown", {}, {}, part);
  const osg::ref_ptr<osg::Group> scene = createScene(Scene(assembly));
  const SceneAssembly made = createAssembly(*scene);
  findPartNode(*scene, "shown")->setNodeMask(0);
  osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(scene);
  const osg::NodePath path{scene, findPartNode(*scene, "behind")};
  osg::ref_ptr<Highlight> blue = new Highlight;
  for (std::uint32_t s = 0; s < 6; ++s) blue->showSurface(path, SurfaceId{s}, blueStyle());
  root->addChild(blue);
  osg::ref_ptr<PartGhost> ghost = new PartGhost;
  ghost->show(made, std::array{shown});
  ghost->setColour({1, 0, 0, 0.5F});
  root->addChild(ghost);
  SweptVolume swept;
  swept.outer = box;
  swept.times.assign(box->triangleCount(), 0);
  swept.patches.resize(box->surfaces().size());
  osg::ref_ptr<SweptVolumeNode> volume = new SweptVolumeNode(swept, {.colour = {0, 1, 0, 0.5F}});
  root->addChild(volume);
  const auto middle = [&](bool showsGhost, bool showsVolume) {
    ghost->setNodeMask(showsGhost ? ~0U : 0U);
    volume->setNodeMask(showsVolume ? ~0U : 0U);
    Camera camera(*root, {0, -3, 0});
    const osg::Image& image = camera.draw();
    const osg::Vec3d at = camera.toPicture({0.1, 0, 0.1});
    return image.getColor(static_cast<unsigned int>(at.x()), static_cast<unsigned int>(at.y()));
  };
  const osg::Vec4 bare = middle(false, false), throughGhost = middle(true, false),
                  throughVolume = middle(false, true);
  CHECK(isBlue(bare));
  CHECK(throughGhost.r() > bare.r() + 0.1F);
  CHECK(throughGhost.b() > 0.2F);
  CHECK(throughGhost.b() < bare.b());
  CHECK(throughVolume.g() > bare.g() + 0.1F);
  CHECK(throughVolume.b() > 0.2F);
  CHECK(throughVolume.b() < bare.b());
}

}  // namespace pictures_tests
