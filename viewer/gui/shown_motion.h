#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include <QObject>

#include <viewer/core/motion_check.h>

namespace fitup::viewer {

class Document;

/// The motion of the session that the time line shows: the step that parts stand at, what a check of all
/// steps found, edits. GUI thread; the signals too.
class ShownMotion : public QObject {
  Q_OBJECT

 public:
  explicit ShownMotion(Document& document);

  /// Null if the session has none.
  [[nodiscard]] std::shared_ptr<const Track> track() const;
  void show(std::size_t position);
  [[nodiscard]] std::size_t step() const noexcept { return step_; }
  /// False after a part of it was moved to where no step has it.
  [[nodiscard]] bool isAtStep() const noexcept { return isAtStep_; }
  /// Puts the track's instances where they are at a step.
  void goTo(std::size_t step);
  void save(const std::filesystem::path& file);

  /// Finds what clashes at each step, how far everything else is and how long the check takes; in the
  /// background.
  void check();
  /// Of the track as it is now.
  [[nodiscard]] const std::optional<CheckedMotion>& checked() const noexcept { return checked_; }

  /// Whether the contact map is painted; it is made in the background if it is not known.
  void showMap(bool on);
  [[nodiscard]] bool isMapWanted() const noexcept { return mapWanted_; }
  /// What is painted: of the track as it is now. Null if it is not wanted or not known.
  [[nodiscard]] const ContactMap* map() const noexcept {
    return mapWanted_ && mapped_ ? &mapped_->map : nullptr;
  }
  /// JSON or CSV by its ending. Reports by `failed` if nothing is painted.
  void saveMap(const std::filesystem::path& file);

  // ---- edits, each one undoable change; parts stand at the new step then ----

  /// Where the track's parts stand becomes a step, behind the present one.
  void insertPose();
  void removeStep();
  /// The present step changes places with its neighbour: 1 later, -1 earlier.
  void moveStep(int by);
  void reverse();

  /// Takes over another session, or none.
  void reset();
  /// Takes over a change of the session.
  void follow(const SessionState& before);

 signals:
  void trackChanged();  ///< another track, or what is known of it
  void stepChanged();
  void mapChanged();

 private:
  void forget();
  void followSettings();
  [[nodiscard]] bool isAskedAlike(const CheckedMotion& checked) const;
  void dropStale();
  void findStep();
  void edit(const QString& label, std::size_t newStep, const std::function<Track(const Track&)>& change);
  [[nodiscard]] std::optional<std::vector<RigidMotion>> presentPoses(const Track& track) const;
  [[nodiscard]] std::optional<MotionScene> scene() const;

  Document& document_;
  std::optional<std::size_t> position_;
  std::size_t step_ = 0;
  bool isAtStep_ = false;
  std::optional<CheckedMotion> checked_;
  std::optional<MappedMotion> mapped_;
  bool mapWanted_ = false;
};

}  // namespace fitup::viewer
