#pragma once

#include <string>
#include <vector>

#include <osgDB/ReaderWriter>

#include <fitup/io/model_file.h>

namespace osgFitup::plugins {

/// Reports the warnings of an import by osg::notify: at WARN if geometry is missing, otherwise at NOTICE.
void notifyOf(const std::string& file, const std::vector<fitup::ImportWarning>& warnings);

/// Reads an assembly file as a scene graph of `createScene`.
///
/// Options are words of osgDB's option string, separated by white space: `deflection=MM`, `angle=RADIANS`
/// (positive numbers), `root=FOLDER` (`ReadOptions::root`), `noCache`. Use `setPluginStringData("root", ...)`
/// for a folder whose name has white space. Words for other plugins are ignored.
///
/// `notifyOf` reports the warnings of the import. Failures are ReadResults: FILE_NOT_HANDLED for other
/// extensions, FILE_NOT_FOUND, otherwise ERROR_IN_READING_FILE with a message for the user. Thread-safe as
/// osgDB requires.
class AssemblyReader : public osgDB::ReaderWriter {
 public:
  ReadResult readObject(const std::string& file, const Options* options) const override;
  ReadResult readNode(const std::string& file, const Options* options) const override;

 protected:
  ~AssemblyReader() override = default;
  /// Declare the options for `osgconv --formats`: all of them, and the one for model files.
  void supportReadOptions();
  void supportRootOption();
};

}  // namespace osgFitup::plugins
