#include <viewer/gui/drag_controller.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fitup/base/error.h>
#include <viewer/core/length_scale.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

DragController::DragController(Document& document) : QObject(&document), document_(document) {
  connect(&document_.check(), &LiveCheck::answered, this, &DragController::answered);
  connect(&document_, &Document::stateChanged, this, [this] {
    if (!active_)
      stop_.reset();
    else if (document_.session()->poses() != begunAt_)
      cancel();
  });
  // What stopped a part does not concern another selection.
  connect(&document_, &Document::selectionChanged, this, [this] {
    if (!active_) stop_.reset();
  });
  connect(&document_, &Document::stateChanged, this, &DragController::recordMoved);
  connect(&document_, &Document::opened, this, [this] {
    const double size = sizeOf(document_.session()->assembly());
    const LengthUnit unit = document_.lengthUnit();
    if (!fits(steps_.distance, size))
      setSteps({unit.model(stepFor(unit.shown(size))), steps_.degrees}, snaps_);
  });
  connect(&document_, &Document::aboutToHandOver, this, [this] {
    if (isRecording()) stopRecording();
  });
  connect(&document_, &Document::aboutToClose, this, [this] {
    active_ = finishing_ = false;
    waiting_.clear();
    recording_ = false;
    recorder_.reset();
    stop_.reset();
    emit recordingChanged();
  });
}

void DragController::setMode(DragMode mode) {
  if (mode == mode_) return;
  mode_ = mode;
  // Between modes that may hold the part, a drag goes on from where it is.
  if (active_ && isGuarded(modeNow_) && isGuarded(mode)) {
    modeNow_ = mode;
    if (ticket_ != 0) ask();
  }
  emit modeChanged();
}

void DragController::setSlideFreedom(SlideFreedom freedom) {
  if (freedom == freedom_) return;
  freedom_ = freedom;
  if (active_ && modeNow_ == DragMode::slide && ticket_ != 0) ask();
  emit modeChanged();
}

void DragController::ask() {
  DragGoal goal{drag_, dragged_, wanted_, modeNow_, document_.check().tolerance()};
  goal.freedom = freedom_;
  ticket_ = document_.check().ask(std::move(goal));
}

void DragController::setSteps(const GizmoSteps& steps, bool snaps) {
  if (steps == steps_ && snaps == snaps_) return;
  steps_ = steps;
  snaps_ = snaps;
  emit stepsChanged();
}

bool DragController::begin(std::vector<NodeId> instances) {
  if (instances.empty() || document_.session() == nullptr) return false;
  if (isArriving() && heldWaiting() == nullptr) {
    constexpr std::size_t mostWaiting = 4;  // what comes later would surprise
    if (waiting_.size() >= mostWaiting) return false;
    const Vec3 centre = centreOf(instances);
    waiting_.push_back({std::move(instances), centre});
    return true;
  }
  if (active_) return false;
  grabbedBefore_ = {};
  start(std::move(instances));
  return true;
}

DragController::Waiting* DragController::heldWaiting() noexcept {
  return waiting_.empty() || waiting_.back().isFinished ? nullptr : &waiting_.back();
}

void DragController::beginWaiting() {
  if (active_ || waiting_.empty()) return;
  const Waiting next = std::move(waiting_.front());
  waiting_.pop_front();
  grabbedBefore_ = centreOf(next.instances) - next.centre;
  start(next.instances);
  if (next.wanted != RigidMotion{}) moveTo(next.wanted, next.turn);
  if (next.isFinished) finish();
}

void DragController::mergeWaiting() {
  if (waiting_.size() < 2) return;
  const Waiting& last = waiting_.back();
  Waiting& before = waiting_[waiting_.size() - 2];
  if (last.turn || before.turn || last.instances != before.instances) return;
  before.wanted = last.wanted * before.wanted;
  waiting_.pop_back();
}

void DragController::start(std::vector<NodeId> instances) {
  dragged_ = std::move(instances);
  active_ = true;
  finishing_ = isFinal_ = false;
  ++drag_;
  modeNow_ = mode_;
  wanted_ = shown_ = {};
  turn_.reset();
  degreesShown_ = degreesRecorded_ = 0;
  stop_.reset();
  firstTicket_ = ticket_ = 0;
  begunAt_ = document_.session()->poses();
  if (recording_) alsoRecord(dragged_);
}

void DragController::moveTo(const RigidMotion& wanted, const std::optional<AxisTurn>& turn) {
  if (Waiting* held = heldWaiting()) {
    held->wanted = wanted;
    held->turn = turn;
    return;
  }
  if (!active_ || finishing_) return;
  if (turn && !turn_) record(true);  // the turn begins here
  wanted_ = RigidMotion{{}, grabbedBefore_} * wanted * RigidMotion{{}, -grabbedBefore_};
  turn_ = turn;
  if (turn_) turn_->point = turn_->point + grabbedBefore_;
  if (modeNow_ != DragMode::off) ask();
  if (firstTicket_ == 0) firstTicket_ = ticket_;
  if (!isGuarded(modeNow_)) show(wanted_);
}

void DragController::finish() {
  if (Waiting* held = heldWaiting()) {
    held->isFinished = true;
    mergeWaiting();
    return;
  }
  if (!active_ || finishing_) return;
  if (isGuarded(modeNow_) && (ticket_ > document_.check().answer().ticket || isBehind())) {
    finishing_ = true;
    return;
  }
  commit();
}

void DragController::finishAt(const RigidMotion& motion, const std::string& label) {
  if (!active_) return;
  stop_.reset();
  isFinal_ = true;
  show(motion);
  commit(label);
}

void DragController::cancel() {
  if (!active_) return;
  active_ = finishing_ = false;
  waiting_.clear();
  document_.check().ask();
  emit ended();
}

void DragController::answered() {
  const LiveAnswer& answer = document_.check().answer();
  if (!active_ || ticket_ == 0 || answer.ticket < firstTicket_) return;  // belongs to another drag
  if (isGuarded(modeNow_)) {
    if (!answer.error.empty()) {
      cancel();
      return;
    }
    if (const DragState* state = stopping()) show(state->pose);
  }
  if (finishing_ && answer.ticket >= ticket_ && !isBehind()) commit();
}

const DragState* DragController::stopping() const noexcept {
  const LiveAnswer& answer = document_.check().answer();
  const bool isOfThisDrag = active_ && isGuarded(modeNow_) && ticket_ != 0 && answer.ticket >= firstTicket_ &&
                            answer.drag && answer.drag->drag == drag_;
  return isOfThisDrag ? &*answer.drag : nullptr;
}

bool DragController::isBehind() const noexcept {
  const DragState* state = isFinal_ ? nullptr : stopping();
  return state != nullptr && state->isBehind;
}

const RigidMotion& DragController::shown() const noexcept {
  const DragState* state = isFinal_ ? nullptr : stopping();
  return state != nullptr ? state->pose : shown_;
}

Vec3 DragController::shift() const {
  const RigidMotion& motion = shown();
  if (motion.rotation == Quaternion{}) return motion.translation;
  const Vec3 rest = document_.session()->worldBounds(dragged_).centre();
  return motion.transform().apply(rest) - rest;
}

std::span<const SlideHold> DragController::holding() const noexcept {
  const DragState* state = isFinal_ ? nullptr : stopping();
  return state != nullptr ? std::span(state->holding) : std::span<const SlideHold>();
}

const std::optional<DragStop>& DragController::stop() const noexcept {
  const DragState* state = isFinal_ ? nullptr : stopping();
  return state != nullptr ? state->stop : stop_;
}

void DragController::commit(const std::string& label) {
  const RigidMotion motion = shown();
  const std::optional<DragStop> stop = this->stop();
  active_ = finishing_ = isFinal_ = false;
  if (motion == RigidMotion{}) {
    document_.check().ask();
  } else {
    const Session& session = *document_.session();
    const std::string what = dragged_.size() == 1 ? session.assembly().node(dragged_.front()).name
                                                  : std::to_string(dragged_.size()) + " parts";
    document_.check().endDrag();
    try {
      document_.session()->move(dragged_, motion, label + " " + what);
      stop_ = stop;
    } catch (const InputError& error) {
      emit document_.failed(viewer::shown(error.what()));
    }
  }
  emit ended();
  beginWaiting();
}

void DragController::show(const RigidMotion& motion) {
  shown_ = motion;
  record(false);
  emit moved();
}

Poses DragController::poses() const {
  Poses poses;
  if (!active_) return poses;
  for (const NodeId node : dragged_)
    poses.set(node, shown().transform() * document_.session()->worldFromPart(node));
  return poses;
}

bool DragController::isDragging(std::span<const NodeId> instances) const noexcept {
  return active_ && std::ranges::equal(instances, dragged_);
}

Vec3 DragController::centreOf(std::span<const NodeId> instances) const {
  const Vec3 rest = document_.session()->worldBounds(instances).centre();
  return isDragging(instances) ? shown().transform().apply(rest) : rest;
}

Transform DragController::worldFromPart(NodeId instance) const {
  const Transform rest = document_.session()->worldFromPart(instance);
  const bool moves = active_ && std::ranges::find(dragged_, instance) != dragged_.end();
  return moves ? shown().transform() * rest : rest;
}

void DragController::startRecording(const std::vector<NodeId>& instances) {
  if (document_.session() == nullptr) return;
  recording_ = true;
  recorded_.clear();
  recordedFrom_ = document_.session()->state().motions;
  alsoRecord(instances);
  emit recordingChanged();
}

void DragController::alsoRecord(const std::vector<NodeId>& instances) {
  const Session& session = *document_.session();
  const Assembly& assembly = session.assembly();
  if (!recorder_ && !instances.empty()) {
    Box design;
    for (const NodeId node : instances) design.extend(assembly.worldBounds(node));
    RecordingSteps steps;
    steps.distance = 0.02 * 2 * norm(design.halfExtent());
    recorder_.emplace(Track{.name = {},
                            .unit = assembly.unit(),
                            .modelHash = assembly.contentHash(),
                            .moved = {},
                            .steps = {}},
                      design.centre(), steps);
  }
  for (const NodeId node : instances) {
    if (std::ranges::find(recorded_, node) != recorded_.end()) continue;
    recorder_->addMoved(assembly.path(node), motionBefore(node));
    recorded_.push_back(node);
  }
  record(true);
}

void DragController::recordMoved() {
  if (!recording_ || active_) return;
  const Session& session = *document_.session();
  std::vector<NodeId> moved;
  for (const NodeId node : session.assembly().instances())
    if (session.motionOf(node) != motionBefore(node)) moved.push_back(node);
  alsoRecord(moved);
}

RigidMotion DragController::motionBefore(NodeId instance) const {
  const auto found = recordedFrom_.find(instance);
  return found == recordedFrom_.end() ? RigidMotion{} : found->second;
}

void DragController::addKeyPose() {
  record(true);
  emit recordingChanged();
}

std::optional<double> DragController::degreesShown() {
  if (!active_ || !turn_) return std::nullopt;
  if (shown() == wanted_) return degreesShown_ = turn_->degrees;
  // The part was stopped on the way. Of the angles that differ by full turns, it is the one nearest to the
  // last one.
  const Quaternion& q = shown().rotation;
  const double turned =
      2 * std::atan2(dot({q.x, q.y, q.z}, normalized(turn_->direction)), q.w) * 180 / std::numbers::pi;
  return degreesShown_ += std::remainder(turned - degreesShown_, 360.0);
}

void DragController::record(bool always) {
  if (!recorder_) return;
  std::vector<RigidMotion> poses;
  for (const NodeId node : recorded_) {
    RigidMotion motion = document_.session()->motionOf(node);
    if (active_ && std::ranges::find(dragged_, node) != dragged_.end()) motion = shown() * motion;
    poses.push_back(motion);
  }
  const std::optional<double> degrees = degreesShown();
  std::optional<AxisTurn> turn;
  if (degrees && std::ranges::all_of(recorded_, [&](NodeId node) {
        return std::ranges::find(dragged_, node) != dragged_.end();
      }))
    turn = AxisTurn{turn_->point, turn_->direction, *degrees - degreesRecorded_, 0};
  if (!recorder_->add(poses, always, turn)) return;
  degreesRecorded_ = degrees.value_or(0);
  emit recordingChanged();
}

void DragController::stopRecording() {
  if (!recording_) return;
  record(true);
  Track track = recorder_ ? recorder_->track() : Track();
  recording_ = false;
  recorder_.reset();
  if (track.steps.size() > 1) {
    const std::size_t position = document_.session()->state().tracks.size();
    track.name = tr("recorded %1").arg(position + 1).toStdString();
    document_.session()->edit("Record a motion", [&](SessionState& state) {
      state.tracks.push_back(std::make_shared<const Track>(std::move(track)));
    });
    document_.motion().show(position);
  }
  emit recordingChanged();
}

}  // namespace fitup::viewer
