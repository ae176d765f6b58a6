#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <QObject>
#include <QString>
#include <QTimer>

#include <osg/Group>

#include <viewer/core/autosave.h>
#include <viewer/core/background_job.h>
#include <viewer/core/overall_progress.h>
#include <viewer/core/session.h>
#include <viewer/gui/length_unit.h>
#include <viewer/gui/live_check.h>
#include <viewer/gui/shown_motion.h>

namespace fitup::viewer {

struct OpenedModel;
struct OpenRequest;

/// The session of the window: opens, saves and reports it in the background, with its live check and the
/// shown motion. At most one job runs at a time. Functions and signals are for the GUI thread.
class Document : public QObject {
  Q_OBJECT

 public:
  explicit Document(QObject* parent = nullptr);
  ~Document() override;

  /// Null while nothing is open.
  [[nodiscard]] Session* session() const noexcept { return session_.get(); }
  /// Opens a model, a project or a motion, by the kind of file. `failed` reports errors, after which nothing
  /// has changed.
  void open(const std::filesystem::path& file) { openAll({file}); }
  /// Opens models as one assembly, or one project; motions follow, in their order. Stops at the first file
  /// that fails or is cancelled. `located` as in `OpenRequest`.
  void openAll(std::vector<std::filesystem::path> files, std::vector<std::filesystem::path> located = {});
  /// Reads the model's files again with other settings. The user's changes stay, but not the undo steps.
  void readAgain(const ImportSettings& settings);
  /// The folder that models may refer to, with everything below it (`ReadOptions::root`); unset: the folder
  /// of each file.
  void setRoot(std::optional<std::filesystem::path> root) { root_ = std::move(root); }
  /// The tolerance, in mm, of models that are opened from now on without a project; unset: that of their
  /// tessellation.
  void setDefaultTolerance(std::optional<double> millimetres) { defaultTolerance_ = millimetres; }
  [[nodiscard]] std::optional<double> defaultTolerance() const noexcept { return defaultTolerance_; }
  /// The unit in which the window shows and takes lengths. Files, and scripts with what they print, keep the
  /// model's.
  void setLengthUnitChoice(LengthUnitChoice choice);
  [[nodiscard]] LengthUnitChoice lengthUnitChoice() const noexcept { return lengthUnitChoice_; }
  /// That unit for the open model. Precondition: there is a session.
  [[nodiscard]] LengthUnit lengthUnit() const { return lengthUnitOf(*session_, lengthUnitChoice_); }
  /// Sets the question that is asked before an opened file replaces a modified session; unset: always yes.
  void setMayReplace(std::function<bool()> mayReplace) { mayReplace_ = std::move(mayReplace); }
  /// Overwrites any file, but the project's own file only if it is unchanged since it was last read or saved.
  /// `failed` reports errors, after which nothing has changed.
  void saveProject(const std::filesystem::path& file, const Viewpoint& viewpoint);
  /// Saves the project only over the expected version. Throws FileChangedError, and like `writeProject`.
  void saveProjectOver(const std::filesystem::path& file, const Viewpoint& viewpoint,
                       const FileVersion& expected);
  /// Returns the known version of a place for the project: of its own file, the version last read or saved;
  /// elsewhere, no file.
  [[nodiscard]] FileVersion knownVersion(const std::filesystem::path& file) const;
  [[nodiscard]] const std::filesystem::path& projectFile() const noexcept { return projectFile_; }
  [[nodiscard]] bool isModified() const { return session_ && (unsaved_ || session_->isModified()); }
  /// Exports the report of all parts in their placements, with reviews, when it is known. Judges exact shapes
  /// and measures depths that the check still lacks.
  void exportReport(const std::filesystem::path& file);

  [[nodiscard]] LiveCheck& check() noexcept { return check_; }
  [[nodiscard]] const LiveCheck& check() const noexcept { return check_; }
  [[nodiscard]] ShownMotion& motion() noexcept { return motion_; }
  [[nodiscard]] const ShownMotion& motion() const noexcept { return motion_; }

  /// True while a job runs or a question has no answer.
  [[nodiscard]] bool isBusy() const { return job_ != nullptr || check_.isChecking(); }
  [[nodiscard]] bool hasJob() const noexcept { return job_ != nullptr; }
  [[nodiscard]] bool isJobCancelled() const { return job_ && job_->cancelled(); }
  /// Runs `work` on another thread, then `then` on this one unless it failed or was cancelled. Reports by
  /// `failed` if another job runs.
  /// `overall` makes one progress of those of the job's phases; null: it has one phase.
  void startJob(const QString& what, BackgroundJob::Work work, std::function<void()> then,
                std::shared_ptr<OverallProgress> overall = {});
  /// Makes the job end soon, without any change.
  void cancelJob();

  [[nodiscard]] const std::set<NodeId>& selection() const noexcept { return selection_; }
  /// Selects instances; a face can be chosen if there is a single one.
  void select(std::set<NodeId> instances, std::optional<SurfaceId> face = {});
  /// The chosen face of the selected instance, if any.
  [[nodiscard]] const std::optional<SurfaceId>& face() const noexcept { return face_; }

  /// The section plane that commands and the panel change: an index in `SessionState::sections`; 0 if there
  /// is none.
  [[nodiscard]] std::size_t chosenSection() const;
  void chooseSection(std::size_t plane);

  // ---- autosave ----

  /// The folder of this user and this program.
  static std::filesystem::path autosaveFolder();
  /// Newest first.
  [[nodiscard]] std::vector<Leftover> leftovers() const;
  void restore(const Leftover& leftover, std::vector<std::filesystem::path> located = {});
  /// Stores unsaved work, with a recording that has not ended, for the next start of the program, which
  /// offers to restore it. For a program that ends without asking the user.
  void keepWork();
  /// Sets the camera's viewpoint for projects that are saved automatically.
  void setViewpoint(const Viewpoint& viewpoint) { viewpoint_ = viewpoint; }

 signals:
  /// Another model was opened. `scene` as for `ScenePresenter::show`.
  void opened(const osg::ref_ptr<osg::Group>& scene, const std::optional<Project>& project);
  /// The session's state moves to the newly read model after all listeners return. A listener with unfinished
  /// changes puts them into the session.
  void aboutToHandOver();
  /// Another session is about to replace the present one, of which nothing has changed yet.
  void aboutToReplace();
  /// The old session is deleted after all listeners return.
  void aboutToClose();
  void stateChanged();
  void selectionChanged();
  void faceChanged();
  void sectionChosen();
  void lengthUnitChanged();
  /// `fraction` of the whole job, which never decreases; negative: not known.
  void jobChanged(const QString& what, double fraction);
  void jobEnded();
  void saved(const QString& file);
  void failed(const QString& message);
  /// Something that users should know, but that ends no script.
  void warned(const QString& message);

 private:
  void endJob(const std::string& error, const std::function<void()>& then);
  void openNextTrack();
  void openModels(const OpenRequest& request);
  void openTrack(const std::filesystem::path& file);
  void warnOf(const Track& track);
  void take(OpenedModel& opened);
  void changed(const SessionState& before);
  void autosave();

  std::unique_ptr<Session> session_;
  std::filesystem::path projectFile_;
  FileVersion projectVersion_;  ///< version of that file when it was last read or saved
  bool unsaved_ = false;        ///< the opened session differs from the project's file
  std::function<bool()> mayReplace_;
  std::optional<std::filesystem::path> root_;
  std::optional<double> defaultTolerance_;
  LengthUnitChoice lengthUnitChoice_ = LengthUnitChoice::model;
  std::set<NodeId> selection_;
  std::optional<SurfaceId> face_;
  std::size_t chosenSection_ = 0;
  LiveCheck check_;
  ShownMotion motion_;
  std::vector<std::filesystem::path> waitingTracks_;  ///< to be opened; the next one is last
  std::optional<std::filesystem::path> waitingReport_;
  std::optional<Viewpoint> viewpoint_;
  std::unique_ptr<Autosave> autosave_;
  QTimer autosaveTimer_;
  std::unique_ptr<BackgroundJob> job_;
};

}  // namespace fitup::viewer
