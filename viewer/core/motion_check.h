#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <fitup/motion/contact_map.h>
#include <fitup/motion/replay.h>
#include <viewer/core/session.h>

namespace fitup::viewer {

/// What a check of one step of a motion found.
struct CheckedStep {
  /// What somebody has to act on (`PairInterference::needsAction`): pairs of surfaces, and pairs of instances
  /// without such, as where one lies inside the other or nearer than a rule allows.
  std::size_t findings = 0;
  std::size_t contacts = 0;  ///< pairs of instances in contact, if verdicts were asked for
  double milliseconds = 0;   ///< wall clock of the check, without the distance
  /// From what moves to the nearest instance that moves otherwise, of the pairs that the rules ask for; 0
  /// where they intersect, nothing where there is no other one. World, in the assembly's unit.
  std::optional<double> distance;
};

/// What the findings of a motion depend on: they are stale where it is another one.
struct MotionScene {
  std::shared_ptr<const Track> track;
  Poses rest;  ///< `restOf` the track
  Rules rules;
  friend bool operator==(const MotionScene&, const MotionScene&) = default;
};

/// A motion that was checked step by step.
struct CheckedMotion {
  MotionScene scene;
  bool verdicts = false;  ///< asked for, at this tolerance
  std::optional<double> tolerance;
  std::vector<CheckedStep> steps;
};

/// A motion and where its parts come near others.
struct MappedMotion {
  MotionScene scene;
  ContactMap map;
};

/// Where instances stand that the track does not move and that are not where they are designed:
/// worldFromPart. Throws as `resolve`.
Poses restOf(const Session& session, const Track& track);
/// A track in the session as it is. Throws as `resolve`.
MotionScene sceneOf(const Session& session, std::shared_ptr<const Track> track);

/// The motions of all instances below what the track moves, at a step. Throws as `resolve`.
std::map<NodeId, RigidMotion> motionsAt(const Track& track, const Assembly& assembly, std::size_t step);

/// Each step of the track as `replay` checks it, with the instances of `rest` where they stand; steps that
/// were not checked when it was cancelled are missing. Of the options the rules are the scene's; without
/// verdicts all that intersects is counted. Thread-safe. Throws as `replay` and `leastDistance`.
std::vector<CheckedStep> checkMotion(const Scene& model, const MotionScene& scene,
                                     const InterferenceOptions& options, const Progress& progress = {});

/// The contact map of the track with the instances of `rest` where they stand, at the usual range, on all
/// cores. Thread-safe. Throws as `contactMap`.
ContactMap mapContacts(const Scene& model, const MotionScene& scene, const Progress& progress = {});

/// What the map says of a surface, or null.
const SurfaceContact* contactOf(const ContactMap& map, NodeId instance, SurfaceId surface);

/// The step that shows best what happens to a surface: its first contact, else its least clearance.
std::size_t stepOf(const SurfaceContact& contact);

}  // namespace fitup::viewer
