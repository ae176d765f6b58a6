#include <viewer/gui/document.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <mutex>
#include <utility>

#include <QStandardPaths>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/base/version.h>
#include <fitup/io/report_file.h>
#include <fitup/io/report_pictures.h>
#include <fitup/io/track_file.h>
#include <fitup/scene/clash_depths.h>
#include <viewer/gui/opening.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

QString textOf(const std::filesystem::path& file) { return shown(file.filename().string()); }
QString textOf(std::span<const std::filesystem::path> files) { return shown(shortName(files)); }

/// Limits progress, which comes from any thread and very often, to a few reports per second.
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

std::filesystem::path Document::autosaveFolder() {
  return std::filesystem::path(
             QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation).toStdString()) /
         "autosave";
}

Document::Document(QObject* parent) : QObject(parent), motion_(*this) {
  try {
    autosave_ = std::make_unique<Autosave>(autosaveFolder());
  } catch (const Error&) {
    // Without a folder there is no autosave; everything else works.
  }
  autosaveTimer_.setSingleShot(true);
  autosaveTimer_.setInterval(2000);
  connect(&autosaveTimer_, &QTimer::timeout, this, &Document::autosave);
  connect(&check_, &LiveCheck::answered, this, [this] {
    if (waitingReport_ && !check_.isChecking()) exportReport(*std::exchange(waitingReport_, {}));
  });
}

Document::~Document() {
  job_.reset();
  check_.end();
}

void Document::startJob(const QString& what, BackgroundJob::Work work, std::function<void()> then,
                        std::shared_ptr<OverallProgress> overall) {
  if (job_) {
    emit failed(tr("%1: another task is still running. Cancel it first.").arg(what));
    return;
  }
  emit jobChanged(what, -1);
  auto throttle = std::make_shared<Throttle>();
  if (!overall) overall = std::make_shared<OverallProgress>();
  job_ = std::make_unique<BackgroundJob>(
      std::move(work),
      [this, then = std::move(then)](const std::string& error) {
        QMetaObject::invokeMethod(
            this, [this, error, then] { endJob(error, then); }, Qt::QueuedConnection);
      },
      [this, what, throttle, overall](std::string_view phase, double ofPhase) {
        const double fraction = overall->add(phase, ofPhase);
        if (!throttle->isDue()) return;
        const QString text = what + QStringLiteral(": ") + shown(phase);
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
  if (!cancelled && !error.empty()) emit failed(shown(error));
  if (cancelled || !error.empty()) waitingTracks_.clear();
  openNextTrack();
}

void Document::cancelJob() {
  if (job_) job_->cancel();
}

void Document::openAll(std::vector<std::filesystem::path> files, std::vector<std::filesystem::path> located) {
  if (files.empty()) return;
  const auto tracks =
      std::stable_partition(files.begin(), files.end(), [](const auto& file) { return !isTrackFile(file); });
  const std::vector<std::filesystem::path> models(files.begin(), tracks);
  if (models.size() > 1)
    if (const auto project = std::find_if(models.begin(), models.end(), isProjectFile);
        project != models.end()) {
      emit failed(tr("%1: a project cannot be opened together with other files").arg(textOf(*project)));
      return;
    }
  if (!job_)
    waitingTracks_.assign(std::make_reverse_iterator(files.end()), std::make_reverse_iterator(tracks));
  if (models.empty())
    return job_ ? openTrack(*tracks) : openNextTrack();  // a running job is an error, which it reports
  openModels({.files = models, .located = std::move(located), .tolerance = defaultTolerance_});
}

void Document::readAgain(const ImportSettings& settings) {
  if (!session_) return;
  OpenRequest request{.files = session_->modelFiles(), .importSettings = settings};
  auto opened = std::make_shared<OpenedModel>();
  startJob(
      tr("Reading %1 again").arg(textOf(request.files)),
      [=, root = root_](const Progress& progress) { *opened = openModel(request, root, progress); },
      [this, opened] {
        // In the present state, because changes made during the reading count too.
        emit aboutToHandOver();
        Project project = session_->project(viewpoint_);
        // The user wanted another model, so no message about it is needed. Its numbers may be in another unit
        // now, but are the same.
        project.modelHash.reset();
        for (Track& track : project.tracks) {
          track.modelHash.reset();
          if (track.unit == session_->assembly().unit()) track.unit = opened->session->assembly().unit();
        }
        opened->problems = opened->session->apply(project);
        opened->project = std::move(project);
        opened->projectFile = projectFile_;
        opened->projectVersion = projectVersion_;
        opened->unsaved = true;
        take(*opened);
      },
      progressOfOpening(request.files.size()));
}

void Document::openNextTrack() {
  if (job_ || waitingTracks_.empty()) return;
  const std::filesystem::path next = std::move(waitingTracks_.back());
  waitingTracks_.pop_back();
  openTrack(next);
  if (!job_) waitingTracks_.clear();  // it could not begin
}

void Document::restore(const Leftover& leftover, std::vector<std::filesystem::path> located) {
  openModels({{leftover.file}, leftover, std::move(located)});
}

void Document::openTrack(const std::filesystem::path& file) {
  if (!session_) {
    emit failed(tr("%1: first open the model that this motion belongs to").arg(textOf(file)));
    return;
  }
  auto opened = std::make_shared<OpenedMotion>();
  auto assembly = std::make_shared<const Assembly>(session_->assembly());
  startJob(
      tr("Opening %1").arg(textOf(file)),
      [file, opened, assembly](const Progress&) { *opened = openMotion(file, *assembly); },
      [this, opened] {
        session_->edit("Open track", [&](SessionState& state) { state.tracks.push_back(opened->track); });
        motion_.show(session_->state().tracks.size() - 1);
        warnOf(*opened->track);
        if (opened->isOfAnotherModel)
          emit failed(tr("Opened, but: the motion '%1' was recorded on another model")
                          .arg(shown(opened->track->name)));
      });
}

void Document::warnOf(const Track& track) {
  for (const std::string& warning : trackWarnings(track))
    emit warned(tr("The motion '%1': %2").arg(shown(track.name), shown(warning)));
}

void Document::openModels(const OpenRequest& request) {
  auto opened = std::make_shared<OpenedModel>();
  auto before = session_ ? std::make_shared<const SessionState>(session_->state()) : nullptr;
  startJob(
      tr("Opening %1").arg(textOf(request.files)),
      [=, root = root_](const Progress& progress) { *opened = openModel(request, root, progress); },
      [this, opened, leftover = request.leftover, before] {
        const bool changed = session_ && before && session_->state() != *before;
        if (changed && isModified() && mayReplace_ && !mayReplace_()) {
          waitingTracks_.clear();
          return;
        }
        take(*opened);
        if (leftover) Autosave::remove(*leftover);
      },
      progressOfOpening(request.files.size()));
}

void Document::take(OpenedModel& opening) {
  if (session_) emit aboutToReplace();
  emit aboutToClose();
  check_.end();
  session_ = std::move(opening.session);
  projectFile_ = opening.projectFile;
  projectVersion_ = opening.projectVersion;
  unsaved_ = opening.unsaved;
  selection_.clear();
  face_.reset();
  chosenSection_ = 0;
  waitingReport_.reset();
  if (opening.project && opening.project->viewpoint) viewpoint_ = opening.project->viewpoint;
  // Unsaved work always has an autosave.
  if (unsaved_)
    autosave();
  else if (autosave_)
    autosave_->clear();
  session_->setListener([this](const SessionState& before) { changed(before); });
  check_.begin(*session_);
  emit opened(opening.scene, opening.project);
  emit selectionChanged();
  motion_.reset();
  check_.ask();
  if (opening.project)
    for (const auto& track : session_->state().tracks) warnOf(*track);
  if (!opening.problems.empty()) {
    QString text = tr("Opened, but:");
    for (const std::string& problem : opening.problems) text += "\n" + shown(problem);
    emit failed(text);
  }
}

namespace {

bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  return std::filesystem::absolute(a).lexically_normal() == std::filesystem::absolute(b).lexically_normal();
}

}  // namespace

FileVersion Document::knownVersion(const std::filesystem::path& file) const {
  return !projectFile_.empty() && isSameFile(file, projectFile_) ? projectVersion_ : FileVersion{};
}

void Document::saveProject(const std::filesystem::path& file, const Viewpoint& viewpoint) {
  try {
    const bool isOwn = !projectFile_.empty() && isSameFile(file, projectFile_);
    saveProjectOver(file, viewpoint, isOwn ? projectVersion_ : versionAt(file));
  } catch (const Error& error) {
    emit failed(shown(error.what()));
  }
}

void Document::saveProjectOver(const std::filesystem::path& file, const Viewpoint& viewpoint,
                               const FileVersion& expected) {
  if (!session_) return;
  // With another extension it would be opened as another kind of file, and could overwrite the model.
  if (!isProjectFile(file))
    throw InputError("'" + file.string() + "': the name of a project must end in .fitup-project");
  projectVersion_ = writeProject(file, session_->project(viewpoint), expected);
  projectFile_ = std::filesystem::absolute(file);
  unsaved_ = false;
  session_->setSaved();
  autosaveTimer_.stop();
  if (autosave_) autosave_->clear();
  emit saved(QString::fromStdString(file.string()));
  emit stateChanged();
}

void Document::autosave() {
  if (!autosave_ || !session_ || !isModified()) return;
  try {
    autosave_->save(session_->project(viewpoint_), projectFile_, projectVersion_);
  } catch (const Error& error) {
    emit failed(tr("Autosave is off, so a crash would lose unsaved work: %1").arg(shown(error.what())));
    autosave_.reset();
  }
}

void Document::keepWork() {
  if (!autosave_ || !session_) return;
  emit aboutToHandOver();
  if (!isModified()) return;
  autosave();
  if (autosave_) autosave_->keep();
}

std::vector<Leftover> Document::leftovers() const {
  return autosave_ ? autosave_->leftovers() : std::vector<Leftover>{};
}

void Document::exportReport(const std::filesystem::path& file) {
  if (!session_) return;
  if (check_.isChecking()) {
    waitingReport_ = file;
    return;
  }
  if (!check_.answer().report) {
    emit failed(tr("There is no report because nothing is checked."));
    return;
  }
  auto model = std::make_shared<Model>(session_->model());
  ReportContext context;
  context.program = "fitup-viewer " + std::string(version);
  context.modelFile = joinedNames(session_->modelFiles());
  context.options = *check_.answer().options;
  if (context.options.verdict) context.options.verdict->regions = true;
  context.reviews = session_->state().reviews;
  context.poses = session_->poses();
  context.drawPictures = drawReportPictures;
  startJob(
      tr("Writing %1").arg(textOf(file)),
      [=, report = check_.answer().report, isOfTriangles = check_.answer().pairsOfTriangles > 0,
       scene = check_.scene()](const Progress& progress) {
        InterferenceReport deep;
        if (isOfTriangles) {
          InterferenceOptions options = context.options;
          options.threads = allCores;
          deep = checkAllPairs(scene, context.poses, options, progress);
        } else {
          deep = *report;
          if (context.options.verdict && needsDepths(deep))
            ClashDepths().measure(scene, context.poses, deep, *context.options.verdict, progress);
        }
        if (progress.cancelled()) return;
        writeReport(file, context, *model, deep, progress);
      },
      [this, file] { emit saved(QString::fromStdString(file.string())); },
      std::make_shared<OverallProgress>(
          std::vector<JobPhase>{{"checking pairs", 3}, {"depths", 2}, {"drawing pictures", 1}}));
}

std::size_t Document::chosenSection() const {
  const std::size_t count = session_ ? session_->state().sections.size() : 0;
  return count == 0 ? 0 : std::min(chosenSection_, count - 1);
}

void Document::chooseSection(std::size_t plane) {
  if (plane == chosenSection_) return;
  chosenSection_ = plane;
  emit sectionChosen();
}

void Document::setLengthUnitChoice(LengthUnitChoice choice) {
  if (choice == lengthUnitChoice_) return;
  lengthUnitChoice_ = choice;
  emit lengthUnitChanged();
}

void Document::select(std::set<NodeId> instances, std::optional<SurfaceId> face) {
  if (instances.size() != 1) face.reset();
  const bool faceDiffers = face != face_, instancesDiffer = instances != selection_;
  face_ = face;
  selection_ = std::move(instances);
  if (instancesDiffer) {
    emit selectionChanged();
    check_.measure(selection_);
  }
  if (faceDiffers) emit faceChanged();
}

void Document::changed(const SessionState& before) {
  const bool asks = check_.follow(before);
  motion_.follow(before);
  emit stateChanged();
  // A key must not move parts that are hidden.
  std::set<NodeId> selection = selection_;
  for (const NodeId node : session_->state().hidden)
    if (!before.hidden.contains(node)) selection.erase(node);
  if (selection != selection_) select(std::move(selection), face_);
  if (asks) check_.askAgain();
  if (!autosaveTimer_.isActive()) autosaveTimer_.start();
}

}  // namespace fitup::viewer
