#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <osg/Node>
#include <osg/ref_ptr>
#include <osgDB/Registry>

#include <fitup/io/model_file.h>

#include "companions.h"

namespace fitup::importers {

/// Notes the files that the source refers to, and reads no images. To be osgDB's callback while the source is
/// read.
///
/// osgDB itself leaves files of `osg::PagedLOD` and of deferred `osg::ProxyNode`s to a viewer's pager. They
/// are read here and hung in, once the file that refers to them is read: of a `PagedLOD` those that are
/// active for an eye at its centre (the finest level), of a `ProxyNode` all. Not those below inactive nodes:
/// switched off, masked out, or of a coarser level.
class ExternalFiles : public osgDB::ReadFileCallback {
 public:
  explicit ExternalFiles(const std::filesystem::path& source)
      : sourceFolder_(source.parent_path()), companionOf_(sourceFolder_) {}

  osgDB::ReaderWriter::ReadResult readNode(const std::string& file, const osgDB::Options* options) override;
  osgDB::ReaderWriter::ReadResult readImage(const std::string&, const osgDB::Options*) override {
    return osgDB::ReaderWriter::ReadResult::FILE_NOT_FOUND;
  }

  std::vector<CompanionFile> companions;  ///< each once
  std::vector<ImportWarning> warnings;    ///< of files that could not be read; may repeat

 protected:
  ~ExternalFiles() override = default;

 private:
  class DeferredReads;

  void addCompanion(const std::filesystem::path& file);

  std::filesystem::path sourceFolder_;
  Companions companionOf_;
  std::vector<std::filesystem::path>
      open_;  ///< files that are being read, each referred to by the one before
  std::set<std::string> seen_;
  std::map<osg::ref_ptr<const osg::Node>, std::string>
      nameOfRead_;                                     ///< what files gave, by the name asked for
  std::set<osg::ref_ptr<const osg::Node>> completed_;  ///< nodes whose files have been read
};

}  // namespace fitup::importers
