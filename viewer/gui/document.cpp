#include <viewer/gui/document.h>

#include <chrono>
#include <cmath>
#include <mutex>
#include <utility>

#include <QStandardPaths>

#include <fitup/base/error.h>
#include <fitup/base/version.h>
#include <fitup/io/report_file.h>
#include <fitup/io/track_file.h>
#include <osgFitup/create_scene.h>
#include <viewer/core/posed_assembly.h>

namespace fitup::viewer {
namespace {

QString textOf(const std::filesystem::path& file) { return QString::fromStdString(file.filename().string()); }

/// The motions of all instances below what the track moves, at a step.
std::map<NodeId, RigidMotion> motionsAt(const Track& track, const Assembly& assembly, std::size_t step) {
  std::map<NodeId, RigidMotion> motions;
  const std::vector<MovedGroup> groups = resolve(track, assembly);
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (const NodeId node : groups[i].instances) motions[node] = track.steps.at(step).at(i);
  return motions;
}

/// A ten-thousandth of the diagonal, rounded down to a power of ten; nothing where all parts know how finely
/// they were tessellated.
std::optional<double> toleranceForMeshes(const Assembly& assembly) {
  bool known = true;
  Box all;
  for (const NodeId node : assembly.instances()) {
    known = known && assembly.part(*assembly.node(node).part).deflection();
    all.extend(assembly.worldBounds(node));
  }
  const double diagonal = 2 * norm(all.halfExtent());
  if (known || !(diagonal > 0)) return std::nullopt;
  return std::pow(10, std::floor(std::log10(diagonal * 1e-4)));
}

/// Progress comes from any thread and very often; the window hears of it a few times a second.
class Throttle {
 public:
  bool isDue() {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(60)) return false;
    last_ = now;
    return true;
  }

 private:
  std::mutex mutex_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace

struct Document::Opening {
  std::unique_ptr<Session> session;
  osg::ref_ptr<osg::Group> scene;
  std::optional<Project> project;
  std::filesystem::path projectFile;
  std::vector<std::string> problems;
  bool restored = false;
};

std::filesystem::path Document::autosaveFolder() {
  return std::filesystem::path(
             QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation).toStdString()) /
         "autosave";
}

Document::Document(QObject* parent) : QObject(parent) {
  try {
    autosave_ = std::make_unique<Autosave>(autosaveFolder());
  } catch (const Error&) {
    // Without a place for it, nothing is kept for after a crash; everything else works.
  }
  makeOptions();
  autosaveTimer_.setSingleShot(true);
  autosaveTimer_.setInterval(2000);
  connect(&autosaveTimer_, &QTimer::timeout, this, &Document::autosave);
}

Document::~Document() {
  job_.reset();
  runner_.reset();
}

void Document::start(const QString& what, BackgroundJob::Work work, std::function<void()> then) {
  if (job_) {
    emit failed(tr("%1 has to wait: something else is still being done. Cancel that first.").arg(what));
    return;
  }
  emit jobChanged(what, -1);
  auto throttle = std::make_shared<Throttle>();
  job_ = std::make_unique<BackgroundJob>(
      std::move(work),
      [this, then = std::move(then)](const std::string& error) {
        QMetaObject::invokeMethod(
            this, [this, error, then] { endJob(error, then); }, Qt::QueuedConnection);
      },
      [this, what, throttle](std::string_view phase, double fraction) {
        if (!throttle->isDue()) return;
        const QString text =
            what + QStringLiteral(": ") + QString::fromUtf8(phase.data(), static_cast<int>(phase.size()));
        QMetaObject::invokeMethod(
            this,
            [this, text, fraction] {
              if (job_) emit jobChanged(text, fraction);
            },
            Qt::QueuedConnection);
      });
}

void Document::endJob(const std::string& error, const std::function<void()>& then) {
  const bool cancelled = job_->cancelled();
  job_.reset();
  if (!cancelled && error.empty()) then();
  emit jobEnded();
  if (!cancelled && !error.empty()) emit failed(QString::fromStdString(error));
}

void Document::cancelJob() {
  if (job_) job_->cancel();
}

void Document::open(const std::filesystem::path& file) { open(file, std::nullopt); }

void Document::restore(const Leftover& leftover) { open(leftover.file, leftover); }

void Document::open(const std::filesystem::path& file, const std::optional<Leftover>& leftover) {
  // A track is JSON or CSV; so is no model.
  if (file.extension() == ".json" || file.extension() == ".csv") {
    if (!session_) {
      emit failed(tr("%1: open the model first that this motion belongs to").arg(textOf(file)));
      return;
    }
    auto track = std::make_shared<Track>();
    auto assembly = std::make_shared<const Assembly>(session_->assembly());
    start(
        tr("Opening %1").arg(textOf(file)),
        [file, track, assembly](const Progress&) {
          *track = readTrack(file);
          if (track->steps.empty()) throw InputError(file.string(), "steps", "there are none");
          resolve(*track, *assembly);
          if (track->name.empty()) track->name = file.stem().string();
        },
        [this, track] {
          session_->edit("Open track", [&](SessionState& state) { state.tracks.push_back(track); });
          showTrack(session_->state().tracks.size() - 1);
        });
    return;
  }
  auto opening = std::make_shared<Opening>();
  const auto work = [file, leftover, opening](const Progress& progress) {
    std::filesystem::path model = std::filesystem::absolute(file);
    ReadOptions options;
    if (file.extension() == ".fitup-project") {
      opening->project = readProject(file);
      opening->projectFile = leftover ? leftover->original : model;
      opening->restored = leftover.has_value();
      model = opening->project->model;
      options.linearDeflection = opening->project->linearDeflection;
      options.angularDeflection = opening->project->angularDeflection;
      options.unit = opening->project->unit;
    }
    Model read = readAssembly(model, options, progress);
    if (read.assembly.instances().empty()) throw InputError(model.string(), "", "has no parts");
    opening->session = std::make_unique<Session>(std::move(read), model, options, progress);
    if (progress.cancelled()) return;
    if (opening->project) opening->problems = opening->session->apply(*opening->project);
    opening->scene = osgFitup::createScene(opening->session->assembly(), opening->session->collisionModels(),
                                           {}, progress);
  };
  start(tr("Opening %1").arg(textOf(file)), work, [this, opening, leftover] {
    take(*opening);
    if (leftover) Autosave::remove(*leftover);
  });
}

void Document::take(Opening& opening) {
  emit aboutToClose();
  runner_.reset();
  session_ = std::move(opening.session);
  projectFile_ = opening.projectFile;
  restored_ = opening.restored;
  selection_.clear();
  answer_ = {};
  asked_ = answered_ = 0;
  waitingReport_.reset();
  step_ = 0;
  replayed_.reset();
  trackPosition_.reset();
  if (!session_->state().tracks.empty()) trackPosition_ = 0;
  if (autosave_) autosave_->clear();
  fallbackTolerance_ = toleranceForMeshes(session_->assembly());
  // Mated faces of CAD assemblies touch everywhere: a bare list of intersections would drown what matters.
  settings_.verdicts = !fallbackTolerance_;
  makeOptions();
  session_->setListener([this](const SessionState& before) { changed(before); });
  const std::uint64_t number = ++runnerNumber_;
  runner_ = std::make_unique<QueryRunner>(
      session_->assembly(), session_->collisionModels(), [this, number](LiveAnswer answer) {
        QMetaObject::invokeMethod(
            this, [this, number, answer = std::move(answer)] { receive(number, answer); },
            Qt::QueuedConnection);
      });
  emit opened(opening.scene, opening.project);
  emit selectionChanged();
  emit trackChanged();
  ask();
  if (restored_) autosaveTimer_.start();
  if (!opening.problems.empty()) {
    QString text = tr("Opened, but:");
    for (const std::string& problem : opening.problems) text += "\n" + QString::fromStdString(problem);
    emit failed(text);
  }
}

void Document::saveProject(const std::filesystem::path& file, const Viewpoint& viewpoint) {
  if (!session_) return;
  try {
    writeProject(file, session_->project(viewpoint));
  } catch (const Error& error) {
    emit failed(QString::fromStdString(error.what()));
    return;
  }
  projectFile_ = std::filesystem::absolute(file);
  restored_ = false;
  session_->setSaved();
  autosaveTimer_.stop();
  if (autosave_) autosave_->clear();
  emit saved(QString::fromStdString(file.string()));
  emit stateChanged();
}

void Document::autosave() {
  if (!autosave_ || !session_ || !isModified()) return;
  try {
    autosave_->save(session_->project(viewpoint_), projectFile_);
  } catch (const Error& error) {
    emit failed(tr("Nothing is kept for after a crash: %1").arg(QString::fromStdString(error.what())));
    autosave_.reset();
  }
}

std::vector<Leftover> Document::leftovers() const {
  return autosave_ ? autosave_->leftovers() : std::vector<Leftover>{};
}

void Document::exportReport(const std::filesystem::path& file) {
  if (!session_) return;
  if (isChecking()) {
    waitingReport_ = file;
    return;
  }
  if (!answer_.report) {
    emit failed(tr("There is no report: nothing is checked."));
    return;
  }
  auto model = std::make_shared<Model>(session_->model());
  PosedAssembly posed(session_->assembly());
  PosedAssembly::Placements placements;
  for (const InstanceMove& move : session_->placements()) placements[move.instance] = move.worldFromPart;
  posed.place(placements);
  model->assembly = posed.assembly();
  ReportContext context;
  context.program = "fitup-viewer " + std::string(version);
  context.modelFile = session_->modelFile().string();
  context.options = *options_;
  context.reviews = session_->state().reviews;
  start(
      tr("Writing %1").arg(textOf(file)),
      [=, report = answer_.report](const Progress& progress) {
        writeReport(file, context, *model, *report, progress);
      },
      [this, file] { emit saved(QString::fromStdString(file.string())); });
}

void Document::select(std::set<NodeId> instances) {
  if (instances == selection_) return;
  selection_ = std::move(instances);
  emit selectionChanged();
  if (settings_.distance) ask();
}

void Document::setSettings(const CheckSettings& settings) {
  if (settings == settings_) return;
  settings_ = settings;
  makeOptions();
  ask();
}

void Document::makeOptions() {
  InterferenceOptions options;
  options.request.mode = settings_.mode;
  if (session_) options.rules = session_->state().rules;
  if (settings_.verdicts) {
    options.verdict.emplace();
    options.verdict->regions = false;
    options.verdict->tolerance = tolerance();
  }
  options_ = std::make_shared<const InterferenceOptions>(std::move(options));
}

std::optional<double> Document::tolerance() const {
  if (session_ && session_->state().tolerance) return session_->state().tolerance;
  return fallbackTolerance_;
}

std::uint64_t Document::ask(std::optional<DragGoal> drag) {
  if (!runner_) return 0;
  if (!settings_.on && !drag) {
    answer_ = {};
    asked_ = answered_ = 0;
    emit answered();
    return 0;
  }
  LiveQuestion question;
  question.options = options_;
  question.placements = session_->placements();
  question.measureDistance = settings_.distance;
  question.measured.assign(selection_.begin(), selection_.end());
  question.drag = std::move(drag);
  return asked_ = runner_->ask(std::move(question));
}

void Document::receive(std::uint64_t runner, LiveAnswer answer) {
  if (runner != runnerNumber_ || answer.ticket > asked_) return;
  answered_ = answer.ticket;
  answer_ = std::move(answer);
  emit answered();
  if (waitingReport_ && !isChecking()) exportReport(*std::exchange(waitingReport_, {}));
}

void Document::changed(const SessionState& before) {
  const SessionState& now = session_->state();
  bool asks = now.motions != before.motions;
  if (now.rules.rules.size() != before.rules.rules.size() || now.tolerance != before.tolerance ||
      now.rules.check.has_value() != before.rules.check.has_value()) {
    makeOptions();
    asks = true;
  }
  if (now.tracks != before.tracks) {
    if (trackPosition_ && *trackPosition_ >= now.tracks.size()) trackPosition_.reset();
    if (!trackPosition_ && !now.tracks.empty()) trackPosition_ = now.tracks.size() - 1;
    if (replayed_ && replayed_->track != track()) replayed_.reset();
    emit trackChanged();
  }
  emit stateChanged();
  if (asks) ask();
  if (!autosaveTimer_.isActive()) autosaveTimer_.start();
}

std::shared_ptr<const Track> Document::track() const {
  if (!session_ || !trackPosition_) return nullptr;
  return session_->state().tracks.at(*trackPosition_);
}

void Document::showTrack(std::size_t position) {
  trackPosition_ = position;
  step_ = 0;
  if (replayed_ && replayed_->track != track()) replayed_.reset();
  emit trackChanged();
}

void Document::goToStep(std::size_t step) {
  const auto shown = track();
  if (!shown || step >= shown->steps.size()) return;
  step_ = step;
  try {
    const auto motions = motionsAt(*shown, session_->assembly(), step);
    session_->edit(
        "Go to a step of the motion",
        [&](SessionState& state) {
          for (const auto& [node, motion] : motions) state.motions[node] = motion;
        },
        "step");
  } catch (const Error& error) {
    emit failed(QString::fromStdString(error.what()));
  }
  emit stepChanged();
}

void Document::replayTrack() {
  const auto shown = track();
  if (!shown) return;
  auto result = std::make_shared<ReplayedTrack>(ReplayedTrack{shown, {}, {}});
  auto model = std::make_shared<const Model>(session_->model());
  ReplayOptions options;
  options.interference = *options_;
  options.interference.verdict.reset();
  options.interference.request.mode = QueryMode::allSurfacePairs;
  start(
      tr("Replaying %1").arg(QString::fromStdString(shown->name)),
      [=](const Progress& progress) {
        const ReplayReport report =
            replay(model->assembly, model->collisionModels, *shown, options, progress);
        for (const ReplayStep& step : report.steps) {
          std::size_t count = 0;
          for (const PairInterference& pair : step.interference.pairs)
            count += pair.report.surfacePairs.size();
          result->findings.push_back(count);
          result->milliseconds.push_back(step.interference.milliseconds);
        }
      },
      [this, result] {
        replayed_ = *result;
        emit trackChanged();
      });
}

void Document::saveTrack(const std::filesystem::path& file) {
  const auto shown = track();
  if (!shown) return;
  try {
    writeTrack(file, *shown);
    emit saved(QString::fromStdString(file.string()));
  } catch (const Error& error) {
    emit failed(QString::fromStdString(error.what()));
  }
}

}  // namespace fitup::viewer
