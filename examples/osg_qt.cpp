// Shows a scene graph in a Qt window; a slider lifts a part, and a label counts what it hits.
// Usage: osg_qt plant.fitup [--picture out.png]
#include <algorithm>
#include <cmath>
#include <iostream>

#include <QApplication>
#include <QLabel>
#include <QOpenGLWidget>
#include <QSlider>
#include <QSurfaceFormat>
#include <QVBoxLayout>
#include <osgViewer/Viewer>

#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/highlight.h>
#include <osgFitup/interference_monitor.h>

/// Draws a scene graph in the widget's own thread.
class SceneWidget : public QOpenGLWidget {
 public:
  explicit SceneWidget(osg::Node* scene) : scene_(scene) { setMinimumSize(640, 480); }
  ~SceneWidget() override {
    makeCurrent();  // OSG deletes its OpenGL objects in the context that they belong to
    viewer_ = nullptr;
    doneCurrent();
  }

 protected:
  void initializeGL() override {
    viewer_ = new osgViewer::Viewer;
    viewer_->setThreadingModel(osgViewer::Viewer::SingleThreaded);
    window_ = viewer_->setUpViewerAsEmbeddedInWindow(0, 0, width(), height());
    viewer_->setSceneData(scene_);
  }
  void resizeGL(int width, int height) override {
    const int w = std::max(1, static_cast<int>(std::lround(width * devicePixelRatioF())));
    const int h = std::max(1, static_cast<int>(std::lround(height * devicePixelRatioF())));
    window_->resized(0, 0, w, h);
    viewer_->getCamera()->setViewport(0, 0, w, h);
    viewer_->getCamera()->setProjectionMatrixAsPerspective(30, static_cast<double>(w) / h, 1, 1000);
  }
  void paintGL() override {
    const osg::BoundingSphere bound = scene_->getBound();
    const osg::Vec3d centre = bound.center();
    viewer_->getCamera()->setViewMatrixAsLookAt(centre + osg::Vec3d(-1.2, -2.1, 1.2) * bound.radius(), centre,
                                                {0, 0, 1});
    window_->setDefaultFboId(defaultFramebufferObject());  // Qt draws into a framebuffer of its own
    viewer_->frame();                                      // its update traversal calls the monitor
  }

 private:
  osg::ref_ptr<osg::Node> scene_;
  osg::ref_ptr<osgViewer::Viewer> viewer_;
  osg::ref_ptr<osgViewer::GraphicsWindow> window_;
};

int main(int argc, char** argv) try {
  QSurfaceFormat format;  // OSG uses the fixed-function pipeline of OpenGL 2
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(2, 1);
  format.setDepthBufferSize(24);
  QSurfaceFormat::setDefaultFormat(format);
  const QApplication app(argc, argv);
  const QStringList arguments = QApplication::arguments();
  if (arguments.size() != 2 && !(arguments.size() == 4 && arguments[2] == "--picture")) {
    std::cerr << "usage: osg_qt plant.fitup [--picture out.png]\n";
    return 2;
  }
  const auto scene = osgFitup::createScene(fitup::sceneOf(fitup::readAssembly(arguments[1].toStdString())));
  osgFitup::PartNode* spool = osgFitup::findPartNode(*scene, "process-plant/piping/spool");
  osg::ref_ptr<osgFitup::Highlight> highlight = new osgFitup::Highlight;
  osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(scene);
  root->addChild(highlight);

  QWidget window;
  auto* layout = new QVBoxLayout(&window);
  auto* view = new SceneWidget(root);
  auto* height = new QSlider(Qt::Horizontal);
  auto* found = new QLabel;
  height->setRange(0, 1500);
  layout->addWidget(view, 1);
  layout->addWidget(height);
  layout->addWidget(found);

  osg::ref_ptr<osgFitup::InterferenceMonitor> monitor = new osgFitup::InterferenceMonitor(scene);
  monitor->addFirst(spool);
  monitor->addCallback([&](const osgFitup::InterferenceMonitor& m) {
    std::size_t pairs = 0;
    for (const auto& pair : m.getReport().pairs) pairs += pair.report.surfacePairs.size();
    found->setText(QString("%1 pairs of surfaces intersect").arg(pairs));
    highlight->showInterference(m, {.colour = {1, 0, 1, 1}});
  });
  scene->addUpdateCallback(monitor->getUpdateCallback());
  QObject::connect(height, &QSlider::valueChanged, [&](int lift) {
    spool->setPlacement(fitup::Transform::translation({0, 0, double(lift)}) * spool->getDesignPlacement());
    view->update();
  });

  window.show();
  if (arguments.size() == 2) return QApplication::exec();
  height->setValue(700);
  QApplication::processEvents();
  const bool saved = view->grabFramebuffer().save(arguments[3]);
  std::cout << found->text().toStdString() << "\n";
  return saved ? 0 : 2;
} catch (const fitup::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
