#pragma once

#include <optional>
#include <vector>

#include <osg/Node>
#include <osg/Referenced>
#include <osg/ref_ptr>

#include <fitup/motion/track_recording.h>
#include <osgFitup/scene_assembly.h>

namespace FITUP_EXPORT osgFitup {

/// Writes down how parts or subassemblies of a scene are moved, as a track: motions from where the design
/// puts them (`PartNode`; other transforms: from where they are when recording begins). The track's model
/// hash is that of the assembly in its design placements, so a track that is recorded in a scene of
/// `createScene` can be replayed on the assembly's file. For the update phase.
class TrackRecorder : public osg::Referenced {
 public:
  /// Throws fitup::InputError for a node that is null, that a `PartDragger`
  /// cannot move or that has no parts, and for one that lies
  /// below another.
  TrackRecorder(osg::Node& root, const std::vector<osg::Node*>& moved, std::string name = {});

  /// Adds the present placements as a step, unless they are those of the last one. Throws fitup::InputError
  /// for nodes that have not been moved rigidly.
  void record();
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
