#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <osg/Node>
#include <osg/ref_ptr>
#include <osgDB/Registry>

#include <fitup/io/model_file.h>

#include "gate.h"
#include "source_file.h"

namespace fitup::importers {

/// Decides what is read, loaded and opened on behalf of a source, and reads what the source may refer to.
/// While the source is read, it serves as osgDB's callback for reading and finding files, and as the keeper
/// of the gate.
///
/// A scene may refer to files of the readers (`isReadable`) in the source's folder and below it, both by
/// their text and after links are followed. Everything else is refused with a warning: other files, libraries
/// outside the closed list, the network, and writing. Images, shaders and scripts are not read at all,
/// because they hold no geometry. Fonts (`isFont`) are read where such files lie.
///
/// osgDB itself leaves the files of `osg::PagedLOD` and of deferred `osg::ProxyNode`s to a viewer's pager.
/// They are read here and inserted after the file that refers to them is read: of a `PagedLOD` those active
/// for an eye at its centre (the finest level), of a `ProxyNode` all. Files below inactive nodes (switched
/// off, masked out, or of a coarser level) are not read.
class ExternalFiles : public osgDB::ReadFileCallback, public osgDB::FindFileCallback, public Gatekeeper {
 public:
  using ReadResult = osgDB::ReaderWriter::ReadResult;
  using Options = osgDB::Options;

  /// Keeps a reference to the source.
  explicit ExternalFiles(SourceFile& source) : source_(source) {}

  /// Reads the source. Call it once.
  ReadResult readSource(const Options* options);

  ReadResult readNode(const std::string& file, const Options* options) override;
  /// Called by readers that do not know what a file holds, and by texts for fonts.
  ReadResult readObject(const std::string& file, const Options* options) override;
  ReadResult readHeightField(const std::string& file, const Options*) override;
  ReadResult openArchive(const std::string&, osgDB::ReaderWriter::ArchiveStatus, unsigned int,
                         const Options*) override {
    return ReadResult::FILE_NOT_FOUND;
  }
  /// Reads no images. For Inventor and VRML it returns a white point, because their reader gives up a whole
  /// file for one texture.
  ReadResult readImage(const std::string&, const Options*) override;
  ReadResult readShader(const std::string&, const Options*) override { return ReadResult::FILE_NOT_FOUND; }
  ReadResult readScript(const std::string&, const Options*) override { return ReadResult::FILE_NOT_FOUND; }

  std::string findDataFile(const std::string& file, const Options* options, osgDB::CaseSensitivity) override;
  std::string findLibraryFile(const std::string& name, const Options*, osgDB::CaseSensitivity) override;

  bool mayLoad(const std::string& library) override;
  bool mayRead(const std::string& file) override;
  void refused(const std::string& what) override;

  /// Takes a message of a library that reads files by itself, about a file that it has not found.
  void hear(const std::string& text);

  std::vector<ImportWarning>
      warnings;  ///< about what was refused or could not be read; each once, up to ten thousand
  std::vector<ImportWarning> fontWarnings;  ///< the same about fonts, which matter only to solid text

 protected:
  ~ExternalFiles() override = default;

 private:
  class DeferredReads;

  /// Returns where a name leads: to the copy of a file if it exists, otherwise to the place of the copy that
  /// is looked for first. Empty if the place is out of bounds. All decisions about places are made here.
  [[nodiscard]] std::optional<std::filesystem::path> locate(const std::string& name, const Options* options);
  /// Returns why the file that a name leads to is not read; null if it may be.
  [[nodiscard]] const char* refusalOf(const std::string& name,
                                      const std::optional<std::filesystem::path>& place) const;
  ReadResult read(const std::filesystem::path& place, const std::string& name, const Options* options);
  void noteUnread(std::vector<ImportWarning> unread, const std::string& name);
  void noteUnreadInlines();
  void noteLackOf(const std::filesystem::path& place, const std::string& file);
  void compareWithOwnReader(const std::filesystem::path& place, const std::string& file, osg::Node& node);
  ReadResult readFont(const std::filesystem::path& place, const Options* options);
  void warn(ImportWarning warning);
  void warnOfFont(const std::string& font, const std::string& problem);

  SourceFile& source_;
  std::vector<std::filesystem::path>
      open_;                                ///< files that are being read, each referred to by the one before
  std::set<std::filesystem::path> opened_;  ///< by any reader, without the source
  std::size_t references_ = 0;              ///< requested so far
  std::set<std::string> said_;
  std::map<osg::ref_ptr<const osg::Node>, std::string>
      nameOfRead_;                                     ///< the results of files, by the requested name
  std::set<osg::ref_ptr<const osg::Node>> completed_;  ///< nodes whose files have been read
  std::set<osg::ref_ptr<const osg::Node>> walked_;     ///< nodes that were searched for such nodes
};

}  // namespace fitup::importers
