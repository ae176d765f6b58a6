#pragma once

#include <osg/ref_ptr>
#include <osgDB/Callbacks>

#include <fitup/hierarchy/collision_model.h>

namespace FITUP_EXPORT osgFitup {

/// Gives collision models to every subgraph that osgDB reads, as osgDB does with kd-trees:
///
///     osgDB::Registry::instance()->setReadFileCallback(new osgFitup::BuildOnLoad);
///
/// To keep the callback that was set before, pass it to the constructor; files are then read through it.
/// osgDB reads paged files in threads of its own; each file is a separate subgraph, whose models its own
/// thread builds. The warnings of `CollisionModelVisitor` go to osg::notify(osg::WARN), with the name of the
/// file.
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
