#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fitup/motion/certify.h>
#include <fitup/motion/contact_map.h>
#include <fitup/motion/replay.h>
#include <viewer/core/session.h>

namespace fitup::viewer {

/// The result of the check of one step of a motion.
struct CheckedStep {
  /// The findings that need action (`PairInterference::needsAction`): pairs of surfaces, and pairs of
  /// instances without such surfaces, for example if one lies inside the other or nearer than a rule allows.
  std::size_t findings = 0;
  struct Pair {
    NodeId a{}, b{};
    Severity severity = Severity::clash;
  };
  /// The pairs of instances that these are of: clashes first, the deepest one first where depths are known,
  /// otherwise the one with the most pairs of surfaces.
  std::vector<Pair> pairs;
  std::size_t contacts = 0;  ///< pairs of instances in contact, if verdicts were requested
  std::size_t open = 0;      ///< pairs whose verdict is undecided, or whose check a limit ended
  [[nodiscard]] bool isSurelyFree() const noexcept { return pairs.empty() && open == 0; }
  double milliseconds = 0;  ///< wall-clock time of the check, without the distance
  /// The least distance from the moving instances to an instance that moves otherwise or rests, over the
  /// pairs that the rules check; 0 if they intersect, empty if there is no such instance. World coordinates,
  /// in the assembly's unit.
  std::optional<double> distance;
};

/// The data that the findings of a motion depend on. If they differ, the findings are stale.
struct MotionScene {
  std::shared_ptr<const Track> track;
  Poses rest;  ///< `restOf` the track
  Rules rules;
  friend bool operator==(const MotionScene&, const MotionScene&) = default;
};

/// A motion that was checked step by step.
struct CheckedMotion {
  MotionScene scene;
  bool verdicts = false;  ///< requested, at this tolerance
  std::optional<double> tolerance;
  bool exactShapes = false;  ///< were judged, rather than the triangles
  std::vector<CheckedStep> steps;
  /// With verdicts: what is certain of the whole motion, also between the steps.
  std::optional<CertifyReport> certified;
};

/// A motion with its contact map.
struct MappedMotion {
  MotionScene scene;
  ContactMap map;
};

/// Returns worldFromPart of the instances that the track does not move and that are not in their design
/// placements. Throws like `resolve`.
Poses restOf(const Session& session, const Track& track);
/// Returns a track with the current state of the session. Throws like `resolve`.
MotionScene sceneOf(const Session& session, std::shared_ptr<const Track> track);

/// Returns the motions at a step of all instances below the nodes that the track moves. Throws like
/// `resolve`.
std::map<NodeId, RigidMotion> motionsAt(const Track& track, const Assembly& assembly, std::size_t step);

/// Checks each step of the track like `replay`, with the resting instances placed by `rest`. After a cancel,
/// the remaining steps are missing. The rules of the scene replace those of the options; without verdicts,
/// all intersections are counted. Thread-safe. Throws like `replay` and `minimumDistance`.
std::vector<CheckedStep> checkMotion(const Scene& model, const MotionScene& scene,
                                     const InterferenceOptions& options, const Progress& progress = {});

/// Certifies the track with the resting instances placed by `rest`, at the tolerance of the options, for at
/// most 30 s. Thread-safe. Throws like `certify`.
CertifyReport certifyMotion(const Scene& model, const MotionScene& scene, const InterferenceOptions& options,
                            const Progress& progress = {});

/// Computes the contact map of the track, with the resting instances placed by `rest`, at the default range,
/// on all cores. Thread-safe. Throws like `contactMap`.
ContactMap mapContacts(const Scene& model, const MotionScene& scene, const Progress& progress = {});

/// Returns the entry of a surface in the map, or null.
const SurfaceContact* contactOf(const ContactMap& map, NodeId instance, SurfaceId surface);

/// Returns the most telling step for a surface: its first contact, otherwise its least clearance.
std::size_t stepOf(const SurfaceContact& contact);

}  // namespace fitup::viewer
