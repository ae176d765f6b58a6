#include <viewer/gui/shown_motion.h>

#include <algorithm>
#include <cmath>

#include <fitup/base/error.h>
#include <fitup/base/version.h>
#include <fitup/io/certificate_file.h>
#include <fitup/io/contact_map_file.h>
#include <fitup/io/track_file.h>
#include <fitup/motion/track_edit.h>
#include <fitup/motion/track_poses.h>
#include <viewer/gui/document.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

bool judgesExactShapes(const LiveCheck& check) {
  return check.options()->verdict && check.options()->verdict->judgesExactShapes();
}

}  // namespace

ShownMotion::ShownMotion(Document& document) : QObject(&document), document_(document) {
  // Panels ask for the motion while they are notified of the next session, which may have none at this index.
  connect(&document_, &Document::aboutToClose, this, &ShownMotion::forget);
  connect(&document_.check(), &LiveCheck::settingsChanged, this, &ShownMotion::followSettings);
}

std::shared_ptr<const Track> ShownMotion::track() const {
  if (document_.session() == nullptr || !position_) return nullptr;
  return document_.session()->state().tracks.at(*position_);
}

void ShownMotion::forget() {
  step_ = 0;
  share_ = 0;
  checked_.reset();
  mapped_.reset();
  mapWanted_ = false;
  position_.reset();
  isAtStep_ = false;
}

void ShownMotion::reset() {
  forget();
  if (document_.session() != nullptr && !document_.session()->state().tracks.empty()) position_ = 0;
  findStep();
  emit trackChanged();
  emit mapChanged();
}

void ShownMotion::follow(const SessionState& before) {
  const SessionState& now = document_.session()->state();
  const bool tracksChanged = now.tracks != before.tracks;
  if (tracksChanged) {
    if (position_ && *position_ >= now.tracks.size()) position_.reset();
    if (!position_ && !now.tracks.empty()) position_ = now.tracks.size() - 1;
    if (const auto shown = track()) step_ = std::min(step_, shown->steps.size() - 1);
  }
  const std::size_t step = step_;
  const bool wasAtStep = isAtStep_;
  if (tracksChanged || now.motions != before.motions) findStep();
  const bool known = checked_.has_value(), painted = map() != nullptr;
  if (tracksChanged || now.motions != before.motions || now.rules != before.rules ||
      now.tolerance != before.tolerance)
    dropStale();
  if (tracksChanged || known != checked_.has_value())
    emit trackChanged();
  else if (step_ != step || isAtStep_ != wasAtStep)
    emit stepChanged();
  if (painted != (map() != nullptr)) emit mapChanged();
}

void ShownMotion::followSettings() {
  const bool known = checked_.has_value();
  dropStale();
  if (known && !checked_) emit trackChanged();
}

/// Undo, or a part moved by hand, may put the parts at another step (the nearest of equal ones) or at none.
void ShownMotion::findStep() {
  isAtStep_ = false;
  share_ = 0;
  const auto shown = track();
  if (!shown) return;
  std::vector<MovedGroup> groups;
  try {
    groups = resolve(*shown, document_.session()->assembly(), true);
  } catch (const Error&) {
    return;  // its parts are not in the model, as was reported when it was opened
  }
  const std::size_t before = step_;
  std::size_t least = shown->steps.size();
  for (std::size_t step = 0; step < shown->steps.size(); ++step) {
    const std::size_t away = step < before ? before - step : step - before;
    if (away >= least) continue;
    bool stands = true;
    for (std::size_t i = 0; stands && i < groups.size(); ++i)
      stands = std::ranges::all_of(groups[i].instances, [&](NodeId node) {
        return document_.session()->motionOf(node) == shown->steps[step][i];
      });
    if (!stands) continue;
    least = away;
    step_ = step;
    isAtStep_ = true;
  }
}

std::optional<MotionScene> ShownMotion::scene() const {
  const auto shown = track();
  if (!shown) return std::nullopt;
  try {
    return sceneOf(*document_.session(), shown);
  } catch (const Error& error) {
    emit document_.failed(viewer::shown(error.what()));
    return std::nullopt;
  }
}

bool ShownMotion::isAskedAlike(const CheckedMotion& checked) const {
  const LiveCheck& check = document_.check();
  return checked.verdicts == check.settings().verdicts &&
         (!checked.verdicts ||
          (checked.tolerance == check.tolerance() && checked.exactShapes == judgesExactShapes(check)));
}

void ShownMotion::dropStale() {
  if (!checked_ && !mapped_) return;
  const auto now = scene();
  if (checked_ && (checked_->scene != now || !isAskedAlike(*checked_))) checked_.reset();
  if (mapped_ && mapped_->scene != now) {
    mapped_.reset();
    mapWanted_ = false;
  }
}

void ShownMotion::show(std::size_t position) {
  position_ = position;
  step_ = 0;
  findStep();
  dropStale();
  emit trackChanged();
  emit mapChanged();
}

void ShownMotion::moveParts(const std::map<NodeId, RigidMotion>& motions) {
  document_.session()->edit(
      "Go to a step of the motion",
      [&](SessionState& state) {
        for (const auto& [node, motion] : motions) setMotion(state, node, motion);
      },
      "step");
}

void ShownMotion::goTo(std::size_t step) {
  const auto shown = track();
  if (!shown || step >= shown->steps.size()) return;
  step_ = step;
  share_ = 0;
  try {
    moveParts(motionsAt(*shown, document_.session()->assembly(), step));
  } catch (const Error& error) {
    emit document_.failed(viewer::shown(error.what()));
    findStep();
  }
  emit stepChanged();
}

void ShownMotion::goToTime(double time) {
  const auto shown = track();
  if (!shown || !(time >= 0) || !(time <= static_cast<double>(shown->steps.size() - 1))) return;
  const auto step = static_cast<std::size_t>(time);
  if (time == static_cast<double>(step)) return goTo(step);
  step_ = step;
  try {
    const TrackPoses poses(*shown, document_.session()->assembly(), true);
    const std::vector<RigidMotion> at = poses.at(time);
    std::map<NodeId, RigidMotion> motions;
    for (std::size_t i = 0; i < at.size(); ++i)
      for (const NodeId node : poses.groups()[i].instances) motions[node] = at[i];
    moveParts(motions);
    step_ = step;  // the session's change has looked for a step where the parts are
    share_ = time - static_cast<double>(step);
    isAtStep_ = false;
  } catch (const Error& error) {
    emit document_.failed(viewer::shown(error.what()));
    findStep();
  }
  emit stepChanged();
}

double ShownMotion::nextFrame() const {
  constexpr double degreesOfFrame = 10, shiftOfFrame = 0.04;  // the latter of the size of what moves
  constexpr double mostOfShift = 100;
  const auto shown = track();
  if (!shown || step_ + 1 >= shown->steps.size()) return time();
  const Assembly& assembly = document_.session()->assembly();
  double degrees = 0, shifts = 0;
  for (std::size_t i = 0; i < shown->moved.size(); ++i) {
    Box box;
    if (const auto node = assembly.find(shown->moved[i]))
      for (const NodeId instance : assembly.instancesBelow(*node)) box.extend(assembly.worldBounds(instance));
    if (!box.empty()) {
      const Vec3 from = shown->steps[step_][i].transform().apply(box.centre()),
                 to = shown->steps[step_ + 1][i].transform().apply(box.centre());
      shifts = std::max(shifts, norm(to - from) / (2 * shiftOfFrame * norm(box.halfExtent())));
    }
    const StepWay way = shown->wayTo(step_ + 1, i);
    degrees = std::max(degrees, way.turn ? std::abs(way.turn->degrees)
                                         : degreesBetween(shown->steps[step_][i].rotation,
                                                          shown->steps[step_ + 1][i].rotation));
  }
  // A way of very many turns is shown in as many frames as a hundred of them.
  const double frames =
      std::max(std::clamp(std::ceil(degrees / degreesOfFrame), 1.0, 3600.0),
               shifts <= mostOfShift ? std::ceil(shifts) : mostOfShift);  // also for parts without a size
  const double next = std::round(share_ * frames) + 1;
  return static_cast<double>(step_) + (next >= frames ? 1.0 : next / frames);
}

void ShownMotion::check() {
  auto of = scene();
  if (!of) return;
  auto result = std::make_shared<CheckedMotion>();
  result->scene = std::move(*of);
  result->verdicts = document_.check().settings().verdicts;
  result->tolerance = document_.check().tolerance();
  result->exactShapes = judgesExactShapes(document_.check());
  document_.startJob(
      tr("Replaying %1").arg(shown(result->scene.track->name)),
      [=, model = document_.check().scene(),
       options = document_.check().options()](const Progress& progress) {
        result->steps = checkMotion(model, result->scene, *options, progress);
        if (result->verdicts) result->certified = certifyMotion(model, result->scene, *options, progress);
      },
      [this, result] {
        checked_ = *result;
        dropStale();
        emit trackChanged();
      },
      std::make_shared<OverallProgress>(
          std::vector<JobPhase>{{"replaying", 2}, {"distances", 1}, {"looking for contact", 1}}));
}

void ShownMotion::showMap(bool on) {
  if (on == mapWanted_) return;
  if (!on || mapped_) {
    mapWanted_ = on;
    emit mapChanged();
    return;
  }
  auto of = scene();
  if (!of) return;
  auto result = std::make_shared<MappedMotion>(MappedMotion{std::move(*of), {}});
  document_.startJob(
      tr("Contact map of %1").arg(shown(result->scene.track->name)),
      [=, model = document_.check().scene()](const Progress& progress) {
        result->map = mapContacts(model, result->scene, progress);
      },
      [this, result] {
        mapped_ = std::move(*result);
        mapWanted_ = true;
        dropStale();
        emit mapChanged();
      });
}

void ShownMotion::saveMap(const std::filesystem::path& file) {
  try {
    if (!mapped_) throw InputError("there is no contact map: show it first");
    const Session& session = *document_.session();
    writeContactMap(file,
                    {"fitup-viewer " + std::string(version), joinedNames(session.modelFiles()),
                     mapped_->scene.track->name},
                    session.model(), mapped_->map);
    emit document_.saved(QString::fromStdString(file.string()));
  } catch (const Error& error) {
    emit document_.failed(viewer::shown(error.what()));
  }
}

void ShownMotion::saveCertificate(const std::filesystem::path& file) {
  try {
    if (!checked_ || !checked_->certified)
      throw InputError("there is no certificate: first find the clashes, with verdicts");
    const Session& session = *document_.session();
    writeCertificate(file, "fitup-viewer " + std::string(version), joinedNames(session.modelFiles()),
                     session.assembly(), *checked_->certified);
    emit document_.saved(QString::fromStdString(file.string()));
  } catch (const Error& error) {
    emit document_.failed(viewer::shown(error.what()));
  }
}

// ---- edits ----

void ShownMotion::edit(const QString& label, std::size_t newStep,
                       const std::function<Track(const Track&)>& change) {
  const auto shown = track();
  if (!shown) return;
  try {
    auto track = std::make_shared<const Track>(change(*shown));
    const auto motions = motionsAt(*track, document_.session()->assembly(), newStep);
    document_.session()->edit(label.toStdString(), [&](SessionState& state) {
      state.tracks.at(*position_) = track;
      for (const auto& [node, motion] : motions) setMotion(state, node, motion);
    });
  } catch (const Error& error) {
    emit document_.failed(viewer::shown(error.what()));
    return;
  }
  step_ = newStep;
  findStep();
  emit stepChanged();
}

std::optional<std::vector<RigidMotion>> ShownMotion::presentPoses(const Track& track) const {
  const Session& session = *document_.session();
  std::vector<RigidMotion> poses;
  try {
    for (const MovedGroup& group : resolve(track, session.assembly())) {
      poses.push_back(session.motionOf(group.instances.at(0)));
      for (const NodeId node : group.instances)
        if (session.motionOf(node) != poses.back())
          throw InputError(
              "the parts of '" + session.assembly().path(group.node) +
              "' are not in the same relative positions as in the motion, so no step can hold them");
    }
  } catch (const Error& error) {
    emit document_.failed(viewer::shown(error.what()));
    return std::nullopt;
  }
  return poses;
}

void ShownMotion::insertPose() {
  const auto shown = track();
  if (!shown) return;
  if (const auto poses = presentPoses(*shown))
    edit(tr("Insert a step"), step_ + 1,
         [&](const Track& before) { return withStepInserted(before, step_ + 1, *poses); });
}

void ShownMotion::removeStep() {
  const auto shown = track();
  if (!shown || shown->steps.size() < 2) return;
  edit(tr("Delete a step"), std::min(step_, shown->steps.size() - 2),
       [&](const Track& before) { return withStepRemoved(before, step_); });
}

void ShownMotion::moveStep(int by) {
  const auto shown = track();
  const std::size_t to = by < 0 ? step_ - 1 : step_ + 1;  // becomes the largest number before the first step
  if (!shown || to >= shown->steps.size()) return;
  edit(tr("Move a step"), to, [&](const Track& before) { return withStepMoved(before, step_, to); });
}

void ShownMotion::reverse() {
  const auto shown = track();
  if (!shown) return;
  edit(tr("Reverse the motion"), shown->steps.size() - 1 - step_,
       [](const Track& before) { return reversed(before); });
}

void ShownMotion::save(const std::filesystem::path& file) {
  const auto shown = track();
  if (!shown) return;
  try {
    writeTrack(file, *shown);
    emit document_.saved(QString::fromStdString(file.string()));
  } catch (const Error& error) {
    emit document_.failed(viewer::shown(error.what()));
  }
}

}  // namespace fitup::viewer
