#include <osgFitup/build_on_load.h>

#include <osg/Notify>
#include <osgDB/Registry>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <fitup/io/warning_summary.h>
#include <osgFitup/collision_model_visitor.h>

namespace osgFitup {

BuildOnLoad::BuildOnLoad(const fitup::BuildOptions& options, osgDB::ReadFileCallback* previous)
    : build_(options), previous_(previous) {}

osgDB::ReaderWriter::ReadResult BuildOnLoad::readNode(const std::string& file,
                                                      const osgDB::Options* options) {
  osgDB::ReaderWriter::ReadResult result = previous_.valid()
                                               ? previous_->readNode(file, options)
                                               : osgDB::ReadFileCallback::readNode(file, options);
  if (!result.validNode()) return result;
  osg::ref_ptr<CollisionModelVisitor> visitor = new CollisionModelVisitor;
  visitor->setBuildOptions(build_);
  try {
    result.getNode()->accept(*visitor);
  } catch (const fitup::Error& error) {
    OSG_WARN << "osgFitup: " << fitup::escaped(file + ": no collision models: " + error.what()) << std::endl;
  }
  for (const fitup::WarningGroup& group : fitup::summarise(visitor->getWarnings()))
    OSG_WARN << "osgFitup: " << fitup::escaped(file + ": " + text(group)) << std::endl;
  return result;
}

}  // namespace osgFitup
