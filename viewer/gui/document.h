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
#include <viewer/core/session.h>
#include <viewer/gui/live_check.h>
#include <viewer/gui/shown_motion.h>

namespace fitup::viewer {

struct OpenedModel;
struct OpenRequest;

/// The session that the window works on: opened, saved and reported in the background, with its live check
/// and the motion that is shown. At most one job runs at a time. GUI thread; the signals too.
class Document : public QObject {
  Q_OBJECT

 public:
  explicit Document(QObject* parent = nullptr);
  ~Document() override;

  /// Null as long as nothing is open.
  [[nodiscard]] Session* session() const noexcept { return session_.get(); }
  /// A model, a project or a motion, by what the file is. What fails is reported by `failed` and changes
  /// nothing.
  void open(const std::filesystem::path& file) { openAll({file}); }
  /// Models as one assembly, or one project; motions after them, in their order. The first that fails or is
  /// cancelled is the last. `located` as in `OpenRequest`.
  void openAll(std::vector<std::filesystem::path> files, std::vector<std::filesystem::path> located = {});
  /// Reads the model's files again with other settings. What was made of it stays, but for undo.
  void readAgain(const ImportSettings& settings);
  /// Folder that models may refer to with all below it (`ReadOptions::root`); unset: each file's own.
  void setRoot(std::optional<std::filesystem::path> root) { root_ = std::move(root); }
  /// Asked before what has been opened takes the place of a session that was changed since it was begun;
  /// unset: always yes.
  void setMayReplace(std::function<bool()> mayReplace) { mayReplace_ = std::move(mayReplace); }
  /// Over whatever lies there, but for the project's own file: that has to be as it was read or saved last.
  /// What fails is reported by `failed` and changes nothing.
  void saveProject(const std::filesystem::path& file, const Viewpoint& viewpoint);
  /// The same, but only over what is expected there. Throws FileChangedError, and as `writeProject`.
  void saveProjectOver(const std::filesystem::path& file, const Viewpoint& viewpoint,
                       const FileVersion& expected);
  /// What is known of a place where the project may be saved: the version of its own file that was read or
  /// saved last; elsewhere that there is no file.
  [[nodiscard]] FileVersion knownVersion(const std::filesystem::path& file) const;
  [[nodiscard]] const std::filesystem::path& projectFile() const noexcept { return projectFile_; }
  [[nodiscard]] bool isModified() const { return session_ && (unsaved_ || session_->isModified()); }
  /// The report of all parts where they are, with reviews; as soon as it is known.
  void exportReport(const std::filesystem::path& file);

  [[nodiscard]] LiveCheck& check() noexcept { return check_; }
  [[nodiscard]] const LiveCheck& check() const noexcept { return check_; }
  [[nodiscard]] ShownMotion& motion() noexcept { return motion_; }
  [[nodiscard]] const ShownMotion& motion() const noexcept { return motion_; }

  /// True while a job runs or a question has no answer.
  [[nodiscard]] bool isBusy() const { return job_ != nullptr || check_.isChecking(); }
  [[nodiscard]] bool hasJob() const noexcept { return job_ != nullptr; }
  [[nodiscard]] bool isJobCancelled() const { return job_ && job_->cancelled(); }
  /// Runs `work` on another thread, then `then` on this one unless it failed or was cancelled. Fails,
  /// reported by `failed`, while another job runs.
  void startJob(const QString& what, BackgroundJob::Work work, std::function<void()> then);
  /// The job ends soon and changes nothing.
  void cancelJob();

  [[nodiscard]] const std::set<NodeId>& selection() const noexcept { return selection_; }
  /// A face can be chosen of a single instance.
  void select(std::set<NodeId> instances, std::optional<SurfaceId> face = {});
  /// Of the selected instance; nothing unless it was chosen.
  [[nodiscard]] const std::optional<SurfaceId>& face() const noexcept { return face_; }

  // ---- what is kept for after a crash ----

  /// Of this user and this program.
  static std::filesystem::path autosaveFolder();
  /// Newest first.
  [[nodiscard]] std::vector<Leftover> leftovers() const;
  void restore(const Leftover& leftover, std::vector<std::filesystem::path> located = {});
  /// Where the camera is, for projects that are saved by themselves.
  void setViewpoint(const Viewpoint& viewpoint) { viewpoint_ = viewpoint; }

 signals:
  /// Another model is open. `scene` as `ScenePresenter::show` takes it.
  void opened(const osg::ref_ptr<osg::Group>& scene, const std::optional<Project>& project);
  /// What is made of the model goes over to the one that was read again as soon as all have been notified:
  /// who has something under way puts it into the session.
  void aboutToHandOver();
  /// The old session goes away as soon as all have been notified.
  void aboutToClose();
  void stateChanged();
  void selectionChanged();
  void faceChanged();
  void jobChanged(const QString& what, double fraction);
  void jobEnded();
  void saved(const QString& file);
  void failed(const QString& message);

 private:
  void endJob(const std::string& error, const std::function<void()>& then);
  void openNextTrack();
  void openModels(const OpenRequest& request);
  void openTrack(const std::filesystem::path& file);
  void take(OpenedModel& opened);
  void changed(const SessionState& before);
  void autosave();

  std::unique_ptr<Session> session_;
  std::filesystem::path projectFile_;
  FileVersion projectVersion_;  ///< of that file when it was read or saved last
  bool unsaved_ = false;        ///< what was opened differs from the project's file
  std::function<bool()> mayReplace_;
  std::optional<std::filesystem::path> root_;
  std::set<NodeId> selection_;
  std::optional<SurfaceId> face_;
  LiveCheck check_;
  ShownMotion motion_;
  std::vector<std::filesystem::path> waitingTracks_;  ///< to be opened, the next one last
  std::optional<std::filesystem::path> waitingReport_;
  std::optional<Viewpoint> viewpoint_;
  std::unique_ptr<Autosave> autosave_;
  QTimer autosaveTimer_;
  std::unique_ptr<BackgroundJob> job_;
};

}  // namespace fitup::viewer
