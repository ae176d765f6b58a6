#pragma once

#include <cstddef>

#include <osg/Node>
#include <osg/Referenced>

#include <fitup/motion/track_poses.h>
#include <osgFitup/scene_assembly.h>

namespace FITUP_EXPORT osgFitup {

/// Moves the parts of a scene to their placements in a track. Use it in the update phase.
class TrackPlayer : public osg::Referenced {
 public:
  /// Finds the track's paths in the scene. Throws like `fitup::resolve` for the assembly with every
  /// `PartNode` in its design placement, and fitup::InputError for a node that a `PartDragger` cannot move.
  TrackPlayer(osg::Node& root, const fitup::Track& track, bool force = false);

  /// The number of steps of the track.
  [[nodiscard]] std::size_t getNumSteps() const noexcept { return poses_.track().steps.size(); }
  /// Moves the parts to a step. Throws fitup::InputError for one that does not exist.
  void setStep(std::size_t step) { setTime(static_cast<double>(step)); }
  /// Moves the parts to any time, along the ways between steps: 2.25 is a quarter of the way from step 2 to
  /// step 3. Throws fitup::InputError for a time that the track does not have.
  void setTime(double time);

 protected:
  ~TrackPlayer() override = default;

 private:
  SceneAssembly design_;
  fitup::TrackPoses poses_;
};

}  // namespace osgFitup
