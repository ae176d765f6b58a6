#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <fitup/io/project_file.h>
#include <fitup/io/read_assembly.h>
#include <fitup/query/verdict.h>
#include <fitup/scene/scene.h>

#include <viewer/core/instance_names.h>
#include <viewer/core/undo_stack.h>

namespace fitup::viewer {

/// All that a user may change and take back.
struct SessionState {
  /// Instances that do not stand as designed: worldFromPart = motion * design placement.
  std::map<NodeId, RigidMotion> motions;
  Rules rules;
  std::optional<double> tolerance;  ///< as in `VerdictOptions`
  std::vector<std::shared_ptr<const Track>> tracks;
  std::map<std::string, Review> reviews;
  std::set<NodeId> hidden, ghosted;  ///< instances
  std::map<std::string, Viewpoint> namedViews;
  SectionPlane section;
  /// What the project says of instances that the model does not have (or not so near): kept for the day that
  /// it has them again.
  std::vector<MovedInstance> unresolvedMoves;
  std::set<std::string> unresolvedHidden, unresolvedGhosted;
  friend bool operator==(const SessionState&, const SessionState&) = default;
};

/// What a title calls the files of a model: "base.stl", "base.stl and 2 more".
std::string shortName(std::span<const std::filesystem::path> modelFiles);

/// Lets an instance stand at a motion; at none, it stands as designed.
void setMotion(SessionState& state, NodeId instance, const RigidMotion& motion);

/// Makes a track one of this model, whichever it was recorded on; true if that was another one. Throws as
/// `resolve` where the model lacks what the track moves.
bool adopt(Track& track, const Assembly& assembly);

/// A model that somebody works on: what was changed, undo, and how it is kept in a project. No widget, no
/// display. One thread.
class Session {
 public:
  /// `modelFiles` are those that `model` was read from, with `readOptions`. Collision models are built if it
  /// carries none.
  Session(Model model, std::vector<std::filesystem::path> modelFiles, const ReadOptions& readOptions = {},
          const Progress& progress = {});
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] const Assembly& assembly() const noexcept { return model_.assembly; }
  /// Of the model.
  [[nodiscard]] const Scene& scene() const noexcept { return scene_; }
  [[nodiscard]] const std::vector<std::filesystem::path>& modelFiles() const noexcept { return modelFiles_; }
  [[nodiscard]] const ImportSettings& importSettings() const noexcept { return readOptions_; }
  /// The one that a node came from.
  [[nodiscard]] const std::filesystem::path& modelFileOf(NodeId node) const;
  /// As short as distinguishes it from the others; for users to read.
  [[nodiscard]] std::string nameOf(NodeId instance) const { return names_.of(instance); }
  [[nodiscard]] const SessionState& state() const noexcept { return undo_.state(); }

  /// Called after every change of the state, with the one before.
  using Listener = std::function<void(const SessionState& before)>;
  void setListener(Listener listener) { listener_ = std::move(listener); }

  /// One undoable change, named as users read it: "Move rod". See `UndoStack::push` for `mergeKey`. A change
  /// that throws changes nothing, and one that changes nothing is none. Throws InputError for motions that
  /// `requireNear` refuses.
  void edit(std::string label, const std::function<void(SessionState&)>& change, std::string mergeKey = {});
  void endMerging() { undo_.endMerging(); }
  void undo();
  void redo();
  [[nodiscard]] const UndoStack<SessionState>& history() const noexcept { return undo_; }

  // ---- placements ----

  [[nodiscard]] RigidMotion motionOf(NodeId instance) const;
  [[nodiscard]] Transform worldFromPart(NodeId instance) const;
  /// All instances that do not stand as designed, where they are.
  [[nodiscard]] Poses poses() const;
  /// Box of instances where they are, in the world.
  [[nodiscard]] Box worldBounds(std::span<const NodeId> instances) const;
  /// Throws as `movedPlacement`.
  void requireNear(NodeId instance, const RigidMotion& motion) const;
  /// Moves instances as one rigid group by a motion in the world: D becomes `by` * D.
  void move(std::span<const NodeId> instances, const RigidMotion& by, std::string label,
            std::string mergeKey = {});
  /// Back to the design placement.
  void reset(std::span<const NodeId> instances);

  // ---- projects ----

  [[nodiscard]] bool isModified() const noexcept { return !undo_.isClean(); }
  void setSaved() noexcept { undo_.setClean(); }
  [[nodiscard]] Project project(const std::optional<Viewpoint>& viewpoint = {}) const;
  /// Takes over what a project says, as one change (or, for a session just opened, as its first state).
  /// Returns what could not be, such as paths that the model does not have, which stay in the project; and
  /// whether it, or a motion, was made with another model.
  std::vector<std::string> apply(const Project& project);

 private:
  void notify(const SessionState& before);

  Model model_;
  Scene scene_;
  InstanceNames names_{model_.assembly};
  std::vector<std::filesystem::path> modelFiles_;
  ReadOptions readOptions_;
  UndoStack<SessionState> undo_;
  Listener listener_;
};

}  // namespace fitup::viewer
