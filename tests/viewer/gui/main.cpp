// The tests of the window need an application, a display and OpenGL.
#include <QApplication>

#include <viewer/gui/scene_view.h>

#include "support/run_tests.h"
#include "support/temporary_folder.h"

int main(int argc, char** argv) {
  fitup::viewer::SceneView::prepareApplication();
  // No file of the user is read or written.
  const fitup::test::TemporaryFolder home;
  for (const char* variable : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
    qputenv(variable, home.path().string().c_str());
  QApplication app(argc, argv);
  QCoreApplication::setOrganizationName("fitup");
  QCoreApplication::setApplicationName("fitup-test-viewer-gui");
  return fitup::test::runTests(argc, argv);
}
