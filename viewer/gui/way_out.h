#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <viewer/core/way_out.h>

namespace fitup::viewer {

class Document;

/// A search for a way out of parts: its settings, what it sees while it runs, its answer, and guide points.
/// The search is a job of the document. Functions and signals are for the GUI thread.
class WayOut : public QObject {
  Q_OBJECT

 public:
  struct Settings {
    double seconds = 60;   ///< of the whole search
    double clearance = 0;  ///< in the model's unit
    bool withoutHidden = false;
    static constexpr double leastSeconds = 0.1, mostSeconds = 86'400;
  };
  struct Answer {
    WayOutQuestion question;
    RemovalReport report;
    std::vector<WayOutClue> clues;
    bool isStopped = false;  ///< by the user
  };
  /// Copies of the moved parts that are drawn besides them.
  struct Ghost {
    enum class Kind {
      sight,  ///< where the search is
      stop,   ///< where the chosen straight way ends
      guide,  ///< a guide point
      start   ///< where the parts were before a guide point was placed
    };
    Kind kind = Kind::sight;
    Poses at;
  };

  explicit WayOut(Document& document);

  [[nodiscard]] const Settings& settings() const noexcept { return settings_; }
  /// Sets what the next search takes.
  void setSettings(const Settings& settings);
  /// The parts of the last search, or those for which guide points are placed; ascending.
  [[nodiscard]] const std::vector<NodeId>& parts() const noexcept { return parts_; }

  /// Searches for a way of these parts from where they are. Other parts than before: guide points are
  /// removed. Reports by `Document::failed` if another task is running.
  void search(const std::set<NodeId>& parts);
  /// Searches again for the same parts. Precondition: there are parts.
  void searchAgain();
  /// Ends the search soon; what it has found by then is the answer.
  void stop();
  [[nodiscard]] bool isSearching() const noexcept { return running_ != nullptr; }
  /// While it is searching: the newest sight, if there is one, and the time in seconds.
  [[nodiscard]] std::optional<RemovalSight> sight() const;
  [[nodiscard]] double elapsed() const;

  [[nodiscard]] const std::optional<Answer>& answer() const noexcept { return answer_; }
  /// True if something has changed since, so that the answer may not hold.
  [[nodiscard]] bool isStale() const;
  /// The way that was found, certain or not; null if there is none.
  [[nodiscard]] std::shared_ptr<const Track> track() const noexcept { return track_; }
  /// Whether the way is among the motions of the session.
  [[nodiscard]] bool isAccepted() const;
  /// The box of the parts at the steps of the way. Precondition: there is a way.
  [[nodiscard]] Box bounds() const;
  /// Makes the way a motion of the session, as one undoable change, unless it is one, and shows it.
  /// Precondition: there is a way.
  void accept();
  /// Writes the way as a track. Reports by `failed` and `saved` of the document.
  void save(const std::filesystem::path& file);

  /// Chooses one of the answer's clues, whose parts and faces are then lit; empty: none.
  void choose(std::optional<std::size_t> clue);
  [[nodiscard]] const WayOutClue* chosen() const;

  // ---- guide points ----

  [[nodiscard]] const std::vector<RigidMotion>& guides() const noexcept { return guides_; }
  /// Begins to place a guide point of these parts: the user moves them to it. The place where they are now is
  /// where ways begin.
  void beginGuide(const std::set<NodeId>& parts);
  [[nodiscard]] bool isPlacingGuide() const noexcept { return placing_.has_value(); }
  /// Takes the placement of the parts as a guide point, and moves them back. Throws InputError if they have
  /// not moved, or not together.
  void takeGuide();
  /// Ends placing; the parts move back.
  void cancelGuide();
  void removeGuide(std::size_t guide);
  void removeGuides();

  // ---- what the view shows ----

  /// Whether ghosts and lights are wanted, as while a panel shows them.
  void setShown(bool shown);
  [[nodiscard]] std::vector<Ghost> ghosts() const;
  /// The chosen clue, if it is to be lit.
  [[nodiscard]] const WayOutClue* lit() const { return isShown_ ? chosen() : nullptr; }

 signals:
  void changed();  ///< anything but the sight
  void sighted();  ///< a newer sight, or more time

 private:
  /// What the thread of the search and this object share.
  struct Running {
    std::stop_source stop;
    WayOutQuestion question;
    RemovalReport report;
    bool isComplete = false;
    std::mutex mutex;
    std::optional<RemovalSight> sight;
  };
  void setParts(const std::set<NodeId>& parts);
  [[nodiscard]] Poses moved(const WayOutQuestion& from, const RigidMotion& by) const;
  [[nodiscard]] QString name() const;
  void ended();
  void moveBack();
  void reset();

  Document& document_;
  Settings settings_;
  std::vector<NodeId> parts_;
  std::vector<RigidMotion> guides_;
  std::optional<WayOutQuestion> guidesFrom_;  ///< where the parts were when their guide points were placed
  std::optional<WayOutQuestion> placing_;
  std::shared_ptr<Running> running_;
  QElapsedTimer clock_;
  QTimer tick_;
  std::optional<Answer> answer_;
  std::shared_ptr<const Track> track_;
  std::optional<std::size_t> chosen_;
  bool isShown_ = false;
};

}  // namespace fitup::viewer
