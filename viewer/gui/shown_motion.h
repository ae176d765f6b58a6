#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include <QObject>

#include <viewer/core/motion_check.h>

namespace fitup::viewer {

class Document;

/// The motion that the time line shows: the current step, the results of a check of all steps, edits.
/// Functions and signals are for the GUI thread.
class ShownMotion : public QObject {
  Q_OBJECT

 public:
  explicit ShownMotion(Document& document);

  /// Null if the session has none.
  [[nodiscard]] std::shared_ptr<const Track> track() const;
  void show(std::size_t position);
  [[nodiscard]] std::size_t step() const noexcept { return step_; }
  /// False if one of its parts was moved away from all steps.
  [[nodiscard]] bool isAtStep() const noexcept { return isAtStep_; }
  /// Moves the track's instances to a step.
  void goTo(std::size_t step);
  /// The time at which the parts are, in steps: 2.25 is a quarter of the way from step 2 to step 3.
  [[nodiscard]] double time() const noexcept { return static_cast<double>(step_) + share_; }
  /// False if one of its parts was moved away from all steps, and from the way to which `goToTime` took them.
  [[nodiscard]] bool isOnTheWay() const noexcept { return isAtStep_ || share_ > 0; }
  /// Moves the track's instances to a time, along the ways between steps.
  void goToTime(double time);
  /// The next time to show when the motion is played: the next step, or before it a part of the way if that
  /// turns or goes far.
  [[nodiscard]] double nextFrame() const;
  void save(const std::filesystem::path& file);

  /// Checks each step in the background: findings, distance to everything else, time of the check.
  void check();
  /// The check of the current track.
  [[nodiscard]] const std::optional<CheckedMotion>& checked() const noexcept { return checked_; }

  /// Turns the painting of the contact map on or off; the map is computed in the background if necessary.
  void showMap(bool on);
  [[nodiscard]] bool isMapWanted() const noexcept { return mapWanted_; }
  /// The painted map of the current track. Null if it is not wanted or not known.
  [[nodiscard]] const ContactMap* map() const noexcept {
    return mapWanted_ && mapped_ ? &mapped_->map : nullptr;
  }
  /// Saves JSON or CSV, by the file's extension. Reports by `failed` if nothing is painted.
  void saveMap(const std::filesystem::path& file);

  /// Saves what is certain of the checked motion as JSON. Reports by `failed` if nothing is known.
  void saveCertificate(const std::filesystem::path& file);

  // ---- edits: each is one undoable change, after which parts are at the new step ----

  /// Inserts the current placements of the track's parts as a step after the current one.
  void insertPose();
  void removeStep();
  /// Exchanges the current step with its neighbour: 1 later, -1 earlier.
  void moveStep(int by);
  void reverse();

  /// Follows a change to another session, or none.
  void reset();
  /// Follows a change of the session.
  void follow(const SessionState& before);

 signals:
  void trackChanged();  ///< another track, or new results about it
  void stepChanged();
  void mapChanged();

 private:
  void forget();
  void followSettings();
  [[nodiscard]] bool isAskedAlike(const CheckedMotion& checked) const;
  void dropStale();
  void findStep();
  void moveParts(const std::map<NodeId, RigidMotion>& motions);
  void edit(const QString& label, std::size_t newStep, const std::function<Track(const Track&)>& change);
  [[nodiscard]] std::optional<std::vector<RigidMotion>> presentPoses(const Track& track) const;
  [[nodiscard]] std::optional<MotionScene> scene() const;

  Document& document_;
  std::optional<std::size_t> position_;
  std::size_t step_ = 0;
  double share_ = 0;  ///< of the way to the next step
  bool isAtStep_ = false;
  std::optional<CheckedMotion> checked_;
  std::optional<MappedMotion> mapped_;
  bool mapWanted_ = false;
};

}  // namespace fitup::viewer
