#include <viewer/gui/live_check.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fitup/scene/clash_depths.h>

namespace fitup::viewer {
namespace {

/// Returns a ten-thousandth of the diagonal, rounded down to a power of ten; empty if all parts know their
/// chord error.
std::optional<double> toleranceForMeshes(const Assembly& assembly) {
  bool known = true;
  Box all;
  for (const NodeId node : assembly.instances()) {
    known = known && assembly.meshOf(node).deflection();
    all.extend(assembly.worldBounds(node));
  }
  const double diagonal = 2 * norm(all.halfExtent());
  if (known || !(diagonal > 0)) return std::nullopt;
  return std::pow(10, std::floor(std::log10(diagonal * 1e-4)));
}

}  // namespace

LiveCheck::LiveCheck(QObject* parent) : QObject(parent) { makeOptions(); }

LiveCheck::~LiveCheck() {
  parked_.reset();
  runner_.reset();
}

void LiveCheck::begin(const Session& session) {
  end();
  session_ = &session;
  fallbackTolerance_ = toleranceForMeshes(session.assembly());
  // Mated faces of CAD assemblies touch everywhere, so a plain list of intersections would hide what matters.
  settings_.verdicts = !fallbackTolerance_;
  scene_ = session.scene();
  if (!carries(settings_.hierarchy)) settings_.hierarchy = HierarchyKind::wide;
  makeOptions();
  startRunner();
  emit settingsChanged();
}

bool LiveCheck::carries(HierarchyKind kind) const {
  return std::ranges::all_of(scene_.instances(),
                             [&](const NodeId node) { return scene_.modelOf(node).has(kind); });
}

void LiveCheck::useScene(const Scene& scene) {
  parked_.reset();
  runner_.reset();
  scene_ = scene;
  answered_ = asked_;
  startRunner();
}

void LiveCheck::startRunner() {
  firstTicket_ = asked_;
  const std::uint64_t id = runnerId_ = ++lastRunnerId_;
  // The tickets of a worker are numbers of its own; what they are here depends on when it works.
  runner_ = std::make_unique<LiveSession>(
      scene_,
      [this, id](LiveAnswer answer) {
        QMetaObject::invokeMethod(
            this,
            [this, id, answer = std::move(answer)]() mutable {
              if (id != runnerId_) return;
              answer.ticket += firstTicket_;
              receive(std::move(answer));
            },
            Qt::QueuedConnection);
      },
      Progress::Callback(),
      [this, id](std::uint64_t ofRunner, std::vector<MateSuggestion> mates) {
        QMetaObject::invokeMethod(
            this,
            [this, id, ofRunner, mates = std::move(mates)] {
              const std::uint64_t ticket = firstTicket_ + ofRunner;
              if (id == runnerId_ && runner_ && ticket == asked_ && ofRunner > 0 && !mates.empty())
                emit matesFound(mates);
            },
            Qt::QueuedConnection);
      },
      [this, id](LiveDepths depths) {
        QMetaObject::invokeMethod(
            this,
            [this, id, depths = std::move(depths)] {
              const std::uint64_t ticket = firstTicket_ + depths.ticket;
              if (id != runnerId_ || !runner_ || ticket != asked_ || ticket != answer_.ticket ||
                  !answer_.report)
                return;
              answer_.report = depths.report;
              if (depths.ended) answer_.depthsFollow = false;
              emit depthsFound();
            },
            Qt::QueuedConnection);
      });
}

void LiveCheck::end() {
  parked_.reset();
  runner_.reset();
  session_ = nullptr;
  answer_ = {};
  answered_ = asked_;
  drag_.reset();
  measured_.clear();
}

void LiveCheck::setSettings(const CheckSettings& settings) {
  if (settings == settings_) return;
  const CheckSettings before = std::exchange(settings_, settings);
  makeOptions();
  const bool holds = changeRunner(before);
  emit settingsChanged();
  if (holds)
    emit answered();
  else
    askAgain();
}

bool LiveCheck::isAtRest() const {
  return runner_ && answer_.report && answer_.error.empty() && !isChecking() && !drag_ &&
         !answer_.catchesUp && !answer_.depthsFollow && answer_.pairsOfTriangles == 0 &&
         !needsDepths(*answer_.report) && answeredAt_ == session_->poses();
}

bool LiveCheck::changeRunner(const CheckSettings& before) {
  // Other changes concern what is done with the same results.
  const auto judgesAlike = [](const CheckSettings& a, const CheckSettings& b) {
    return a.mode == b.mode && a.overlapBox == b.overlapBox && a.verdicts == b.verdicts &&
           a.exactShapes == b.exactShapes;
  };
  if (!runner_ || drag_ || before.hierarchy != settings_.hierarchy) {
    parked_.reset();
    return false;
  }
  if (judgesAlike(before, settings_)) return false;
  const bool isWanted = parked_ && judgesAlike(parked_->settings, settings_);
  if (!isAtRest() && !isWanted) return false;
  std::optional<Parked> next = std::exchange(parked_, std::nullopt);
  if (isAtRest())
    parked_ =
        Parked{std::move(runner_), runnerId_, asked_ - firstTicket_, before, answeredAt_, measured_, answer_};
  if (!isWanted) {
    startRunner();
    return false;
  }
  runner_ = std::move(next->runner);
  runnerId_ = next->runnerId;
  answered_ = ++asked_;  // a ticket of its own, which no other result has
  firstTicket_ = asked_ - next->asked;
  if (next->poses != session_->poses() || next->measured != measured_ ||
      next->settings.distance != settings_.distance || !settings_.on)
    return false;
  answer_ = std::move(next->answer);
  answer_.ticket = asked_;
  answeredAt_ = next->poses;
  return true;
}

void LiveCheck::makeOptions() {
  InterferenceOptions options;
  options.request.mode = settings_.mode;
  options.request.hierarchy = settings_.hierarchy;
  options.request.overlapBox = settings_.overlapBox;
  if (session_ != nullptr) options.rules = session_->rules();
  if (settings_.verdicts) {
    options.verdict.emplace();
    options.verdict->regions =
        false;  // the depth of a clash takes longer to find than the clash; see `ClashDepths`
    options.verdict->tolerance = tolerance();
    options.verdict->tolerancesOfFaces = true;
    // Other tolerances come from the chord errors, or from the size of meshes without any.
    if (settings_.exactShapes && session_ != nullptr && session_->state().tolerance) {
      options.verdict->exactShapes = session_->refinement() != nullptr;
      options.verdict->refinement = session_->refinement();
    }
  }
  options_ = std::make_shared<const InterferenceOptions>(std::move(options));
}

std::optional<double> LiveCheck::tolerance() const {
  if (session_ != nullptr && session_->state().tolerance) return session_->state().tolerance;
  return fallbackTolerance_;
}

void LiveCheck::measure(const std::set<NodeId>& instances) {
  measured_ = instances;
  wasDragged_ = false;
  if (settings_.distance) askAgain();
}

std::uint64_t LiveCheck::ask(std::optional<DragGoal> drag) {
  if (!runner_) return 0;
  drag_ = drag;
  if (!settings_.on && !drag) {
    answer_ = {};
    answered_ = asked_;
    emit answered();
    return 0;
  }
  LiveQuestion question;
  question.options = options_;
  question.poses = answeredAt_ = session_->poses();
  question.measureDistance = settings_.distance;
  question.measured.assign(measured_.begin(), measured_.end());
  question.drag = std::move(drag);
  const std::vector<NodeId>& group = question.drag ? question.drag->dragged : question.measured;
  if (question.drag) wasDragged_ = true;
  if (settings_.mates && wasDragged_ && !group.empty()) question.mates = mateTolerances(group);
  asked_ = firstTicket_ + runner_->ask(std::move(question));
  if (!answer_.report) emit asked();
  return asked_;
}

MateTolerances LiveCheck::mateTolerances(std::span<const NodeId> group) const {
  // How close a user can bring parts of that size by hand, in a picture of that scale. Bolts are put onto the
  // axes of clearance holes, from outside of them.
  const double diagonal = 2 * norm(session_->worldBounds(group).halfExtent());
  MateTolerances tolerances;
  tolerances.reach = std::clamp(mateReach_, 0.01 * diagonal, 0.25 * diagonal);
  tolerances.play = 0.002 * diagonal;
  tolerances.angle = 5 * std::numbers::pi / 180;
  tolerances.radii = 1;
  tolerances.looseness = 0.3;
  tolerances.along = 1;
  return tolerances;
}

void LiveCheck::receive(LiveAnswer answer) {
  const bool isNewer = runner_ && answer.ticket == answered_ && answer.ticket == answer_.ticket &&
                       answer.ticket > firstTicket_;
  if (answer.ticket <= answered_ && !isNewer) return;  // from an earlier runner, or no longer wanted
  if (!isNewer) pairsBehind_ = answer.pairsOfTriangles;
  if (answer.ticket == stopped_) answer.catchesUp = answer.depthsFollow = false;
  answered_ = answer.ticket;
  answer_ = std::move(answer);
  emit answered();
}

double LiveCheck::shareCaughtUp() const noexcept {
  return pairsBehind_ == 0
             ? 1
             : 1 - static_cast<double>(answer_.pairsOfTriangles) / static_cast<double>(pairsBehind_);
}

void LiveCheck::stopCatchingUp() {
  if (!runner_ || !isCatchingUp()) return;
  runner_->stopCatchingUp();
  stopped_ = answer_.ticket;
  answer_.catchesUp = answer_.depthsFollow = false;
  emit answered();
}

bool LiveCheck::follow(const SessionState& before) {
  const SessionState& now = session_->state();
  if (now.rules == before.rules && now.tolerance == before.tolerance) return now.motions != before.motions;
  parked_.reset();
  makeOptions();
  return true;
}

}  // namespace fitup::viewer
