#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>

#include <QObject>

#include <fitup/motion/live_session.h>
#include <viewer/core/session.h>

namespace fitup::viewer {

/// Settings of the check while the user works.
struct CheckSettings {
  QueryMode mode = QueryMode::allSurfacePairs;
  HierarchyKind hierarchy = HierarchyKind::wide;  ///< the models must carry it
  OverlapBoxSetting overlapBox = OverlapBoxSetting::on;
  bool verdicts = false;  ///< turned on after opening a model whose parts all know their chord error
  bool distance = true;   ///< from what is selected or dragged to the nearest other part
  /// With verdicts and a tolerance of the user's: those of the exact shapes, once nothing moves.
  bool exactShapes = true;
  bool on = true;     ///< false: nothing is checked
  bool mates = true;  ///< offered for what is selected or dragged
  friend bool operator==(const CheckSettings&, const CheckSettings&) = default;
};

/// The live check of a session: asks whenever something moves, and keeps the last answer. Functions and
/// signals are for the GUI thread.
class LiveCheck : public QObject {
  Q_OBJECT

 public:
  explicit LiveCheck(QObject* parent = nullptr);
  /// Waits for the current answer.
  ~LiveCheck() override;

  /// Starts to check this session, which must outlive the check or live until `end`.
  void begin(const Session& session);
  void end();

  /// Uses other models of the session's parts, which carry more kinds of hierarchy. Asks nothing.
  void useScene(const Scene& scene);
  [[nodiscard]] const Scene& scene() const noexcept { return scene_; }
  [[nodiscard]] bool carries(HierarchyKind kind) const;
  [[nodiscard]] const CheckSettings& settings() const noexcept { return settings_; }
  /// Asks again if they have changed.
  void setSettings(const CheckSettings& settings);
  /// The options of the checks.
  [[nodiscard]] const std::shared_ptr<const InterferenceOptions>& options() const noexcept {
    return options_;
  }
  /// The tolerance of verdicts and of stopping at contact, in the assembly's unit: the user's choice, or, if
  /// parts lack a chord error, a length that fits their size. Unset: that of each pair, from its chord
  /// errors; once nothing moves, from those of the faces that are near each other.
  [[nodiscard]] std::optional<double> tolerance() const;
  /// Sets the instances whose distance to the nearest other one is wanted while nothing is dragged.
  void measure(const std::set<NodeId>& instances);
  /// Sets how far parts may be from their mates in the next questions, within a share of their size: what
  /// looks near in the picture.
  void setMateReach(double world) { mateReach_ = world; }

  /// Asks about the session as it is, or about a drag in it; returns the ticket. Later questions, after other
  /// settings or other parts to measure, stay within the drag until the session itself is asked about.
  std::uint64_t ask(std::optional<DragGoal> drag = {});
  /// Asks the same question again, because something else has changed.
  void askAgain() { ask(drag_); }
  /// Makes the next question one about the session as it is.
  void endDrag() { drag_.reset(); }
  /// True while a question has no answer.
  [[nodiscard]] bool isChecking() const noexcept { return asked_ != answered_; }
  /// True while more depths of the last answer's clashes may become known: while nothing is dragged and no
  /// question is open.
  [[nodiscard]] bool isMeasuringDepths() const noexcept { return answer_.depthsFollow; }
  /// True while the exact shapes of the last answer's pairs are judged. Newer answers to the same question
  /// then come by `answered`.
  [[nodiscard]] bool isCatchingUp() const noexcept { return answer_.catchesUp; }
  /// The share of the pairs that had to be judged so and were, in 0 ... 1.
  [[nodiscard]] double shareCaughtUp() const noexcept;
  /// Leaves the verdicts that are still those of the triangles as they are, until the next question.
  void stopCatchingUp();
  /// The last answer; its report is empty if nothing is known.
  [[nodiscard]] const LiveAnswer& answer() const noexcept { return answer_; }

  /// Applies a change of the session to the check. Returns true if a new question is needed.
  bool follow(const SessionState& before);

 signals:
  /// A question was asked, and no report is known.
  void asked();
  /// There is another answer, or the last one has caught up further.
  void answered();
  /// The answer's report has more depths than before.
  void depthsFound();
  /// The mates that the dragged parts, or the selected ones after a drag, could form in their placements;
  /// never empty.
  void matesFound(const std::vector<fitup::MateSuggestion>& mates);
  void settingsChanged();

 private:
  /// The worker of other settings and its last answer, complete and at rest. If the user returns to these
  /// settings, nothing that has not changed in the meantime is checked again.
  struct Parked {
    std::unique_ptr<LiveSession> runner;
    std::uint64_t runnerId = 0, asked = 0;  ///< questions that the worker was asked
    CheckSettings settings;
    Poses poses;
    std::set<NodeId> measured;
    LiveAnswer answer;
  };
  void makeOptions();
  void startRunner();
  /// Sets the worker aside, if it is at rest, and continues with the one of these settings, which may be a
  /// new one. Returns true if its answer holds, so that nothing has to be asked.
  bool changeRunner(const CheckSettings& before);
  /// True if the last answer is about the session as it is, and nothing follows.
  [[nodiscard]] bool isAtRest() const;
  void receive(LiveAnswer answer);
  [[nodiscard]] MateTolerances mateTolerances(std::span<const NodeId> group) const;

  const Session* session_ = nullptr;
  Scene scene_;
  CheckSettings settings_;
  std::shared_ptr<const InterferenceOptions> options_;
  std::optional<double> fallbackTolerance_;
  std::set<NodeId> measured_;
  std::optional<DragGoal> drag_;  ///< the current one
  double mateReach_ = 0;
  bool wasDragged_ = false;  ///< whether the measured parts were dragged; otherwise no mates are offered
  std::uint64_t asked_ = 0, answered_ = 0;  ///< tickets, which grow from runner to runner
  std::uint64_t firstTicket_ = 0;           ///< the offset to add to the runner's
  std::uint64_t stopped_ = 0;               ///< ticket of the answer that is not to catch up
  std::size_t pairsBehind_ = 0;             ///< those of the answer's triangles when it came first
  LiveAnswer answer_;
  Poses answeredAt_;  ///< the session's when the last question was asked
  std::unique_ptr<LiveSession> runner_;
  std::uint64_t runnerId_ = 0, lastRunnerId_ = 0;  ///< results of other workers are dropped
  std::optional<Parked> parked_;
};

}  // namespace fitup::viewer
