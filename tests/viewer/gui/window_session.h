#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <QAbstractSpinBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QEvent>
#include <QMessageBox>
#include <QPointF>
#include <QTimer>

#include <viewer/core/gizmo.h>
#include <viewer/gui/main_window.h>

#include "support/temporary_folder.h"

namespace fitup::test {

/// A window on the display, driven as by a user: by mouse and key events.
class WindowSession {
 public:
  /// Shows the window and waits until it has been drawn.
  WindowSession();

  /// Processes events until nothing runs. Fails the test after half a minute.
  void settle();
  void waitFor(const std::function<bool()>& condition, const char* what);
  /// Opens a file and waits for it.
  void open(const std::filesystem::path& file);
  /// Drops files on the window; the window opens them later.
  void drop(const std::vector<std::filesystem::path>& files);
  /// Runs a script named "session", after commands that are not counted as lines. Returns the error, or
  /// nothing.
  std::string run(std::vector<std::string> before, std::vector<std::string> lines);
  /// Clicks on the instance's line in the tree.
  void selectInTree(const std::string& path);
  /// Presses at one point of the view, moves to another one in `steps`, releases. Points of the widget.
  void drag(const QPointF& from, const QPointF& to, int steps = 8, Qt::MouseButton button = Qt::LeftButton,
            Qt::KeyboardModifiers modifiers = Qt::NoModifier);
  /// Clicks on a point of the view.
  void click(const QPointF& at, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    drag(at, at, 0, Qt::LeftButton, modifiers);
  }
  /// Returns a point of the view, in pixels of the widget, at which a face is visible, from a raster of
  /// points; beside the edges of the face, if possible. Fails the test if there is none.
  QPointF pointOn(NodeId instance, SurfaceId surface);
  /// Drags an arrow of the gizmo by this distance in the world.
  void dragArrow(viewer::GizmoHandle handle, double way);
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
  /// The same without waiting, for keys during a drag.
  void tap(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
  /// Counts the pixels of the view with the red of interference.
  std::size_t redPixels();

  viewer::MainWindow window;
  viewer::Document& document;
};

/// A window with two boxes of side 4, "a" and "b", which are instances of one part.
struct TwoBoxes {
  TwoBoxes(const Transform& atA, const Transform& atB);
  [[nodiscard]] viewer::SceneView& view() { return gui.window.view(); }
  [[nodiscard]] RigidMotion motionOf(NodeId node);

  TemporaryFolder folder;
  WindowSession gui;
  NodeId a{}, b{};
};

/// A mouse over the view whose button may stay held.
class Hand {
 public:
  explicit Hand(WindowSession& gui);
  void press(const QPointF& at);
  void move(const QPointF& to);
  void release(const QPointF& at);

 private:
  void send(QEvent::Type type, const QPointF& at, Qt::MouseButton changed, Qt::MouseButtons held);
  QWidget* view_;
};

/// Sets the session's rules and waits for the check.
void setRules(WindowSession& gui, const Rules& rules);
/// Waits until the table has the depths of all clashes.
void waitForDepths(WindowSession& gui);
/// Answers the questions that appear while `work` runs; returns their number.
std::size_t answering(WindowSession& gui, const std::function<void(QMessageBox&)>& answer,
                      const std::function<void()>& work);
/// Clicks on the button of a role, which the box must have.
void clickOn(QMessageBox& box, QMessageBox::ButtonRole role);

/// Replaces the number of a field as a user does, and ends with Return.
void type(QAbstractSpinBox& field, const QString& text);
/// Opens two racks of rods that cross each other, with this number of rods each.
void openCrossedRods(WindowSession& gui, const TemporaryFolder& folder, int rods);

/// Runs `answer` on the dialog that appears during `work`, as soon as it does. Checks that one appears.
void whenAsked(const std::function<void(QDialog&)>& answer, const std::function<void()>& work);
void press(QDialog& dialog, QDialogButtonBox::StandardButton button);

/// While it lives, chooses the name that file dialogs propose, or this one.
class Chooses {
 public:
  explicit Chooses(WindowSession& gui, const QString& name = {});
  QString proposed;

 private:
  QTimer timer_;
};

/// The process plant and its track as files.
class PlantFiles {
 public:
  PlantFiles();
  TemporaryFolder folder;
  std::filesystem::path model, track;
};

}  // namespace fitup::test
