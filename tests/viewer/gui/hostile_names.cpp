// Tests that names from files are shown as text: they neither draw, nor load, nor reverse lines.
#include <catch2/catch.hpp>

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QTextDocument>
#include <QTreeWidgetItemIterator>

#include <fitup/base/text.h>
#include <fitup/io/model_file.h>
#include <fitup/io/project_file.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/measure_panel.h>
#include <viewer/gui/placement_panel.h>
#include <viewer/gui/properties_panel.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/status_line.h>
#include <viewer/gui/time_line.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace hostile_names_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

const std::string markup = "<b>bold</b><img src='file:///canary.png'> <a href='x'>&amp; & %1 %2 %3 [*]",
                  control =
                      "\x1b[2J\x07"
                      "a\nb\r\xc2\x9b"
                      "1m\xe2\x80\xae"
                      "dro\xff";

bool isPlain(const QString& text) {
  QString lines = text;
  lines.remove('\t');  // between columns of copied text
  return QString::fromStdString(escapedLines(lines.toStdString())) == lines;
}

/// Returns the visible text of a tooltip.
QString readIn(const QString& tip) {
  if (!Qt::mightBeRichText(tip)) return tip;
  QTextDocument document;
  document.setHtml(tip);
  return document.toPlainText();
}

void checkTip(const QString& tip) {
  INFO(tip.toStdString());
  CHECK(isPlain(readIn(tip)));
  if (!Qt::mightBeRichText(tip)) return;
  CHECK_FALSE(tip.contains("<b>"));
  CHECK_FALSE(tip.contains("<img"));
  CHECK_FALSE(tip.contains("<a "));
}

/// Checks everything that a window shows at the moment.
void checkShown(WindowSession& gui) {
  for (const QMenu* menu : gui.window.findChildren<QMenu*>()) emit const_cast<QMenu*>(menu)->aboutToShow();
  for (const QLabel* label : gui.window.findChildren<QLabel*>()) {
    INFO(label->text().toStdString());
    CHECK(isPlain(label->text()));
    CHECK((label->textFormat() == Qt::PlainText || !label->text().contains("bold")));
  }
  for (const QWidget* widget : gui.window.findChildren<QWidget*>()) checkTip(widget->toolTip());
  for (const QAction* action : gui.window.findChildren<QAction*>()) {
    INFO(action->text().toStdString());
    CHECK(isPlain(action->text()));
    checkTip(action->toolTip());
    // No character of a name is taken for the mark of a key.
    if (action->text().contains("bold")) CHECK(action->text().contains("&&amp; && %1"));
  }
  CHECK(isPlain(gui.window.windowTitle()));
  CHECK(isPlain(gui.window.statusLine().currentMessage()));
  CHECK(isPlain(gui.window.errorText()));
}

/// Writes two boxes that meet, with names of both kinds in every place of a model that has names.
std::filesystem::path writeModel(const TemporaryFolder& folder) {
  Model model;
  model.assembly = Assembly(markup);
  TriangleMesh::Data data = sixSidedBox(4, 4, 4)->data();
  data.name = markup;
  for (Surface& surface : data.surfaces) surface.name = markup + control;
  const PartId part = model.assembly.addPart(std::make_shared<const TriangleMesh>(std::move(data)));
  const NodeId group = model.assembly.addNode(control, {}, {}, {});
  model.assembly.addNode(markup, {}, group, part);
  model.assembly.addNode(control, shift(3, 0, 0), group, part);
  model.warnings = {{markup, control, true}};
  model.collisionModels = buildCollisionModels(model.assembly);
  const std::filesystem::path file = folder / "<b>bold<b> [*] \x1b[2J.fitup";
  writeModelFile(file, model);
  return file;
}

}  // namespace

TEST_CASE("names of all kinds are shown as text in the whole window", "[gui]") {
  const TemporaryFolder folder;
  Project project;
  project.models = {writeModel(folder)};
  project.namedViews = {{markup, {}}, {control, {{0, -9, 0}, {}, {0, 0, 1}}}};
  project.rules.rules = {{"*none*", "*", control, RuleAction::ignore}};
  const std::filesystem::path work = folder / "<b>bold<b> [*] \x1b[2J.fitup-project";
  writeProject(work, project);
  WindowSession gui;
  gui.open(work);
  REQUIRE(gui.document.session() != nullptr);
  Session& session = *gui.document.session();
  const Assembly& assembly = session.assembly();
  CHECK(gui.window.errorText().contains("<b>bold</b>"));  // the warning
  CHECK(gui.window.windowTitle().contains("[*][*]"));
  checkShown(gui);

  std::size_t items = 0;
  for (QTreeWidgetItemIterator item(&gui.window.tree().tree()); *item != nullptr; ++item) {
    const std::string path = assembly.path(NodeId{static_cast<std::uint32_t>(items++)});
    CHECK(isPlain((*item)->text(0)));
    checkTip((*item)->toolTip(0));
    // States follow on lines of their own.
    CHECK(readIn((*item)->toolTip(0)).section('\n', 0, 0).toStdString() == escaped(path));
  }
  CHECK(items == assembly.nodes().size());

  const InterferenceModel& table = gui.window.table().model();
  REQUIRE(table.rowCount() > 0);
  const QModelIndex pair = table.index(0, 0), face = table.index(0, 0, pair);
  REQUIRE(face.isValid());
  for (const QModelIndex& row : {pair, face})
    for (int column = 0; column < table.columnCount(); ++column) {
      const QModelIndex index = row.siblingAtColumn(column);
      CHECK(isPlain(index.data().toString()));
      checkTip(index.data(Qt::ToolTipRole).toString());
    }
  CHECK(face.siblingAtColumn(InterferenceModel::faceA).data().toString().contains("<img"));
  // A comment is shown escaped, and edited unescaped.
  gui.window.table().model().setData(table.index(0, InterferenceModel::comment),
                                     QString::fromUtf8("\xe2\x80\xae"
                                                       "a"),
                                     Qt::EditRole);
  CHECK(table.index(0, InterferenceModel::comment).data().toString() == "\\u202ea");
  CHECK(table.index(0, InterferenceModel::comment).data(Qt::EditRole).toString() ==
        QString::fromUtf8("\xe2\x80\xae"
                          "a"));
  // A search examines the shown text.
  CHECK(gui.run({}, {"search \\x1b[2J", "expect-findings 0"}) != "");
  CHECK(gui.run({}, {"search"}) == "");

  for (const NodeId node : assembly.instances()) {
    gui.document.select({node}, SurfaceId{0});
    gui.settle();
    checkShown(gui);
    CHECK(isPlain(gui.window.properties().text()));
    CHECK(gui.window.statusLine().distanceText().contains("intersects "));
    CHECK(isPlain(gui.window.statusLine().distanceText()));
  }
  CHECK(gui.run({}, {"panel Properties"}) == "");
  gui.settle();
  CHECK(gui.window.properties().text().contains("<img"));
  checkShown(gui);

  gui.window.measure().take({assembly.instances()[0], SurfaceId{0}, {}});
  gui.window.measure().take({assembly.instances()[1], SurfaceId{1}, {}});
  gui.settle();
  CHECK(gui.window.measurements().text().contains("<img"));
  CHECK(isPlain(gui.window.measurements().text()));
  checkShown(gui);

  session.edit("Move " + markup, [&](SessionState& state) {
    setMotion(state, assembly.instances()[1], {{}, {0.5, 0, 0}});
  });
  gui.settle();
  checkShown(gui);

  // The name under the mouse.
  SceneView& view = gui.window.view();
  view.look(StandardView::top);
  const auto surfaces = assembly.meshOf(assembly.instances()[0]).surfaces().size();
  const double ratio = view.devicePixelRatioF();
  QString hovered;
  for (int y = 0; y < view.height() && hovered.isEmpty(); y += 8)
    for (int x = 0; x < view.width() && hovered.isEmpty(); x += 8)
      if (view.presenter().pick(view.camera().ray({x * ratio, y * ratio}))) {
        const QPointF at(x, y);
        QMouseEvent event(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                          Qt::NoModifier);
        QApplication::sendEvent(&view, &event);
        QApplication::processEvents();
        hovered = gui.window.statusLine().currentMessage();
      }
  CHECK(surfaces > 0);
  CHECK(hovered.contains("<img"));
  CHECK(isPlain(hovered));

  Track track{.name = markup + control,
              .moved = {assembly.path(assembly.instances()[1])},
              .steps = {{{}}, {{{}, {1, 0, 0}}}}};
  CHECK_FALSE(adopt(track, assembly));
  session.edit("Open track",
               [&](SessionState& state) { state.tracks.push_back(std::make_shared<const Track>(track)); });
  gui.document.motion().show(0);
  gui.settle();
  const auto* tracks = gui.window.timeLine().findChild<QComboBox*>();
  REQUIRE(tracks != nullptr);
  CHECK(tracks->currentText().contains("<img"));
  CHECK(isPlain(tracks->currentText()));
  checkShown(gui);
}

TEST_CASE("errors and questions show names as text", "[gui]") {
  const TemporaryFolder folder;
  WindowSession gui;
  gui.open(folder / ("<b>bold<b>\x1b[2J\n\xe2\x80\xae.fitup"));
  CHECK(gui.window.errorText().contains("<b>bold<b>\\x1b[2J\\n\\u202e.fitup"));
  CHECK(isPlain(gui.window.errorText()));
  checkShown(gui);
  CHECK(gui.run({}, {"select \"\x1b[2J\""}) != "");

  Project project;
  project.models = {folder / ("<b>bold<b>\x1b[2J\xe2\x80\xae.fitup")};
  const std::filesystem::path work = folder / "work.fitup-project";
  writeProject(work, project);
  CHECK(answering(
            gui,
            [](QMessageBox& box) {
              CHECK(box.textFormat() == Qt::PlainText);
              CHECK(isPlain(box.text()));
              CHECK(box.text().contains("<b>bold<b>\\x1b[2J\\u202e"));
              box.button(QMessageBox::Cancel)->click();
            },
            [&] {
              gui.drop({work});
              QApplication::processEvents();
            }) == 1);
}

}  // namespace hostile_names_tests
