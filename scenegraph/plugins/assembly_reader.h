#pragma once

#include <string>
#include <vector>

#include <osgDB/ReaderWriter>

#include <fitup/io/model_file.h>

namespace osgFitup::plugins {

/// Says what was noticed about a file through osg::notify: at WARN where geometry is missing, else at NOTICE.
void notifyOf(const std::string& file, const std::vector<fitup::ImportWarning>& warnings);

/// An assembly file as a scene graph of `createScene`.
///
/// Options, words of osgDB's option string separated by white space: `deflection=MM`, `angle=RADIANS`
/// (positive numbers), `root=FOLDER` (`ReadOptions::root`), `noCache`. A folder whose name has white space is
/// given by `setPluginStringData("root", ...)`. Words of other plugins are left alone.
///
/// What the import noticed is said by `notifyOf`. Failures are ReadResults: FILE_NOT_HANDLED for other
/// extensions, FILE_NOT_FOUND, else ERROR_IN_READING_FILE with a message for the user. Thread-safe as osgDB
/// wants it.
class AssemblyReader : public osgDB::ReaderWriter {
 public:
  ReadResult readObject(const std::string& file, const Options* options) const override;
  ReadResult readNode(const std::string& file, const Options* options) const override;

 protected:
  ~AssemblyReader() override = default;
  /// Declare the options, for `osgconv --formats`: all of them, and the one that matters for model files.
  void supportReadOptions();
  void supportRootOption();
};

}  // namespace osgFitup::plugins
