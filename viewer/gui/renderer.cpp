#include <viewer/gui/renderer.h>

#include <algorithm>

#include <QElapsedTimer>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>

#include <osgFitup/conversions.h>
#include <viewer/gui/drawn_elements.h>
#include <viewer/gui/picture_begin.h>
#include <viewer/gui/view_picture.h>

namespace fitup::viewer {

void Renderer::begin(int width, int height) {
  if (viewer_) {
    // After docking elsewhere, OSG's objects belong to a deleted context.
    presenter_.root()->releaseGLObjects(window_->getState());
    window_->getState()->reset();
    presenter_.remakeDrawings();
    smooth_.reset();
    return;
  }
  viewer_ = new osgViewer::Viewer;
  viewer_->setThreadingModel(osgViewer::Viewer::SingleThreaded);
  viewer_->setKeyEventSetsDone(0);
  viewer_->setQuitEventSetsDone(false);
  window_ = viewer_->setUpViewerAsEmbeddedInWindow(0, 0, width, height);
  osg::Camera* camera = viewer_->getCamera();
  camera->setClearMask(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  camera->setCullingMode(camera->getCullingMode() & ~osg::CullSettings::SMALL_FEATURE_CULLING);
  viewer_->getLight()->setAmbient({0.28F, 0.28F, 0.28F, 1});
  viewer_->getLight()->setDiffuse({0.55F, 0.55F, 0.55F, 1});
  camera->setInitialDrawCallback(
      new PictureBegin([this](osg::RenderInfo& info) { presenter_.moveToOpenGl(info); }));
  viewer_->setSceneData(presenter_.root());
}

void Renderer::end() {
  viewer_->setSceneData(nullptr);
  if (osg::State* state = window_->getState()) {
    presenter_.root()->releaseGLObjects(state);
    osg::flushAllDeletedGLObjects(state->getContextID());
    osg::discardAllGLObjects(state->getContextID());
  }
  viewer_ = nullptr;
  window_ = nullptr;
  smooth_.reset();
}

void Renderer::resize(int width, int height) {
  viewer_->getEventQueue()->windowResize(0, 0, width, height);
  window_->resized(0, 0, width, height);
  viewer_->getCamera()->setViewport(0, 0, width, height);
}

void Renderer::setBackground(const osg::Vec4& colour) { viewer_->getCamera()->setClearColor(colour); }

void Renderer::setCamera(const Camera& camera) {
  const Viewpoint& view = camera.viewpoint();
  osg::Camera* drawn = viewer_->getCamera();
  drawn->setViewMatrixAsLookAt(osgFitup::toVec3d(view.eye), osgFitup::toVec3d(view.target),
                               osgFitup::toVec3d(view.up));
  const double aspect = static_cast<double>(camera.width()) / camera.height();
  // OSG moves the near and the far plane to what there is.
  if (camera.projection() == Projection::perspective) {
    drawn->setProjectionMatrixAsPerspective(Camera::fieldOfViewDegrees, aspect, 1, 1000);
  } else {
    const double y = camera.halfHeight(), x = aspect * y;
    drawn->setProjectionMatrixAsOrtho(-x, x, -y, y, -1000, 1000);
  }
}

void Renderer::draw(const Camera& camera, bool isHasty, GLuint framebuffer) {
  setCamera(camera);
  isHasty ? presenter_.setHaste(camera, mostTriangles_) : presenter_.setLeisure();
  // Several samples a pixel take three times as long where a processor draws.
  const QSize size(camera.width(), camera.height());
  if (!isHasty && (!smooth_ || smooth_->size() != size)) {
    QOpenGLFramebufferObjectFormat format;
    format.setAttachment(QOpenGLFramebufferObject::CombinedDepthStencil);
    format.setSamples(4);
    smooth_ = std::make_unique<QOpenGLFramebufferObject>(size, format);
  }
  const bool isSmooth = !isHasty && smooth_->isValid() && smooth_->format().samples() > 1;
  window_->setDefaultFboId(isSmooth ? smooth_->handle() : framebuffer);
  if (isSmooth) smooth_->bind();
  QElapsedTimer time;
  time.start();
  viewer_->frame();
  finishPieces(*window_->getState());
  if (isHasty) {
    glFinish();
    adaptTo(static_cast<double>(time.nsecsElapsed()) * 1e-6);
  }
  if (!isSmooth) return;
  auto* gl = QOpenGLContext::currentContext()->extraFunctions();
  gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, smooth_->handle());
  gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
  gl->glBlitFramebuffer(0, 0, size.width(), size.height(), 0, 0, size.width(), size.height(),
                        GL_COLOR_BUFFER_BIT, GL_NEAREST);
  gl->glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

QImage Renderer::image(const Camera& camera, bool isTransparent) {
  QOpenGLFramebufferObject target(QSize(camera.width(), camera.height()),
                                  QOpenGLFramebufferObject::CombinedDepthStencil);
  if (!target.isValid()) return {};
  const auto drawn = [&] {
    draw(camera, false, target.handle());
    return target.toImage(true).convertToFormat(QImage::Format_RGB32);
  };
  if (!isTransparent) return drawn();
  const osg::Vec4 background = viewer_->getCamera()->getClearColor();
  setBackground({0, 0, 0, 1});
  const QImage onBlack = drawn();
  setBackground({1, 1, 1, 1});
  const QImage onWhite = drawn();
  setBackground(background);
  return clearedOf(onBlack, onWhite);
}

/// Chooses how many triangles the next hasty picture may have.
void Renderer::adaptTo(double milliseconds) {
  constexpr double wanted = 40, least = 20'000, most = 4e6;
  const double factor = std::clamp(wanted / std::max(milliseconds, 1.0), 0.5, 1.25);
  mostTriangles_ =
      static_cast<std::size_t>(std::clamp(factor * static_cast<double>(mostTriangles_), least, most));
}

}  // namespace fitup::viewer
