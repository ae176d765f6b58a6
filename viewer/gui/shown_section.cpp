#include <viewer/gui/shown_section.h>

#include <algorithm>
#include <cmath>

#include <QElapsedTimer>

#include <fitup/base/parallel.h>
#include <viewer/core/section_planes.h>

namespace fitup::viewer {
namespace {

/// Caps that take too long to follow a drag appear when nothing has changed for so long.
constexpr int restMilliseconds = 150;
/// Parts with up to so many triangles in all are examined at once, within about a tenth of a second.
constexpr std::size_t examinedAtOnce = 100'000;

}  // namespace

ShownSection::ShownSection() {
  pause_.setSingleShot(true);
  connect(&pause_, &QTimer::timeout, this, [this] {
    compute();
    emit changed();
  });
}

void ShownSection::clear() {
  pause_.stop();
  examining_.reset();
  session_ = nullptr;
  caps_.clear();
  shown_ = {};
  looks_ = {};
  styles_.clear();
  examined_.clear();
  lastMilliseconds_ = formerMilliseconds_ = 0;
  draw();
}

void ShownSection::show(const Session& session, Shown shown, CapLooks looks) {
  session_ = &session;
  looks.lit = looks_.lit;
  const bool restyled = looks != looks_, differs = shown != shown_;
  looks_ = std::move(looks);
  if (differs) {
    shown_ = std::move(shown);
    // One slow computation may have waited for another program.
    if (std::min(lastMilliseconds_, formerMilliseconds_) <= budget_ || !anyEnabled(shown_.planes)) {
      pause_.stop();
      return compute();
    }
    // A cap at its former place would be wrong.
    node()->setNodeMask(0);
    pause_.start(restMilliseconds);
  } else if (restyled && !pause_.isActive()) {
    draw();
  }
}

void ShownSection::compute() {
  QElapsedTimer timer;
  timer.start();
  const Scene& scene = session_->scene();
  if ((styles_.empty() || styledFor_ != shown_.looks) && anyEnabled(shown_.planes)) {
    styles_ = capStyles(scene, shown_.looks);
    styledFor_ = shown_.looks;
  }
  const auto update = [&] {
    return caps_.update({scene, shown_.poses, shown_.planes, shown_.hidden, shown_.tolerance,
                         [this](PartId part) { return examined_.contains(part); }});
  };
  update();
  std::vector<PartId> parts(caps_.waitingParts().begin(), caps_.waitingParts().end());
  std::erase_if(parts, [&](PartId part) { return !scene.collisionModel(part)->hasWide(); });
  std::size_t triangles = 0;
  for (const PartId part : parts) triangles += scene.assembly().part(part).triangleCount();
  if (!parts.empty() && triangles <= examinedAtOnce) {
    scene.prepareSolids(parts, {}, allCores);
    examined_.insert(parts.begin(), parts.end());
    timer.restart();  // this happens once
    update();
  } else if (!parts.empty()) {
    examine();
  }
  draw();
  formerMilliseconds_ = lastMilliseconds_;
  lastMilliseconds_ = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
}

void ShownSection::examine() {
  if (examining_) return;
  std::vector<PartId> parts(caps_.waitingParts().begin(), caps_.waitingParts().end());
  std::erase_if(parts, [&](PartId part) { return !session_->scene().collisionModel(part)->hasWide(); });
  examining_ = std::make_unique<BackgroundJob>(
      [scene = session_->scene(), parts](const Progress& progress) {
        scene.prepareSolids(parts, progress, allCores);
      },
      [this, parts](const std::string& error) {
        QMetaObject::invokeMethod(this, [this, parts, error] {
          if (!examining_ || !examining_->done()) return;  // of a session that was closed
          examining_.reset();
          if (!error.empty()) return;
          examined_.insert(parts.begin(), parts.end());
          if (pause_.isActive()) return;
          compute();
          emit changed();
        });
      });
}

bool ShownSection::setLit(std::optional<NodeId> instance) {
  if (instance == looks_.lit) return false;
  looks_.lit = instance;
  if (session_ != nullptr && !pause_.isActive()) draw();
  return true;
}

void ShownSection::setHatching(const Camera& camera, double pixels) {
  if (caps_.faces().empty()) return;
  const FlatBox box = [&] {
    FlatBox all;
    for (const auto& cap : caps_.faces().front().caps)
      if (!cap->box.empty()) {
        all.extend(cap->box.min);
        all.extend(cap->box.max);
      }
    return all;
  }();
  if (box.empty()) return;
  const Vec3 middle =
      caps_.faces().front().frame.world({0.5 * (box.min.x + box.max.x), 0.5 * (box.min.y + box.max.y)});
  const double distance = pixels * camera.worldPerPixel(middle);
  if (distance > 0 && std::isfinite(distance)) drawn_.setHatching(std::exp2(std::round(std::log2(distance))));
}

void ShownSection::draw() {
  drawn_.show(caps_.faces(), styles_, looks_);
  node()->setNodeMask(~0U);
}

}  // namespace fitup::viewer
