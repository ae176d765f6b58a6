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

#include <fitup/motion/replay.h>
#include <viewer/core/autosave.h>
#include <viewer/core/background_job.h>
#include <viewer/core/findings.h>
#include <viewer/core/query_runner.h>
#include <viewer/core/session.h>

namespace fitup::viewer {

/// How the assembly is checked while somebody works on it.
struct CheckSettings {
  QueryMode mode = QueryMode::allSurfacePairs;
  bool verdicts = false;  ///< on after opening a model whose parts all know their chord error
  bool distance = true;   ///< of what is selected or dragged to the nearest other part
  bool on = true;         ///< off: nothing is asked
  friend bool operator==(const CheckSettings&, const CheckSettings&) = default;
};

/// What clashes at the steps of a track.
struct ReplayedTrack {
  std::shared_ptr<const Track> track;
  std::vector<std::size_t> findings;  ///< pairs of surfaces by step
  std::vector<double> milliseconds;   ///< by step
};

/// The session that the window works on: opened, saved and replayed in the background, asked about whenever
/// something moves. At most one job runs at a time. GUI thread; the signals too.
class Document : public QObject {
  Q_OBJECT

 public:
  explicit Document(QObject* parent = nullptr);
  ~Document() override;

  /// Null as long as nothing is open.
  [[nodiscard]] Session* session() const noexcept { return session_.get(); }
  /// Of a file's kind, by what it is: a model, a project, a track. What fails is told by `failed` and changes
  /// nothing.
  void open(const std::filesystem::path& file);
  void saveProject(const std::filesystem::path& file, const Viewpoint& viewpoint);
  [[nodiscard]] const std::filesystem::path& projectFile() const noexcept { return projectFile_; }
  [[nodiscard]] bool isModified() const { return session_ && (restored_ || session_->isModified()); }
  /// The report of all parts where they are, with reviews; as soon as it is known.
  void exportReport(const std::filesystem::path& file);

  /// True while a job runs or a question has no answer.
  [[nodiscard]] bool isBusy() const { return job_ != nullptr || isChecking(); }
  [[nodiscard]] bool isChecking() const noexcept { return asked_ != answered_; }
  [[nodiscard]] bool hasJob() const noexcept { return job_ != nullptr; }
  /// The job ends soon and changes nothing.
  void cancelJob();

  [[nodiscard]] const std::set<NodeId>& selection() const noexcept { return selection_; }
  void select(std::set<NodeId> instances);

  // ---- live check ----

  [[nodiscard]] const CheckSettings& settings() const noexcept { return settings_; }
  void setSettings(const CheckSettings& settings);
  /// The last answer; its report is empty where nothing is known.
  [[nodiscard]] const LiveAnswer& answer() const noexcept { return answer_; }
  /// Asks about the session as it is, or a drag in it; returns the ticket.
  std::uint64_t ask(std::optional<DragGoal> drag = {});

  /// Of verdicts and of stopping at contact, in the assembly's unit: what the user has set, else, where parts
  /// come without a chord error, a length that fits their size. Unset: each pair's, from its chord errors.
  [[nodiscard]] std::optional<double> tolerance() const;

  // ---- motion ----

  /// Which track of the session the time line shows.
  [[nodiscard]] std::shared_ptr<const Track> track() const;
  void showTrack(std::size_t position);
  [[nodiscard]] std::size_t step() const noexcept { return step_; }
  /// Puts the track's instances where they are at a step.
  void goToStep(std::size_t step);
  /// Finds what clashes at each step, in the background.
  void replayTrack();
  [[nodiscard]] const std::optional<ReplayedTrack>& replayed() const noexcept { return replayed_; }
  void saveTrack(const std::filesystem::path& file);

  // ---- what is kept for after a crash ----

  /// Of this user and this program.
  static std::filesystem::path autosaveFolder();
  /// Newest first.
  [[nodiscard]] std::vector<Leftover> leftovers() const;
  void restore(const Leftover& leftover);
  /// Where the camera is, for projects that are saved by themselves.
  void setViewpoint(const Viewpoint& viewpoint) { viewpoint_ = viewpoint; }

 signals:
  /// Another model is open. `scene` as `ScenePresenter::show` takes it.
  void opened(const osg::ref_ptr<osg::Group>& scene, const std::optional<Project>& project);
  /// The old session goes away as soon as all have been told.
  void aboutToClose();
  void stateChanged();
  void selectionChanged();
  void answered();
  void trackChanged();
  void stepChanged();
  void jobChanged(const QString& what, double fraction);
  void jobEnded();
  void saved(const QString& file);
  void failed(const QString& message);

 private:
  struct Opening;
  void start(const QString& what, BackgroundJob::Work work, std::function<void()> then);
  void endJob(const std::string& error, const std::function<void()>& then);
  void open(const std::filesystem::path& file, const std::optional<Leftover>& leftover);
  void take(Opening& opening);
  void receive(std::uint64_t runner, LiveAnswer answer);
  void changed(const SessionState& before);
  void makeOptions();
  void autosave();

  std::unique_ptr<Session> session_;
  std::filesystem::path projectFile_;
  bool restored_ = false;
  std::set<NodeId> selection_;
  CheckSettings settings_;
  std::shared_ptr<const InterferenceOptions> options_;
  std::uint64_t runnerNumber_ = 0, asked_ = 0, answered_ = 0;
  LiveAnswer answer_;
  std::optional<std::filesystem::path> waitingReport_;
  std::optional<double> fallbackTolerance_;
  std::optional<std::size_t> trackPosition_;
  std::size_t step_ = 0;
  std::optional<ReplayedTrack> replayed_;
  std::optional<Viewpoint> viewpoint_;
  std::unique_ptr<Autosave> autosave_;
  QTimer autosaveTimer_;
  std::unique_ptr<QueryRunner> runner_;
  std::unique_ptr<BackgroundJob> job_;
};

}  // namespace fitup::viewer
