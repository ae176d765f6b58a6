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
#include <fitup/scene/refinement.h>
#include <fitup/scene/scene.h>

#include <viewer/core/instance_names.h>
#include <viewer/core/undo_stack.h>

namespace fitup::viewer {

/// Places that a way out of parts shall pass.
struct GuidePoints {
  /// The parts, and their motions from the design when the first guide point was added.
  std::map<NodeId, RigidMotion> from;
  std::vector<RigidMotion> poses;  ///< motions of the parts from there, in the order of the way
  friend bool operator==(const GuidePoints&, const GuidePoints&) = default;
};

/// Everything that a user can change and undo.
struct SessionState {
  /// Instances outside their design placements: worldFromPart = motion * design placement.
  std::map<NodeId, RigidMotion> motions;
  Rules rules;
  std::optional<double> tolerance;  ///< as in `VerdictOptions`
  std::vector<std::shared_ptr<const Track>> tracks;
  std::map<std::string, Review> reviews;
  std::set<NodeId> hidden, ghosted;  ///< instances
  std::map<NodeId, PartLook> looks;  ///< instances that do not look as in the file
  std::map<std::string, Viewpoint> namedViews;
  std::vector<SectionPlane> sections;  ///< at most `mostSections`
  /// Placements in the project of instances that the model does not have (or not close enough). They are kept
  /// in case the model has them again.
  std::vector<MovedInstance> unresolvedMoves;
  std::set<std::string> unresolvedHidden, unresolvedGhosted;
  std::map<std::string, PartLook> unresolvedLooks;
  GuidePoints guides;  ///< for the next search; projects do not keep them
  friend bool operator==(const SessionState&, const SessionState&) = default;
};

/// Returns the files of a model as a title shows them: "base.stl", "base.stl and 2 more".
std::string shortName(std::span<const std::filesystem::path> modelFiles);

/// Sets the motion of an instance; the identity is the design placement.
void setMotion(SessionState& state, NodeId instance, const RigidMotion& motion);

/// Sets the look of an instance; the default is that of the file.
void setLook(SessionState& state, NodeId instance, const PartLook& look);

/// Adapts a track to this model; returns true if it was recorded on another one. Throws like `resolve` if the
/// model lacks what the track moves.
bool adopt(Track& track, const Assembly& assembly);

/// A model that a user works on: its changes, undo, and its form in a project. It needs no widget and no
/// display. Use it from one thread.
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
  /// The scene of the model.
  [[nodiscard]] const Scene& scene() const noexcept { return scene_; }
  /// Finer meshes of the model's parts, for verdicts on their exact shapes. Null if no part has a chord
  /// error: its triangles are then its shape.
  [[nodiscard]] const std::shared_ptr<Refinement>& refinement() const noexcept { return refinement_; }
  /// The rules of the state, with their attributes resolved for the model as designed.
  [[nodiscard]] Rules rules() const { return resolved(state().rules); }
  /// Resolves the attributes of other rules in the same way.
  [[nodiscard]] Rules resolved(Rules rules) const;
  /// Millimetres per unit of the model; 1 for a unit that is not known.
  [[nodiscard]] double millimetresPerUnit() const;
  [[nodiscard]] const std::vector<std::filesystem::path>& modelFiles() const noexcept { return modelFiles_; }
  [[nodiscard]] const ImportSettings& importSettings() const noexcept { return readOptions_; }
  /// The file that a node came from.
  [[nodiscard]] const std::filesystem::path& modelFileOf(NodeId node) const;
  /// The shortest name that distinguishes the instance from the others, for users to read.
  [[nodiscard]] std::string nameOf(NodeId instance) const { return names_.of(instance); }
  [[nodiscard]] const SessionState& state() const noexcept { return undo_.state(); }

  /// Called after every change of the state, with the previous state.
  using Listener = std::function<void(const SessionState& before)>;
  void setListener(Listener listener) { listener_ = std::move(listener); }

  /// Makes one undoable change. Users read its name, such as "Move rod". See `UndoStack::push` for
  /// `mergeKey`. If the function throws or changes nothing, there is no change. Throws InputError for motions
  /// that `requireNear` refuses.
  void edit(std::string label, const std::function<void(SessionState&)>& change, std::string mergeKey = {});
  /// Sets the first state's tolerance, which is no change. Precondition: nothing has changed yet.
  void startWithTolerance(double tolerance);
  void endMerging() { undo_.endMerging(); }
  void undo();
  void redo();
  [[nodiscard]] const UndoStack<SessionState>& history() const noexcept { return undo_; }

  // ---- placements ----

  [[nodiscard]] RigidMotion motionOf(NodeId instance) const;
  [[nodiscard]] Transform worldFromPart(NodeId instance) const;
  /// The placements of all instances outside their design placements.
  [[nodiscard]] Poses poses() const;
  /// The box of instances in their placements, in world coordinates.
  [[nodiscard]] Box worldBounds(std::span<const NodeId> instances) const;
  /// The box of the instances that are not hidden, in their placements.
  [[nodiscard]] Box visibleBounds() const;
  /// Throws like `movedPlacement`.
  void requireNear(NodeId instance, const RigidMotion& motion) const;
  /// Moves instances as one rigid group by a motion in world coordinates: D becomes `by` * D.
  void move(std::span<const NodeId> instances, const RigidMotion& by, std::string label,
            std::string mergeKey = {});
  /// Moves instances back to their design placements.
  void reset(std::span<const NodeId> instances);

  // ---- projects ----

  [[nodiscard]] bool isModified() const noexcept { return !undo_.isClean(); }
  void setSaved() noexcept { undo_.setClean(); }
  [[nodiscard]] Project project(const std::optional<Viewpoint>& viewpoint = {}) const;
  /// Applies the contents of a project, as one change (or, for a session just opened, as its first state).
  /// Returns messages about what could not be applied, such as paths that the model does not have, which stay
  /// in the project, and about a project or motion that was made with another model.
  std::vector<std::string> apply(const Project& project);

 private:
  void notify(const SessionState& before);

  Model model_;
  Scene scene_;
  std::shared_ptr<Refinement> refinement_;
  InstanceNames names_{model_.assembly};
  std::vector<std::filesystem::path> modelFiles_;
  ReadOptions readOptions_;
  UndoStack<SessionState> undo_;
  Listener listener_;
};

}  // namespace fitup::viewer
