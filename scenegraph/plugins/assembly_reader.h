#pragma once

#include <string>
#include <vector>

#include <osgDB/ReaderWriter>

#include <fitup/io/read_assembly.h>

namespace osgFitup::plugins {

/// Options that the readers of assemblies take from osgDB's option string, words separated by white space:
/// `deflection=MM`, `angle=RADIANS`, `noCache`. Words of other plugins are left alone. Throws
/// fitup::InputError for a value that is no positive number.
fitup::ReadOptions readOptionsOf(const osgDB::Options* options);

/// The word `key=value` of the option string; empty if it is not there.
std::string optionValue(const osgDB::Options* options, const std::string& key);

/// Says what was noticed about a file through osg::notify: at WARN where geometry is missing, else at NOTICE.
void notifyOf(const std::string& file, const std::vector<fitup::ImportWarning>& warnings);

/// An assembly file as a scene graph of `createScene`.
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
  /// Declares the options of `readOptionsOf`, for `osgconv --formats`.
  void supportReadOptions();
};

}  // namespace osgFitup::plugins
