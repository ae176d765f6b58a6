// Tests the memory of drawables: who shares them, that OpenGL has the only copy, and that they are made anew
// when OpenGL loses it.
#include <algorithm>

#include <catch2/catch.hpp>
#include <vector>

#include <osg/NodeVisitor>

#include <fitup/io/model_file.h>
#include <viewer/gui/drawn_elements.h>
#include <viewer/gui/part_drawing.h>
#include <viewer/gui/process_memory.h>
#include <viewer/gui/scene_view.h>

#include "support/placements.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace drawables_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

constexpr Colour red{0.9F, 0.1F, 0.1F, 1}, green{0.1F, 0.7F, 0.1F, 1}, glass{0.2F, 0.2F, 0.9F, 0.5F};

/// A sheet of side 4 in the plane y = 0, of three strips along x: red, green and translucent blue.
MeshPtr stripes() {
  TriangleMeshBuilder builder("stripes");
  double left = -2;
  for (const Colour& colour : {red, green, glass}) {
    const double right = left + 4.0 / 3;
    builder.beginSurface("strip", colour);
    const std::uint32_t a = builder.addPoint({left, 0, -2}), b = builder.addPoint({right, 0, -2}),
                        c = builder.addPoint({right, 0, 2}), d = builder.addPoint({left, 0, 2});
    builder.addTriangle(a, b, c);
    builder.addTriangle(a, c, d);
    left = right;
  }
  return finished(builder);
}

/// Two instances of striped sheets, two of a ball with coarser levels, and a ball that is drawn in several
/// pieces and has too many vertices for indices of 16 bits.
struct Scenery {
  TemporaryFolder folder;
  NodeId sheet{}, ball{};
  WindowSession gui;

  Scenery() {
    Model model;
    Assembly& assembly = model.assembly;
    const PartId striped = assembly.addPart(stripes()), round = assembly.addPart(icosphere(2, 5)),
                 large = assembly.addPart(icosphere(2, 7));
    sheet = assembly.addNode("sheet", {}, {}, striped);
    assembly.addNode("other sheet", shift(0, 0, 6), {}, striped);
    ball = assembly.addNode("ball", shift(6, 0, 0), {}, round);
    assembly.addNode("other ball", shift(6, 0, 6), {}, round);
    assembly.addNode("large ball", shift(12, 0, 0), {}, large);
    model.collisionModels = buildCollisionModels(assembly);
    writeModelFile(folder / "scenery.fitup", model);
    gui.open(folder / "scenery.fitup");
    view().look(StandardView::front);
    view().finishDrawing();
  }
  SceneView& view() { return gui.window.view(); }
  QImage picture() {
    view().finishDrawing();
    return view().grabFramebuffer();
  }
  QColor at(const Vec3& point) {
    const auto pixel = view().widgetPoint(point);
    REQUIRE(pixel);
    return picture().pixelColor((*pixel * view().devicePixelRatioF()).toPoint());
  }
  std::vector<const DrawnInstance*> drawn() {
    struct Collect : osg::NodeVisitor {
      Collect() : NodeVisitor(TRAVERSE_ALL_CHILDREN) {}
      void apply(osg::Switch& node) override {
        if (const auto* instance = dynamic_cast<const DrawnInstance*>(&node)) found.push_back(instance);
        traverse(node);
      }
      std::vector<const DrawnInstance*> found;
    } collect;
    view().presenter().root()->accept(collect);
    return collect.found;
  }
};

/// As when the view gets another context of OpenGL.
void loseBuffers(SceneView& view) {
  view.makeCurrent();
  view.presenter().root()->releaseGLObjects(nullptr);
  view.presenter().remakeDrawings();
  view.doneCurrent();
  view.update();
}

bool isRed(const QColor& c) { return c.red() > 2 * c.green() && c.red() > 2 * c.blue(); }
bool isGreen(const QColor& c) { return c.green() > 2 * c.red() && c.green() > 2 * c.blue(); }

}  // namespace

TEST_CASE("instances share their drawables, of which OpenGL has the only copy", "[gui]") {
  Scenery scenery;
  const std::vector<const DrawnInstance*> drawn = scenery.drawn();
  REQUIRE(drawn.size() == 5);
  CHECK(&drawn[0]->drawing() == &drawn[1]->drawing());
  CHECK(&drawn[2]->drawing() == &drawn[3]->drawing());
  CHECK(&drawn[0]->drawing() != &drawn[2]->drawing());
  REQUIRE(drawn[2]->drawing().levels.size() > 1);
  REQUIRE(drawn[0]->drawing().clear);
  for (const DrawnInstance* instance : drawn) {
    const PartDrawing& drawing = instance->drawing();
    CHECK(drawing.isInOpenGl);
    std::vector<const osg::Geometry*> geometries{drawing.clear.get(), drawing.edges.get()};
    for (const PartDrawing::Level& level : drawing.levels) {
      geometries.push_back(level.faces);
      CHECK(level.faces->getVertexArray() == drawing.levels.front().faces->getVertexArray());
      CHECK(level.faces->getPrimitiveSet(0)->getNumIndices() == 3 * level.triangles);
    }
    for (const osg::Geometry* geometry : geometries) {
      if (geometry == nullptr) continue;
      CHECK(geometry->getVertexArray()->getNumElements() == 0);
      CHECK(dynamic_cast<const DrawnElements&>(*geometry->getPrimitiveSet(0)).bytes() == 0);
      CHECK(geometry->getBoundingBox().valid());
    }
  }
}

TEST_CASE("faces keep their colours, and are drawn again after the context is lost", "[gui]") {
  Scenery scenery;
  REQUIRE(scenery.gui.run({}, {"select ball"}).empty());
  scenery.gui.settle();
  const QImage before = scenery.picture();
  CHECK(isRed(scenery.at({-1.3, 0, 0.3})));
  CHECK(isGreen(scenery.at({0, 0, 0.3})));
  const QColor background = scenery.at({3.5, 0, 3}), clear = scenery.at({1.3, 0, 0.3});
  CHECK(clear.blue() > clear.red() + 30);
  CHECK(clear.red() > 60);  // through it, the light background

  loseBuffers(scenery.view());
  // Nothing is lost, from the outline of the selected ball to the indices of 32 bits.
  CHECK(scenery.picture() == before);
  for (const DrawnInstance* instance : scenery.drawn()) CHECK(instance->drawing().isInOpenGl);
  CHECK(scenery.at({12, 0, 0}) != background);

  scenery.gui.click(*scenery.view().widgetPoint({0, 0, 6.3}));
  CHECK(scenery.gui.document.selection() ==
        std::set{scenery.gui.document.session()->assembly().at("other sheet")});
  REQUIRE(scenery.gui.run({}, {"select ball"}).empty());
  // Another model, as the drawables of the first one go.
  scenery.gui.open(scenery.folder / "scenery.fitup");
  scenery.view().look(StandardView::front);
  REQUIRE(scenery.gui.run({}, {"select ball"}).empty());
  scenery.gui.settle();
  CHECK(scenery.picture() == before);
}

TEST_CASE("indices take as many bits as the vertices need", "[gui]") {
  const std::vector<std::uint32_t> indices{0, 65534, 65535};
  const auto narrow = makeElements(osg::PrimitiveSet::TRIANGLES, indices, 65536);
  const auto wide = makeElements(osg::PrimitiveSet::TRIANGLES, indices, 65537);
  CHECK(narrow->getDataType() == GL_UNSIGNED_SHORT);
  CHECK(wide->getDataType() == GL_UNSIGNED_INT);
  CHECK(dynamic_cast<const DrawnElements&>(*narrow).bytes() == 6);
  CHECK(dynamic_cast<const DrawnElements&>(*wide).bytes() == 12);
  for (const auto& elements : {narrow, wide})
    for (unsigned i = 0; i < 3; ++i) CHECK(elements->getElement(i) == indices[i]);
  dynamic_cast<DrawnElements&>(*narrow).free();
  CHECK(dynamic_cast<const DrawnElements&>(*narrow).bytes() == 0);
  CHECK(narrow->getNumIndices() == 3);
}

TEST_CASE("the memory of the process is known", "[gui]") {
  const ProcessMemory before = processMemory();
  if (before.resident == 0) return;  // another system than Linux
  constexpr std::size_t size = std::size_t{1} << 26;
  const std::vector<char> more(size, 1);
  const ProcessMemory after = processMemory();
  CHECK(after.resident > before.resident + size / 2);
  CHECK(after.resident < before.resident + 2 * size);
  CHECK(after.peak >= after.resident);
  CHECK(after.fromFiles > 0);
  CHECK(after.fromFiles < after.resident);
  CHECK(std::ranges::count(more, char{1}) == static_cast<std::ptrdiff_t>(size));  // it was really there
}

}  // namespace drawables_tests
