// The window's tests need an application, a display and OpenGL.
#define CATCH_CONFIG_RUNNER
#include <QApplication>
#include <QStandardPaths>

#include <catch2/catch.hpp>

#include <viewer/gui/scene_view.h>

int main(int argc, char** argv) {
  fitup::viewer::SceneView::prepareApplication();
  QStandardPaths::setTestModeEnabled(true);
  QApplication app(argc, argv);
  QCoreApplication::setOrganizationName("fitup");
  QCoreApplication::setApplicationName("fitup-test-viewer-gui");
  return Catch::Session().run(argc, argv);
}
