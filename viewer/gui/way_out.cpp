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
  connect(&document_, &Document::stateChanged, this, &WayOut::follow);
  // The handles are those of what was chosen last.
  connect(&document_, &Document::selectionChanged, this, [this] { chooseGuide(std::nullopt); });
}

void WayOut::setSettings(const Settings& settings) {
  settings_ = settings;
  emit changed();
}

void WayOut::setParts(const std::set<NodeId>& parts) {
  std::vector<NodeId> sorted(parts.begin(), parts.end());
  if (sorted == parts_) return;
  cancelDrag();
  parts_ = std::move(sorted);
  chosenGuide_.reset();
  answer_.reset();
  track_.reset();
  chosen_.reset();
}

QString WayOut::name() const { return partsText(*document_.session(), parts_); }

void WayOut::search(const std::set<NodeId>& parts) {
  if (!document_.hasJob()) setParts(parts);
  searchAgain();
}

void WayOut::searchAgain() {
  const Session& session = *document_.session();
  cancelDrag();
  if (document_.hasJob())  // which says so
    return document_.startJob(tr("Looking for a way out"), {}, {});
  auto running = std::make_shared<Running>();
  running->question = wayOutQuestion(session, parts_, document_.check().tolerance(), settings_.withoutHidden);
  running->question.clearance = settings_.clearance;
  if (guides() != nullptr) askForGuides(running->question, *guides(), session);
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

const GuidePoints* WayOut::guides() const {
  if (document_.session() == nullptr) return nullptr;
  const GuidePoints& guides = document_.session()->state().guides;
  const bool isOfParts = std::ranges::equal(guides.from, parts_, {}, [](const auto& of) { return of.first; });
  return isOfParts && !guides.poses.empty() ? &guides : nullptr;
}

std::size_t WayOut::guideCount() const { return guides() != nullptr ? guides()->poses.size() : 0; }

/// Undo and redo may bring guide points of other parts, too.
void WayOut::follow() {
  if (document_.session() == nullptr) return;
  const GuidePoints& now = document_.session()->state().guides;
  if (now == lastGuides_) return;
  lastGuides_ = now;
  cancelDrag();
  if (!now.poses.empty() && !isSearching()) {
    std::set<NodeId> parts;
    for (const auto& [node, from] : now.from) parts.insert(node);
    setParts(parts);
  }
  if (chosenGuide_ && *chosenGuide_ >= guideCount()) chosenGuide_.reset();
  emit changed();
}

void WayOut::editGuides(const char* label, const std::function<void(GuidePoints&)>& change) {
  document_.session()->edit(label, [&](SessionState& state) {
    change(state.guides);
    if (state.guides.poses.empty()) state.guides = {};
  });
}

void WayOut::addGuide(const std::set<NodeId>& parts) {
  if (isSearching() || parts.empty()) return;
  cancelDrag();
  setParts(parts);
  const bool isFirst = guides() == nullptr;
  editGuides("Add a guide point", [&](GuidePoints& guides) {
    if (isFirst) {
      guides = {};
      for (const NodeId node : parts_) guides.from[node] = document_.session()->motionOf(node);
    }
    guides.poses.push_back(isFirst ? RigidMotion{} : guides.poses.back());
  });
  chooseGuide(guideCount() - 1);
}

void WayOut::chooseGuide(std::optional<std::size_t> guide) {
  if (guide && *guide >= guideCount()) guide.reset();
  if (guide == chosenGuide_) return;
  cancelDrag();
  chosenGuide_ = guide;
  emit changed();
}

void WayOut::moveGuide(const RigidMotion& by) {
  const std::size_t guide = chosenGuide_.value();
  const RigidMotion to = by * guides()->poses.at(guide);
  for (const auto& [node, from] : guides()->from) document_.session()->requireNear(node, to * from);
  editGuides("Move a guide point", [&](GuidePoints& guides) { guides.poses[guide] = to; });
}

void WayOut::removeGuide() {
  if (!chosenGuide_) return;
  const std::size_t guide = *chosenGuide_;
  editGuides("Remove a guide point", [&](GuidePoints& guides) {
    guides.poses.erase(guides.poses.begin() + static_cast<std::ptrdiff_t>(guide));
  });
  if (guideCount() > 0) chooseGuide(std::min(guide, guideCount() - 1));
}

void WayOut::removeGuides() {
  editGuides("Remove guide points", [](GuidePoints& guides) { guides.poses.clear(); });
}

/// An undo may have taken the guide point away, and not everyone knows of it yet.
bool WayOut::canMoveGuide() const {
  return isShown_ && chosenGuide_ && *chosenGuide_ < guideCount() && !isSearching();
}

std::vector<Poses> WayOut::shownGuides() const {
  std::vector<Poses> all;
  if (!isShown_ || guides() == nullptr) return all;
  GuidePoints shown = *guides();
  if (drag_ && canMoveGuide()) shown.poses.at(*chosenGuide_) = *drag_ * shown.poses.at(*chosenGuide_);
  for (std::size_t i = 0; i < shown.poses.size(); ++i)
    all.push_back(placedAt(shown, i, document_.session()->scene()));
  return all;
}

/// The middle of the parts where their guide points begin.
Vec3 WayOut::startCentre() const {
  Box box;
  const Assembly& assembly = document_.session()->assembly();
  for (const auto& [node, world] : placedAt({guides()->from, {{}}}, 0, document_.session()->scene()))
    box.extend(placedBox(world, assembly.meshOf(node).boundsInPart()));
  return box.centre();
}

Vec3 WayOut::guideCentre() const {
  const Vec3 centre = guides()->poses.at(*chosenGuide_).transform().apply(startCentre());
  return drag_ ? drag_->transform().apply(centre) : centre;
}

Vec3 WayOut::guideShift(std::size_t guide) const {
  const Vec3 start = startCentre();
  return guides()->poses.at(guide).transform().apply(start) - start;
}

void WayOut::beginDrag() { drag_.emplace(); }

void WayOut::dragTo(const RigidMotion& by) {
  if (!drag_) return;
  drag_ = by;
  emit guideDragged();
}

void WayOut::finishDrag() {
  if (!drag_) return;
  const RigidMotion by = *std::exchange(drag_, std::nullopt);
  try {
    moveGuide(by);
  } catch (const Error& error) {
    emit document_.failed(shown(error.what()));
  }
  emit guideDragged();
  emit dragEnded();
}

void WayOut::cancelDrag() {
  if (!drag_) return;
  drag_.reset();
  emit guideDragged();
  emit dragEnded();
}

// ---- what the view shows ----

void WayOut::setShown(bool shown) {
  if (shown == isShown_) return;
  if (!shown) cancelDrag();
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
  std::vector<Poses> guided = shownGuides();
  for (std::size_t i = 0; i < guided.size(); ++i)
    all.push_back({chosenGuide_ == i ? Ghost::Kind::chosen : Ghost::Kind::guide, std::move(guided[i])});
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
  cancelDrag();
  lastGuides_ = {};
  chosenGuide_.reset();
  answer_.reset();
  track_.reset();
  chosen_.reset();
  emit changed();
}

}  // namespace fitup::viewer
