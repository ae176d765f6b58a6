#pragma once

#include <osg/ref_ptr>
#include <osgDB/Callbacks>

#include <fitup/hierarchy/collision_model.h>

namespace FITUP_EXPORT osgFitup {

/// Gives every subgraph that osgDB reads collision models, like osgDB's own building of kd-trees on load:
///
///     osgDB::Registry::instance()->setReadFileCallback(new osgFitup::BuildOnLoad);
///
/// Reads through the callback that was there before, if it is handed over. Paged files are read in osgDB's
/// threads: each file is a subgraph of its own, models built by its thread alone. What
/// `CollisionModelVisitor` leaves out is said through osg::notify(osg::WARN) with the file's name.
class BuildOnLoad : public osgDB::ReadFileCallback {
 public:
  explicit BuildOnLoad(const fitup::BuildOptions& options = {}, osgDB::ReadFileCallback* previous = nullptr);

  osgDB::ReaderWriter::ReadResult readNode(const std::string& file, const osgDB::Options* options) override;

 protected:
  ~BuildOnLoad() override = default;

 private:
  fitup::BuildOptions build_;
  osg::ref_ptr<osgDB::ReadFileCallback> previous_;
};

}  // namespace osgFitup
