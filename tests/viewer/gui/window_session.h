#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <QMessageBox>
#include <QPointF>

#include <viewer/core/gizmo.h>
#include <viewer/gui/main_window.h>

#include "support/temporary_folder.h"

namespace fitup::test {

/// A window on the display, driven as a user does: by events of mouse and keys.
class WindowSession {
 public:
  /// Shows it and waits until it has been drawn.
  WindowSession();

  /// Processes events until nothing is under way. Fails the test after half a minute.
  void settle();
  void waitFor(const std::function<bool()>& condition, const char* what);
  /// Opens a file and waits for it.
  void open(const std::filesystem::path& file);
  /// Drops files on the window; what it does about them comes later.
  void drop(const std::vector<std::filesystem::path>& files);
  /// Runs a script named "session", after commands that are no lines of it. Returns what failed, or nothing.
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
  /// A point of the view, in pixels of the widget, at which a face is seen, on a raster over it. Fails the
  /// test if there is none.
  QPointF pointOn(NodeId instance, SurfaceId surface);
  /// Drags an arrow of the gizmo so far, in the world.
  void dragArrow(viewer::GizmoHandle handle, double way);
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
  /// Pixels of the view that are of the red that interference is shown in.
  std::size_t redPixels();

  viewer::MainWindow window;
  viewer::Document& document;
};

/// Answers the questions that come while `work` runs; returns how many.
std::size_t answering(WindowSession& gui, const std::function<void(QMessageBox&)>& answer,
                      const std::function<void()>& work);
/// Clicks on the button of a role, which the box must have.
void clickOn(QMessageBox& box, QMessageBox::ButtonRole role);

/// The process plant and its track as files.
class PlantFiles {
 public:
  PlantFiles();
  TemporaryFolder folder;
  std::filesystem::path model, track;
};

}  // namespace fitup::test
