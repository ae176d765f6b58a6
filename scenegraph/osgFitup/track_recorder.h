#pragma once

#include <optional>
#include <vector>

#include <osg/Node>
#include <osg/Referenced>
#include <osg/ref_ptr>

#include <fitup/motion/track_recording.h>
#include <osgFitup/scene_assembly.h>

namespace FITUP_EXPORT osgFitup {

/// Records the motion of parts or subassemblies of a scene as a track. Motions are relative to the design
/// placement (`PartNode`), or, for other transforms, to the placement at the start of the recording. The
/// track's model hash is that of the assembly in its design placements, so a track recorded in a scene of
/// `createScene` can be replayed on the assembly's file. Use it in the update phase.
class TrackRecorder : public osg::Referenced {
 public:
  /// Begins a recording. Throws fitup::InputError for a node that is null, that a `PartDragger` cannot move
  /// or that has no parts, and for one that is below another.
  TrackRecorder(osg::Node& root, const std::vector<osg::Node*>& moved, std::string name = {});

  /// Adds the current placements as a step, unless they equal those of the last step. Throws
  /// fitup::InputError if nodes have not been moved rigidly.
  void record();
  /// The track recorded so far.
  [[nodiscard]] const fitup::Track& getTrack() const noexcept { return recorder_->track(); }

 protected:
  ~TrackRecorder() override = default;

 private:
  osg::ref_ptr<osg::Node> root_;
  SceneAssembly design_;
  std::vector<fitup::NodeId> moved_;
  std::optional<fitup::TrackRecording> recorder_;
};

}  // namespace osgFitup
