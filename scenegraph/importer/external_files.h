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

/// Decides what is read, loaded and opened on behalf of a source, and reads what it may refer to. To be
/// osgDB's callback for reading and for finding files, and the gate's keeper, while the source is read.
///
/// What a scene may refer to are files of the readers (`isReadable`) in the source's folder and below it, by
/// their text and behind links. All else is refused with a warning, and so are libraries but those of the
/// closed list, the network, and writing. Images, shaders and scripts are not read at all; they hold no
/// geometry. Fonts (`isFont`) are read where such files lie.
///
/// osgDB itself leaves files of `osg::PagedLOD` and of deferred `osg::ProxyNode`s to a viewer's pager. They
/// are read here and hung in, once the file that refers to them is read: of a `PagedLOD` those that are
/// active for an eye at its centre (the finest level), of a `ProxyNode` all. Not those below inactive nodes:
/// switched off, masked out, or of a coarser level.
class ExternalFiles : public osgDB::ReadFileCallback, public osgDB::FindFileCallback, public Gatekeeper {
 public:
  using ReadResult = osgDB::ReaderWriter::ReadResult;
  using Options = osgDB::Options;

  /// Refers to the source.
  explicit ExternalFiles(SourceFile& source) : source_(source) {}

  /// Reads the source. To be called once.
  ReadResult readSource(const Options* options);

  ReadResult readNode(const std::string& file, const Options* options) override;
  /// Readers that are unsure what a file holds ask so, and texts for fonts.
  ReadResult readObject(const std::string& file, const Options* options) override;
  ReadResult readHeightField(const std::string& file, const Options*) override;
  ReadResult openArchive(const std::string&, osgDB::ReaderWriter::ArchiveStatus, unsigned int,
                         const Options*) override {
    return ReadResult::FILE_NOT_FOUND;
  }
  /// None, but for Inventor and VRML, whose reader gives up a whole file for one texture: a white point.
  ReadResult readImage(const std::string&, const Options*) override;
  ReadResult readShader(const std::string&, const Options*) override { return ReadResult::FILE_NOT_FOUND; }
  ReadResult readScript(const std::string&, const Options*) override { return ReadResult::FILE_NOT_FOUND; }

  std::string findDataFile(const std::string& file, const Options* options, osgDB::CaseSensitivity) override;
  std::string findLibraryFile(const std::string& name, const Options*, osgDB::CaseSensitivity) override;

  bool mayLoad(const std::string& library) override;
  bool mayRead(const std::string& file) override;
  void refused(const std::string& what) override;

  /// What a library says that reads files by itself: of one that it has not found.
  void hear(const std::string& text);

  std::vector<ImportWarning>
      warnings;  ///< of what was refused or could not be read; each once, the first ten thousand
  std::vector<ImportWarning> fontWarnings;  ///< the same of fonts, which matter to solid text alone

 protected:
  ~ExternalFiles() override = default;

 private:
  class DeferredReads;

  /// Where a name leads: the copy of a file if it is there, else where that would be that is looked for
  /// first. Nothing if it is out of bounds. The one place that decides.
  [[nodiscard]] std::optional<std::filesystem::path> locate(const std::string& name, const Options* options);
  /// Why the file that a name leads to is not read; null if it may be.
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
  std::set<std::filesystem::path> opened_;  ///< by whomever, but for the source
  std::size_t references_ = 0;              ///< asked for so far
  std::set<std::string> said_;
  std::map<osg::ref_ptr<const osg::Node>, std::string>
      nameOfRead_;                                     ///< what files gave, by the name asked for
  std::set<osg::ref_ptr<const osg::Node>> completed_;  ///< nodes whose files have been read
  std::set<osg::ref_ptr<const osg::Node>> walked_;     ///< nodes that were looked through for such
};

}  // namespace fitup::importers
