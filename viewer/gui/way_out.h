#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
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
/// The search is a job of the document. Guide points are copies of the parts, which users move; they belong
/// to the state of the session, so that each change of them can be undone. Functions and signals are for the
/// GUI thread.
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
      chosen  ///< the chosen guide point
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

  /// Searches for a way of these parts from where they are, through their guide points. Reports by
  /// `Document::failed` if another task is running.
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

  /// Those of `parts`, in the order of the way; null if they have none.
  [[nodiscard]] const GuidePoints* guides() const;
  [[nodiscard]] std::size_t guideCount() const;
  /// Adds a guide point of these parts at the end and chooses it. It is where the last one is, otherwise
  /// where the parts are, until it is moved. Guide points of other parts are removed. Not during a search.
  void addGuide(const std::set<NodeId>& parts);
  /// Chooses the guide point that is moved; empty or one that does not exist: none.
  void chooseGuide(std::optional<std::size_t> guide);
  [[nodiscard]] const std::optional<std::size_t>& chosenGuide() const noexcept { return chosenGuide_; }
  /// Moves the chosen guide point by a motion of the world. Precondition: there is one.
  void moveGuide(const RigidMotion& by);
  /// Removes the chosen guide point, and chooses the one that takes its place.
  void removeGuide();
  void removeGuides();

  /// True if the chosen guide point is shown and may be moved.
  [[nodiscard]] bool canMoveGuide() const;
  /// The placements of the parts at the guide points, with that of a drag. Empty if they are not shown.
  [[nodiscard]] std::vector<Poses> shownGuides() const;
  /// The middle of the parts at the chosen guide point. Precondition: there is one.
  [[nodiscard]] Vec3 guideCentre() const;
  /// How far the middle of the parts is moved at a guide point, from where it was when the first one was
  /// added. Precondition: the guide point exists.
  [[nodiscard]] Vec3 guideShift(std::size_t guide) const;
  /// Begins to drag the chosen guide point. Precondition: `canMoveGuide`.
  void beginDrag();
  /// Shows it moved, by a motion from where the drag began.
  void dragTo(const RigidMotion& by);
  /// Ends the drag: the guide point is where it was dragged to, or back.
  void finishDrag();
  void cancelDrag();
  [[nodiscard]] bool isDragging() const noexcept { return drag_.has_value(); }
  /// The motion of the drag. Precondition: `isDragging`.
  [[nodiscard]] const RigidMotion& dragged() const { return *drag_; }

  // ---- what the view shows ----

  /// Whether ghosts and lights are wanted, as while a panel shows them.
  void setShown(bool shown);
  [[nodiscard]] std::vector<Ghost> ghosts() const;
  /// The chosen clue, if it is to be lit.
  [[nodiscard]] const WayOutClue* lit() const { return isShown_ ? chosen() : nullptr; }

 signals:
  void changed();  ///< anything but the sight
  void sighted();  ///< a newer sight, or more time
  void guideDragged();
  void dragEnded();

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
  void follow();
  [[nodiscard]] Vec3 startCentre() const;
  void editGuides(const char* label, const std::function<void(GuidePoints&)>& change);
  void reset();

  Document& document_;
  Settings settings_;
  std::vector<NodeId> parts_;
  GuidePoints lastGuides_;  ///< of the session
  std::optional<std::size_t> chosenGuide_;
  std::optional<RigidMotion> drag_;
  std::shared_ptr<Running> running_;
  QElapsedTimer clock_;
  QTimer tick_;
  std::optional<Answer> answer_;
  std::shared_ptr<const Track> track_;
  std::optional<std::size_t> chosen_;
  bool isShown_ = false;
};

}  // namespace fitup::viewer
