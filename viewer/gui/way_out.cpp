#include <viewer/gui/way_out.h>

#include <algorithm>
#include <limits>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/io/track_file.h>
#include <fitup/planning/tree_search.h>
#include <viewer/gui/document.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/way_out_text.h>

namespace fitup::viewer {

WayOut::WayOut(Document& document) : document_(document) {
  constexpr int milliseconds = 100;
  tick_.setInterval(milliseconds);
  connect(&tick_, &QTimer::timeout, this, &WayOut::sighted);
  connect(&document_, &Document::jobEnded, this, &WayOut::ended);
  connect(&document_, &Document::aboutToClose, this, &WayOut::reset);
}

void WayOut::setSettings(const Settings& settings) {
  settings_ = settings;
  emit changed();
}

void WayOut::setParts(const std::set<NodeId>& parts) {
  std::vector<NodeId> sorted(parts.begin(), parts.end());
  if (sorted == parts_) return;
  parts_ = std::move(sorted);
  guides_.clear();
  guidesFrom_.reset();
  answer_.reset();
  track_.reset();
  chosen_.reset();
}

QString WayOut::name() const { return partsText(*document_.session(), parts_); }

void WayOut::search(const std::set<NodeId>& parts) {
  if (!document_.hasJob()) {
    if (placing_) cancelGuide();
    setParts(parts);
  }
  searchAgain();
}

void WayOut::searchAgain() {
  const Session& session = *document_.session();
  if (placing_) cancelGuide();
  if (document_.hasJob())  // which says so
    return document_.startJob(tr("Looking for a way out"), {}, {});
  auto running = std::make_shared<Running>();
  running->question = wayOutQuestion(session, parts_, document_.check().tolerance(), settings_.withoutHidden);
  running->question.clearance = settings_.clearance;
  if (!guides_.empty()) {
    // Guide points stay where they are in the world, wherever the parts have come since.
    const RigidMotion since = motionSince(*guidesFrom_, session);
    for (const RigidMotion& guide : guides_) running->question.guides.push_back(guide * inverse(since));
  }
  RemovalOptions options;
  options.clearance = settings_.clearance;
  options.tolerance = running->question.tolerance;
  options.rules = running->question.rules;
  options.guides = running->question.guides;
  if (hasTreeSearch()) options.search = treeSearch();
  options.searches = 2;
  options.maxWork = std::numeric_limits<std::size_t>::max();  // the time is the limit
  const std::chrono::duration<double> budget(settings_.seconds);
  options.limits.timeBudget = std::chrono::duration_cast<std::chrono::nanoseconds>(budget);
  options.watch = [shared = running.get()](const RemovalSight& sight) {
    const std::lock_guard lock(shared->mutex);
    shared->sight = sight;
  };
  answer_.reset();
  track_.reset();
  chosen_.reset();
  running_ = running;
  clock_.start();
  tick_.start();
  document_.startJob(
      tr("Looking for a way out of %1").arg(name()),
      [running, options, budget, scene = document_.check().scene()](const Progress& progress) {
        const std::stop_callback cancel(progress.stopToken(), [&] { running->stop.request_stop(); });
        const auto began = std::chrono::steady_clock::now();
        // The search does not know how much is left of it, but its time is limited.
        const Progress ofTime(running->stop.get_token(), [&](std::string_view, double) {
          const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
          progress.report("searching", std::min(1.0, spent / budget));
        });
        const WayOutQuestion& question = running->question;
        running->report = findRemoval(scene, question.poses, question.moved, options, ofTime);
        running->isComplete = true;
      },
      [] {});
  emit changed();
}

void WayOut::stop() {
  if (running_) running_->stop.request_stop();
}

void WayOut::ended() {
  if (!running_) return;
  const std::shared_ptr<Running> ended = std::exchange(running_, nullptr);
  tick_.stop();
  if (ended->isComplete) {
    Answer& answer = answer_.emplace();
    answer.question = std::move(ended->question);
    answer.report = std::move(ended->report);
    answer.clues = cluesOf(answer.report, answer.question.moved);
    answer.isStopped = ended->stop.stop_requested() && answer.report.status == ReportStatus::cancelled;
    // A way on which the end of the time has broken off is none yet.
    const RemovalReport& report = answer.report;
    const bool isKnown = report.answer == RemovalAnswer::certain || report.status == ReportStatus::complete;
    if (report.way && isKnown && report.length > report.way->resolution) {
      Track track = report.way->certificate.track;
      track.name = tr("way out of %1").arg(name()).toStdString();
      track_ = std::make_shared<const Track>(std::move(track));
    }
  }
  emit changed();
}

std::optional<RemovalSight> WayOut::sight() const {
  if (!running_) return std::nullopt;
  const std::lock_guard lock(running_->mutex);
  return running_->sight;
}

double WayOut::elapsed() const { return running_ ? static_cast<double>(clock_.elapsed()) / 1000 : 0; }

bool WayOut::isStale() const {
  return answer_ && document_.session() != nullptr &&
         viewer::isStale(answer_->question, *document_.session(), document_.check().tolerance());
}

bool WayOut::isAccepted() const {
  if (!track_ || document_.session() == nullptr) return false;
  const auto& tracks = document_.session()->state().tracks;
  return std::ranges::find(tracks, track_) != tracks.end();
}

Box WayOut::bounds() const {
  const Assembly& assembly = document_.session()->assembly();
  Box box;
  for (std::size_t step = 0; step < track_->steps.size(); ++step)
    for (const auto& [node, motion] : motionsAt(*track_, assembly, step))
      box.extend(placedBox(motion.transform() * document_.session()->scene().designPlacement(node),
                           assembly.meshOf(node).boundsInPart()));
  return box;
}

void WayOut::accept() {
  if (!isAccepted())
    document_.session()->edit("Accept a way out",
                              [&](SessionState& state) { state.tracks.push_back(track_); });
  const auto& tracks = document_.session()->state().tracks;
  document_.motion().show(static_cast<std::size_t>(std::ranges::find(tracks, track_) - tracks.begin()));
  emit changed();
}

void WayOut::save(const std::filesystem::path& file) {
  try {
    if (!track_) throw InputError("there is no way out: look for one first");
    writeTrack(file, *track_);
    emit document_.saved(QString::fromStdString(file.string()));
  } catch (const Error& error) {
    emit document_.failed(shown(error.what()));
  }
}

void WayOut::choose(std::optional<std::size_t> clue) {
  if (clue && (!answer_ || *clue >= answer_->clues.size())) clue.reset();
  if (clue == chosen_) return;
  chosen_ = clue;
  emit changed();
}

const WayOutClue* WayOut::chosen() const {
  return answer_ && chosen_ ? &answer_->clues.at(*chosen_) : nullptr;
}

// ---- guide points ----

void WayOut::beginGuide(const std::set<NodeId>& parts) {
  if (placing_ || isSearching() || parts.empty()) return;
  setParts(parts);
  placing_ = wayOutQuestion(*document_.session(), parts_, {}, false);
  document_.select(parts);
  emit changed();
}

void WayOut::takeGuide() {
  if (!placing_) return;
  const Session& session = *document_.session();
  if (motionSince(*placing_, session) == RigidMotion{})
    throw InputError("the parts have not been moved to a guide point yet");
  const RigidMotion guide = motionSince(guidesFrom_ ? *guidesFrom_ : *placing_, session);
  if (!guidesFrom_) guidesFrom_ = placing_;
  guides_.push_back(guide);
  moveBack();
}

void WayOut::cancelGuide() {
  if (placing_) moveBack();
}

void WayOut::moveBack() {
  const WayOutQuestion from = *std::exchange(placing_, std::nullopt);
  document_.session()->edit("Place a guide point", [&](SessionState& state) {
    for (const auto& [node, motion] : from.from) setMotion(state, node, motion);
  });
  emit changed();
}

void WayOut::removeGuide(std::size_t guide) {
  if (guide >= guides_.size()) return;
  guides_.erase(guides_.begin() + static_cast<std::ptrdiff_t>(guide));
  if (guides_.empty()) guidesFrom_.reset();
  emit changed();
}

void WayOut::removeGuides() {
  guides_.clear();
  guidesFrom_.reset();
  emit changed();
}

// ---- what the view shows ----

void WayOut::setShown(bool shown) {
  if (shown == isShown_) return;
  isShown_ = shown;
  emit changed();
}

Poses WayOut::moved(const WayOutQuestion& from, const RigidMotion& by) const {
  Poses at;
  for (const NodeId node : from.moved)
    at.set(node, by.transform() * document_.session()->scene().worldFromPart(node, from.poses));
  return at;
}

std::vector<WayOut::Ghost> WayOut::ghosts() const {
  std::vector<Ghost> all;
  if (!isShown_ || document_.session() == nullptr) return all;
  if (guidesFrom_)
    for (const RigidMotion& guide : guides_) all.push_back({Ghost::Kind::guide, moved(*guidesFrom_, guide)});
  if (placing_) all.push_back({Ghost::Kind::start, moved(*placing_, {})});
  if (const auto seen = sight()) all.push_back({Ghost::Kind::sight, moved(running_->question, seen->pose)});
  if (const WayOutClue* clue = chosen(); clue != nullptr && clue->stop)
    all.push_back({Ghost::Kind::stop, moved(answer_->question, *clue->stop)});
  return all;
}

void WayOut::reset() {
  stop();
  running_.reset();
  tick_.stop();
  parts_.clear();
  guides_.clear();
  guidesFrom_.reset();
  placing_.reset();
  answer_.reset();
  track_.reset();
  chosen_.reset();
  emit changed();
}

}  // namespace fitup::viewer
