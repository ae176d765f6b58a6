#include <viewer/gui/latency.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include <QApplication>
#include <QMouseEvent>

#include <fitup/base/error.h>
#include <viewer/gui/scene_view.h>

namespace fitup::viewer {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void send(SceneView& view, QEvent::Type type, const QPointF& at, Qt::MouseButton changed,
          Qt::MouseButtons held) {
  QMouseEvent event(type, at, view.mapToGlobal(at), changed, held, Qt::NoModifier);
  QApplication::sendEvent(&view, &event);
}

/// Keeps a window from being drawn while it lives.
class NotDrawn {
 public:
  explicit NotDrawn(QWidget& window) : window_(window) { window_.setUpdatesEnabled(false); }
  ~NotDrawn() { window_.setUpdatesEnabled(true); }
  NotDrawn(const NotDrawn&) = delete;
  NotDrawn& operator=(const NotDrawn&) = delete;

 private:
  QWidget& window_;
};

void waitForCheck(MainWindow& window) {
  while (window.document().check().isChecking()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

}  // namespace

double quantile(std::vector<double> times, double fraction) {
  if (times.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(fraction * static_cast<double>(times.size() - 1));
  std::nth_element(times.begin(), times.begin() + at, times.end());
  return times[static_cast<std::size_t>(at)];
}

Latencies measureDrag(MainWindow& window, std::size_t count, std::uint32_t seed) {
  SceneView& view = window.view();
  const std::optional<Gizmo> gizmo = view.gizmo();
  if (!gizmo) throw InputError("no part that can be dragged is selected");
  const auto start = view.widgetPoint(gizmo->outline(GizmoHandle::moveX).back() * 0.8 + gizmo->centre * 0.2);
  if (!start) throw InputError("the selected parts are behind the viewpoint");
  waitForCheck(window);
  QApplication::processEvents();
  const NotDrawn notDrawn(window);
  std::mt19937 random(seed);
  const auto step = [&random] { return static_cast<double>(random() % 2001) / 1000 - 1; };
  Latencies result;
  send(view, QEvent::MouseButtonPress, *start, Qt::LeftButton, Qt::LeftButton);
  send(view, QEvent::MouseMove, *start + QPointF(6, 0), Qt::NoButton, Qt::LeftButton);
  waitForCheck(window);
  QPointF at = *start;
  for (std::size_t i = 0; i < count; ++i) {
    constexpr double farthest = 150, stride = 8;
    at += QPointF(stride * step(), stride * step());
    at.setX(std::clamp(at.x(), start->x() - farthest, start->x() + farthest));
    at.setY(std::clamp(at.y(), start->y() - farthest, start->y() + farthest));
    const auto begin = Clock::now();
    send(view, QEvent::MouseMove, at, Qt::NoButton, Qt::LeftButton);
    waitForCheck(window);
    result.whole.push_back(since(begin));
    result.answer.push_back(window.document().check().answer().milliseconds);
    if (const auto& report = window.document().check().answer().report)
      result.detection.push_back(report->milliseconds);
  }
  window.drag().cancel();
  send(view, QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton);
  waitForCheck(window);
  return result;
}

Latencies measureHover(MainWindow& window, std::size_t count, std::uint32_t seed) {
  SceneView& view = window.view();
  waitForCheck(window);
  QApplication::processEvents();
  const NotDrawn notDrawn(window);
  std::mt19937 random(seed);
  Latencies result;
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = [&random](int side) {
      return static_cast<double>(random() % 1000) / 1000 * static_cast<double>(side);
    };
    const QPointF at(place(view.width()), place(view.height()));
    const auto begin = Clock::now();
    send(view, QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton);
    result.whole.push_back(since(begin));
  }
  return result;
}

std::vector<double> measureTurn(MainWindow& window, std::size_t count) {
  SceneView& view = window.view();
  waitForCheck(window);
  QApplication::processEvents();
  const Viewpoint before = view.camera().viewpoint();
  const NavigationPreset navigation = view.navigation();
  view.setNavigation(NavigationPreset::cad);
  QPointF at(0.5 * view.width(), 0.5 * view.height());
  send(view, QEvent::MouseButtonPress, at, Qt::MiddleButton, Qt::MiddleButton);
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) {
    constexpr double degree = 3;  // in pixels
    const auto begin = Clock::now();
    send(view, QEvent::MouseMove, at += QPointF(degree, 0), Qt::NoButton, Qt::MiddleButton);
    view.finishDrawing();
    times.push_back(since(begin));
  }
  send(view, QEvent::MouseButtonRelease, at, Qt::MiddleButton, Qt::NoButton);
  view.setNavigation(navigation);
  view.setViewpoint(before);
  return times;
}

}  // namespace fitup::viewer
