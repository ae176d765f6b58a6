#include "viewer/gui/window_session.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QUrl>

#include <catch2/catch.hpp>

#include <fitup/io/model_file.h>
#include <fitup/io/track_file.h>
#include <models/crossed_rods.h>
#include <models/process_plant.h>
#include <viewer/gui/command_script.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/scene_view.h>

#include "support/analytic_solids.h"

namespace fitup::test {

WindowSession::WindowSession() : window(false), document(window.document()) {
  window.resize(1100, 760);
  window.show();
  REQUIRE(QTest::qWaitForWindowExposed(&window));
  settle();
}

void WindowSession::waitFor(const std::function<bool()>& condition, const char* what) {
  QElapsedTimer timer;
  timer.start();
  while (!condition()) {
    QApplication::processEvents(QEventLoop::AllEvents, 5);
    if (timer.elapsed() > 30'000) FAIL("waited for nothing: " << what);
  }
  QApplication::processEvents();
}

void WindowSession::settle() {
  waitFor([this] { return !window.isBusy() && !window.drag().isActive(); }, "the end of all work");
}

void WindowSession::open(const std::filesystem::path& file) {
  document.open(file);
  settle();
}

void WindowSession::drop(const std::vector<std::filesystem::path>& files) {
  QMimeData data;
  QList<QUrl> urls;
  for (const auto& file : files) urls.append(QUrl::fromLocalFile(QString::fromStdString(file.string())));
  data.setUrls(urls);
  QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &enter);
  CHECK(enter.isAccepted());
  QDropEvent event({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &event);
}

std::string WindowSession::run(std::vector<std::string> before, std::vector<std::string> lines) {
  viewer::CommandScript script(window, std::move(before), std::move(lines), "session");
  std::optional<QString> error;
  QObject::connect(&script, &viewer::CommandScript::finished, [&](const QString& text) { error = text; });
  script.start();
  waitFor([&] { return error.has_value(); }, "the end of the script");
  return error->toStdString();
}

void WindowSession::selectInTree(const std::string& path) {
  QTreeWidget& tree = window.tree().tree();
  QTreeWidgetItem& line = window.tree().lineOf(document.session()->assembly().at(path));
  tree.scrollToItem(&line);
  QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualItemRect(&line).center());
  settle();
}

void WindowSession::drag(const QPointF& from, const QPointF& to, int steps, Qt::MouseButton button,
                         Qt::KeyboardModifiers modifiers) {
  QWidget* view = &window.view();
  // QTest's moves carry no buttons, so events are sent as the window system would.
  const auto send = [&](QEvent::Type type, const QPointF& at, Qt::MouseButton changed,
                        Qt::MouseButtons held) {
    QMouseEvent event(type, at, view->mapToGlobal(at), changed, held, modifiers);
    QApplication::sendEvent(view, &event);
    QApplication::processEvents();
  };
  send(QEvent::MouseButtonPress, from, button, button);
  for (int i = 1; i <= steps; ++i)
    send(QEvent::MouseMove, from + (to - from) * i / steps, Qt::NoButton, button);
  send(QEvent::MouseButtonRelease, to, button, Qt::NoButton);
  settle();
}

QPointF WindowSession::pointOn(NodeId instance, SurfaceId surface) {
  viewer::SceneView& view = window.view();
  const double ratio = view.devicePixelRatioF();
  constexpr int step = 8;
  const auto isThere = [&](int x, int y) {
    const auto pick = view.presenter().pick(view.camera().ray({x * ratio, y * ratio}));
    return pick && pick->instance == instance && pick->surface == surface;
  };
  std::optional<QPointF> first;
  for (int y = 0; y < view.height(); y += step)
    for (int x = 0; x < view.width(); x += step) {
      if (!isThere(x, y)) continue;
      constexpr int aside = 4;
      if (isThere(x - aside, y) && isThere(x + aside, y) && isThere(x, y - aside) && isThere(x, y + aside))
        return QPointF(x, y);
      if (!first) first = QPointF(x, y);
    }
  if (!first) FAIL("face " << index(surface) << " is not seen");
  return *first;
}

void WindowSession::dragArrow(viewer::GizmoHandle handle, double way) {
  const auto gizmo = window.view().gizmo();
  REQUIRE(gizmo);
  const Vec3 grabbed = gizmo->centre + gizmo->axisOf(handle) * (0.8 * gizmo->size);
  const auto from = window.view().widgetPoint(grabbed),
             to = window.view().widgetPoint(grabbed + gizmo->axisOf(handle) * way);
  REQUIRE(from);
  REQUIRE(to);
  drag(*from, *to);
}

void WindowSession::tap(Qt::Key key, Qt::KeyboardModifiers modifiers) {
  QApplication::setActiveWindow(&window);  // a display in memory has no window manager
  QTest::keyClick(&window, key, modifiers);
}

void WindowSession::key(Qt::Key key, Qt::KeyboardModifiers modifiers) {
  tap(key, modifiers);
  settle();
}

std::size_t WindowSession::redPixels() {
  const QImage picture = window.view().grabFramebuffer();
  std::size_t count = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const QColor colour = picture.pixelColor(x, y);
      if (colour.red() > 100 && colour.green() < colour.red() / 4 && colour.blue() < colour.red() / 4)
        ++count;
    }
  return count;
}

TwoBoxes::TwoBoxes(const Transform& atA, const Transform& atB) {
  Model model;
  const PartId part = model.assembly.addPart(withDeflection(sixSidedBox(4, 4, 4), 0.01));
  a = model.assembly.addNode("a", atA, {}, part);
  b = model.assembly.addNode("b", atB, {}, part);
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(folder / "boxes.fitup", model);
  gui.open(folder / "boxes.fitup");
}

RigidMotion TwoBoxes::motionOf(NodeId node) { return gui.document.session()->motionOf(node); }

Hand::Hand(WindowSession& gui) : view_(&gui.window.view()) {}

void Hand::press(const QPointF& at) { send(QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton); }

void Hand::move(const QPointF& to) { send(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton); }

void Hand::release(const QPointF& at) { send(QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton); }

void Hand::send(QEvent::Type type, const QPointF& at, Qt::MouseButton changed, Qt::MouseButtons held) {
  QMouseEvent event(type, at, view_->mapToGlobal(at), changed, held, Qt::NoModifier);
  QApplication::sendEvent(view_, &event);
}

void setRules(WindowSession& gui, const Rules& rules) {
  gui.document.session()->edit("Rules", [&](viewer::SessionState& state) { state.rules = rules; });
  gui.settle();
}

void waitForDepths(WindowSession& gui) {
  gui.waitFor(
      [&] {
        const viewer::InterferenceModel& model = gui.window.table().model();
        for (int row = 0; row < model.count(); ++row)
          if (model.finding(row).depthIsOpen) return false;
        return true;
      },
      "depths");
}

std::size_t answering(WindowSession& gui, const std::function<void(QMessageBox&)>& answer,
                      const std::function<void()>& work) {
  std::size_t asked = 0;
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, &gui.window, [&] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr) return;
    ++asked;
    answer(*box);
  });
  timer.start(10);
  work();
  gui.settle();
  return asked;
}

void clickOn(QMessageBox& box, QMessageBox::ButtonRole role) {
  for (QAbstractButton* button : box.buttons())
    if (box.buttonRole(button) == role) return button->click();
  FAIL("the question has no button of role " << role);
}

void whenAsked(const std::function<void(QDialog&)>& answer, const std::function<void()>& work) {
  std::size_t asked = 0;
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, qApp, [&] {
    auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr || asked > 0) return;
    ++asked;
    answer(*dialog);
  });
  timer.start(10);
  work();
  CHECK(asked == 1);
}

void press(QDialog& dialog, QDialogButtonBox::StandardButton button) {
  dialog.findChild<QDialogButtonBox*>()->button(button)->click();
}

Chooses::Chooses(WindowSession& gui, const QString& name) {
  QObject::connect(&timer_, &QTimer::timeout, &gui.window, [this, name] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    auto* line = dialog->findChild<QLineEdit*>("fileNameEdit");
    if (!name.isEmpty()) line->setText(name);
    proposed = line->text();
    QMetaObject::invokeMethod(dialog, "accept");
  });
  timer_.start(20);
}

PlantFiles::PlantFiles() : model(folder / "plant.fitup"), track(folder / "plant.track.json") {
  Model plant;
  plant.assembly = models::makeProcessPlant();
  plant.collisionModels = buildCollisionModels(plant.assembly);
  writeModelFile(model, plant);
  writeTrack(track, models::makeSpoolTrack(plant.assembly));
}

void type(QAbstractSpinBox& field, const QString& text) {
  field.setFocus();
  field.selectAll();
  QTest::keyClicks(&field, text);
  QTest::keyClick(&field, Qt::Key_Return);
}

void openCrossedRods(WindowSession& gui, const TemporaryFolder& folder, int rods) {
  Model model;
  model.assembly = models::makeCrossedRods({.rods = rods});
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(folder / "rods.fitup", model);
  gui.open(folder / "rods.fitup");
}

}  // namespace fitup::test
