#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>

#include <QObject>

#include <fitup/motion/live_session.h>
#include <viewer/core/session.h>

namespace fitup::viewer {

/// How the assembly is checked while somebody works on it.
struct CheckSettings {
  QueryMode mode = QueryMode::allSurfacePairs;
  HierarchyKind hierarchy = HierarchyKind::wide;  ///< the models must carry it
  OverlapBoxSetting overlapBox = OverlapBoxSetting::on;
  bool verdicts = false;  ///< on after opening a model whose parts all know their chord error
  bool distance = true;   ///< of what is selected or dragged to the nearest other part
  bool on = true;         ///< off: nothing is asked
  bool mates = true;      ///< offered for what is selected or dragged
  friend bool operator==(const CheckSettings&, const CheckSettings&) = default;
};

/// The live check of a session: asks whenever something moves, keeps the last answer. GUI thread; the signals
/// too.
class LiveCheck : public QObject {
  Q_OBJECT

 public:
  explicit LiveCheck(QObject* parent = nullptr);
  /// Waits for what is being answered.
  ~LiveCheck() override;

  /// From now on about this session, which must outlive the check or its `end`.
  void begin(const Session& session);
  void end();

  /// Other models of the session's parts, which carry more kinds of hierarchy. Asks nothing.
  void useScene(const Scene& scene);
  [[nodiscard]] const Scene& scene() const noexcept { return scene_; }
  [[nodiscard]] bool carries(HierarchyKind kind) const;
  [[nodiscard]] const CheckSettings& settings() const noexcept { return settings_; }
  /// Asks again if they are others.
  void setSettings(const CheckSettings& settings);
  /// What the checks are asked with.
  [[nodiscard]] const std::shared_ptr<const InterferenceOptions>& options() const noexcept {
    return options_;
  }
  /// Of verdicts and of stopping at contact, in the assembly's unit: what the user has set, else, where parts
  /// come without a chord error, a length that fits their size. Unset: each pair's, from its chord errors.
  [[nodiscard]] std::optional<double> tolerance() const;
  /// Whose distance to the nearest other instance is wanted where nothing is dragged.
  void measure(const std::set<NodeId>& instances);

  /// Asks about the session as it is, or a drag in it; returns the ticket. The drag goes on until it is asked
  /// about the session as it is: other settings, and other parts to measure, are asked about within it.
  std::uint64_t ask(std::optional<DragGoal> drag = {});
  /// About the same once more, because something else is different now.
  void askAgain() { ask(drag_); }
  /// The next question is about the session as it is.
  void endDrag() { drag_.reset(); }
  /// True while a question has no answer.
  [[nodiscard]] bool isChecking() const noexcept { return asked_ != answered_; }
  /// True while more depths of the last answer's clashes may become known: once nothing is dragged, and
  /// nothing else is asked.
  [[nodiscard]] bool isMeasuringDepths() const noexcept { return answer_.depthsFollow; }
  /// The last answer; its report is empty where nothing is known.
  [[nodiscard]] const LiveAnswer& answer() const noexcept { return answer_; }

  /// Takes over what a change of the session means for the check. True if it has to be asked again.
  bool follow(const SessionState& before);

 signals:
  /// While no report is known.
  void asked();
  void answered();
  /// The answer's report has more depths than before.
  void depthsFound();
  /// What the dragged parts, or the selected ones once they were dragged, would fit to where they are now;
  /// never empty.
  void matesFound(const std::vector<fitup::MateSuggestion>& mates);
  void settingsChanged();

 private:
  void makeOptions();
  void startRunner();
  void receive(LiveAnswer answer);
  [[nodiscard]] MateTolerances mateTolerances(std::span<const NodeId> group) const;

  const Session* session_ = nullptr;
  Scene scene_;
  CheckSettings settings_;
  std::shared_ptr<const InterferenceOptions> options_;
  std::optional<double> fallbackTolerance_;
  std::set<NodeId> measured_;
  std::optional<DragGoal> drag_;            ///< that goes on
  bool wasDragged_ = false;                 ///< what is measured; mates are offered for nothing else
  std::uint64_t asked_ = 0, answered_ = 0;  ///< tickets, which grow from runner to runner
  std::uint64_t firstTicket_ = 0;           ///< what to add to the runner's
  LiveAnswer answer_;
  std::unique_ptr<LiveSession> runner_;
};

}  // namespace fitup::viewer
