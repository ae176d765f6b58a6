// Tests what the tree of parts shows beside names: counts, states, matches of a search.
#include <catch2/catch.hpp>

#include <QApplication>
#include <QStyleOptionViewItem>
#include <QTest>

#include <fitup/io/model_file.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/scene_view.h>

#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace parts_tree_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// Returns the box without its top; the face remains, empty or not at all.
MeshPtr cup(const TriangleMesh& box, bool keepsFace) {
  TriangleMeshBuilder builder(box.name());
  for (std::uint32_t i = 0; i < box.points().size(); ++i) builder.addPoint(box.pointInPart(i));
  for (const Surface& surface : box.surfaces()) {
    const bool isTop = surface.name == "+z";
    if (isTop && !keepsFace) continue;
    builder.beginSurface(surface.name);
    for (std::uint32_t i = 0; i < surface.triangleCount && !isTop; ++i) {
      const TriangleIndices& corners = box.triangles()[surface.firstTriangle + i];
      builder.addTriangle(corners[0], corners[1], corners[2]);
    }
  }
  return std::make_shared<const TriangleMesh>(builder.build());
}

/// A block that a pin pierces, and another pin that touches it; an open cup with a pin in its wall; a part
/// with a face that has no triangles.
struct Parts {
  Parts() {
    Model model;
    Assembly& assembly = model.assembly;
    const PartId block = assembly.addPart(sixSidedBox(2, 2, 2)), pin = assembly.addPart(sixSidedBox(1, 1, 1)),
                 open = assembly.addPart(cup(*sixSidedBox(2, 2, 2), false)),
                 lacking = assembly.addPart(cup(*sixSidedBox(1, 1, 1), true));
    const NodeId group = assembly.addNode("group", {}, {});
    const auto at = [](double x, double y) { return Transform::translation({x, y, 0}); };
    assembly.addNode("block", {}, group, block);
    assembly.addNode("pin", at(1.2, 0), group, pin);
    assembly.addNode("touching", at(-1.5, 0), {}, pin);
    assembly.addNode("cup", at(0, 20), {}, open);
    assembly.addNode("cork", at(1, 20), {}, pin);
    assembly.addNode("lacking", at(20, 0), {}, lacking);
    model.collisionModels = buildCollisionModels(assembly);
    writeModelFile(folder / "parts.fitup", model);
    gui.open(folder / "parts.fitup");
    REQUIRE(gui.run({}, {"verdicts on", "depths"}).empty());
  }
  [[nodiscard]] NodeId at(const char* path) const { return gui.document.session()->assembly().at(path); }
  QTreeWidgetItem& line(const char* path) { return gui.window.tree().lineOf(at(path)); }
  /// The lines of the tooltip below the path.
  QStringList states(const char* path) {
    QStringList lines = line(path).toolTip(1).split('\n');
    CHECK(lines.front() == path);
    return lines.mid(1);
  }
  /// The picture of the signs; empty: none.
  QImage signs(const char* path) {
    return line(path).data(InstanceLine::signsColumn, Qt::DecorationRole).value<QPixmap>().toImage();
  }
  bool isGrey(const char* path) {
    return line(path).foreground(0).color() == QApplication::palette().color(QPalette::PlaceholderText);
  }
  /// The middle of a line's name, or of its check box.
  QPoint pointOf(const char* path, bool onBox) {
    QTreeWidget& tree = gui.window.tree().tree();
    QStyleOptionViewItem option;
    option.initFrom(&tree);
    option.rect = tree.visualRect(tree.indexAt(tree.visualItemRect(&line(path)).center()));
    option.features = QStyleOptionViewItem::HasCheckIndicator;
    option.checkState = Qt::Checked;
    return onBox
               ? tree.style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, &tree).center()
               : tree.visualItemRect(&line(path)).center();
  }

  TemporaryFolder folder;
  WindowSession gui;
};

bool hasRed(const QImage& image) {
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const QColor c = image.pixelColor(x, y);
      if (c.alpha() > 200 && c.red() > 150 && c.green() < 110 && c.blue() < 110) return true;
    }
  return false;
}

}  // namespace

TEST_CASE("the tree counts the parts of assemblies, and the instances of a part", "[gui][tree]") {
  Parts parts;
  CHECK(parts.line("group").text(0) == "group");
  CHECK(parts.line("group").data(0, InstanceLine::countRole) == "2");
  CHECK_FALSE(parts.line("group/block").data(0, InstanceLine::countRole).isValid());
  CHECK(parts.states("group").front() == "2 parts below");
  CHECK(parts.states("group/pin").front() == "One of 3 instances of this part");
  CHECK(parts.states("lacking") == QStringList{"Geometry is missing: 1 face has no triangles"});
}

TEST_CASE("the tree shows the states of parts by signs that its tooltips explain", "[gui][tree]") {
  Parts parts;
  WindowSession& gui = parts.gui;
  CHECK(parts.states("group/block") == QStringList{"In 1 pair of parts that clash"});
  CHECK(hasRed(parts.signs("group/block")));
  CHECK(parts.states("group").contains("In 1 pair of parts that clash"));
  CHECK(hasRed(parts.signs("group")));
  // A contact is no state.
  CHECK(parts.states("touching") == QStringList{"One of 3 instances of this part"});
  CHECK(parts.signs("touching").isNull());
  CHECK(parts.states("cup").contains("Not closed: depths of its clashes are lower bounds"));
  CHECK_FALSE(parts.signs("cup").isNull());
  CHECK_FALSE(parts.states("cork").contains("Not closed: depths of its clashes are lower bounds"));
  CHECK_FALSE(parts.signs("lacking").isNull());
  CHECK_FALSE(hasRed(parts.signs("lacking")));

  // It follows what users do, and undo.
  CHECK(gui.run({}, {"select group/pin", "move 0 50 0"}).empty());
  gui.settle();
  CHECK(parts.states("group/pin") ==
        QStringList{"One of 3 instances of this part", "Moved from where the model has it"});
  CHECK(parts.line("group/pin").font(0).bold());
  CHECK(parts.signs("group/pin").isNull());
  CHECK(parts.signs("group").isNull());
  CHECK(gui.run({}, {"undo", "ghost"}).empty());
  gui.settle();
  CHECK(parts.states("group/pin") ==
        QStringList{"One of 3 instances of this part", "Ghosted", "In 1 pair of parts that clash"});
  CHECK(parts.line("group/pin").font(0).italic());
  CHECK(parts.signs("group/pin").width() == 2 * parts.signs("group/block").width());
  CHECK_FALSE(parts.isGrey("group/pin"));
  CHECK(gui.run({}, {"hide"}).empty());
  CHECK(parts.states("group/pin").contains("Hidden"));
  CHECK(parts.isGrey("group/pin"));
  CHECK_FALSE(parts.isGrey("group"));
  CHECK(parts.line("group").checkState(0) == Qt::PartiallyChecked);
  CHECK(gui.run({}, {"show-all", "select group", "hide"}).empty());
  CHECK(parts.isGrey("group"));
  CHECK(parts.line("group").checkState(0) == Qt::Unchecked);
  CHECK(gui.run({}, {"show-all", "select cup", "check-only with"}).empty());
  CHECK(parts.isGrey("group/pin"));
  CHECK(parts.states("group/pin").contains("The check leaves it out"));
  // Another model: nothing is left of the states of this one.
  gui.open(parts.folder / "parts.fitup");
  CHECK_FALSE(parts.isGrey("group/pin"));
}

TEST_CASE("a click on the check box hides, a double click on the name zooms", "[gui][tree]") {
  Parts parts;
  WindowSession& gui = parts.gui;
  QWidget& viewport = *gui.window.tree().tree().viewport();
  const auto hidden = [&]() -> const std::set<NodeId>& { return gui.document.session()->state().hidden; };
  QTest::mouseClick(&viewport, Qt::LeftButton, {}, parts.pointOf("group", true));
  CHECK(hidden() == std::set<NodeId>{parts.at("group/block"), parts.at("group/pin")});
  QTest::mouseClick(&viewport, Qt::LeftButton, {}, parts.pointOf("group", true));
  CHECK(hidden().empty());

  const auto target = [&] { return gui.window.view().camera().viewpoint().target; };
  const auto doubleClick = [&](const QPoint& at) {
    QTest::mouseClick(&viewport, Qt::LeftButton, {}, at);
    QTest::mouseDClick(&viewport, Qt::LeftButton, {}, at);
    QTest::mouseRelease(&viewport, Qt::LeftButton, {}, at);
    gui.settle();
  };
  doubleClick(parts.pointOf("lacking", false));
  CHECK(gui.document.selection() == std::set<NodeId>{parts.at("lacking")});
  CHECK(norm(target() - Vec3{20, 0, 0}) < 1e-6);
  doubleClick(parts.pointOf("cup", true));
  CHECK(norm(target() - Vec3{20, 0, 0}) < 1e-6);
  // Of an assembly, it zooms to all that is below.
  REQUIRE(parts.line("group").isExpanded());
  doubleClick(parts.pointOf("group", false));
  CHECK(parts.line("group").isExpanded());
  CHECK(norm(target() - Vec3{0.35, 0, 0}) < 1e-6);
}

TEST_CASE("the search of the tree says how many lines match", "[gui][tree]") {
  Parts parts;
  viewer::InstanceTree& tree = parts.gui.window.tree();
  CHECK(tree.matchText().isEmpty());
  tree.search("PIN");
  CHECK(tree.matchText() == "1 of 7");
  CHECK_FALSE(parts.line("group").isHidden());
  CHECK_FALSE(parts.line("group/pin").isHidden());
  CHECK(parts.line("group/block").isHidden());
  CHECK(parts.line("cup").isHidden());
  tree.search("c");
  CHECK(tree.matchText() == "5 of 7");
  tree.search({});
  CHECK(tree.matchText().isEmpty());
  CHECK_FALSE(parts.line("cup").isHidden());
}

TEST_CASE("signs of states are as sharp as the screen", "[gui][tree]") {
  const StateSign all[] = {StateSign::ghosted, StateSign::isOpen, StateSign::needsAction};
  for (const double ratio : {1.0, 2.0}) {
    const QPixmap signs = stateSigns(all, 16, QApplication::palette(), ratio);
    CHECK(signs.size() == QSize(48, 16) * ratio);
    CHECK(signs.deviceIndependentSize() == QSizeF(48, 16));
    CHECK(hasRed(signs.toImage()));
  }
  CHECK(stateSigns({}, 16, QApplication::palette(), 1).isNull());
}

}  // namespace parts_tree_tests
