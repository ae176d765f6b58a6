#include "external_files.h"

#include <algorithm>

#include <osg/Group>
#include <osg/NodeVisitor>
#include <osg/PagedLOD>
#include <osg/ProxyNode>
#include <osgDB/FileUtils>

#include <osgFitup/detail/levels_of_detail.h>

#include "importer_main.h"

namespace fitup::importers {
namespace {

ImportWarning missing(const std::string& file, const std::string& problem) {
  return {"external file " + validUtf8(file), problem + "; its parts are missing", true};
}

}  // namespace

/// Reads what a file just read refers to and osgDB left out.
class ExternalFiles::DeferredReads : public osg::NodeVisitor {
 public:
  /// `file`: the one that was read.
  DeferredReads(ExternalFiles& files, const std::filesystem::path& file, const osgDB::Options* options)
      : osg::NodeVisitor(TRAVERSE_ACTIVE_CHILDREN),
        files_(files),
        folder_(file.parent_path()),
        options_(options) {}

  using osg::NodeVisitor::apply;

  void apply(osg::PagedLOD& node) override {
    if (files_.completed_.insert(&node).second) complete(node);
    traverse(node);
  }

  void apply(osg::ProxyNode& node) override {
    if (files_.completed_.insert(&node).second) complete(node);
    traverse(node);
  }

 private:
  /// Levels are told by their place, so that those in between, which nobody needs, are kept by empty groups.
  void complete(osg::PagedLOD& node) {
    const unsigned int held = node.getNumChildren();
    for (unsigned int i = 0; i < node.getNumFileNames(); ++i) {
      if (node.getFileName(i).empty() || !osgFitup::detail::isFinestLevel(node, i)) continue;
      if (i < held) {
        if (held < node.getNumFileNames())
          files_.warnings.push_back(
              missing(node.getFileName(i), "not read, its place is taken by another level"));
        continue;
      }
      const osg::ref_ptr<osg::Node> level = read(node.getDatabasePath(), node.getFileName(i));
      if (!level) continue;
      while (node.getNumChildren() < i) node.addChild(new osg::Group);
      node.addChild(level);
    }
  }

  /// Readers of some formats have read all that there is, in any mode: a file must not come twice.
  void complete(osg::ProxyNode& node) {
    std::multiset<std::string> known;  // what the children were read from
    unsigned int own = 0, unnamed = 0;
    for (unsigned int i = 0; i < node.getNumChildren(); ++i) {
      const auto found = files_.nameOfRead_.find(node.getChild(i));
      if (found == files_.nameOfRead_.end())
        ++own;
      else
        known.insert(found->second);
    }
    const unsigned int names = node.getNumFileNames();
    for (unsigned int i = 0; i < names; ++i) unnamed += node.getFileName(i).empty() ? 1 : 0;
    // More own children than slots for them: the file holds copies of what its first names say.
    for (unsigned int i = own > unnamed ? node.getNumChildren() : 0; i < names; ++i) {
      const std::string file = node.getFileName(i);
      if (file.empty()) continue;
      if (const auto found = known.find(file); found != known.end())
        known.erase(found);
      else if (const osg::ref_ptr<osg::Node> child = read(node.getDatabasePath(), file))
        node.addChild(child);
    }
  }

  /// By way of the callback, which goes on with what the file refers to. Null if it cannot be read.
  osg::ref_ptr<osg::Node> read(const std::string& databasePath, const std::string& file) {
    const osg::ref_ptr<osgDB::Options> with =
        options_ != nullptr ? options_->cloneOptions() : new osgDB::Options;
    with->getDatabasePathList().push_front(folder_.string());
    if (!databasePath.empty()) with->getDatabasePathList().push_front((folder_ / databasePath).string());
    auto result = osgDB::Registry::instance()->readNode(file, with);
    return result.getNode();
  }

  ExternalFiles& files_;
  std::filesystem::path folder_;
  const osgDB::Options* options_;
};

osgDB::ReaderWriter::ReadResult ExternalFiles::readNode(const std::string& file,
                                                        const osgDB::Options* options) {
  const bool isSource = open_.empty();
  const std::filesystem::path found = osgDB::findDataFile(file, options);
  // What is no file, or missing, is taken to be where it is looked for first.
  const std::filesystem::path expected =
      !found.empty() ? found : (isSource ? sourceFolder_ : open_.back().parent_path()) / file;
  std::error_code error;
  std::filesystem::path place = std::filesystem::weakly_canonical(expected, error);
  if (error) place = expected.lexically_normal();
  if (std::find(open_.begin(), open_.end(), place) != open_.end()) {
    warnings.push_back(missing(file, "refers to itself, directly or by others, and is not read again"));
    return osgDB::ReaderWriter::ReadResult::FILE_NOT_FOUND;
  }
  open_.push_back(place);
  auto result = osgDB::ReadFileCallback::readNode(file, options);
  if (result.validNode()) {
    DeferredReads deferred(*this, place, options);
    result.getNode()->accept(deferred);
  }
  open_.pop_back();
  if (isSource) return result;
  if (result.validNode())
    nameOfRead_[result.getNode()] = file;
  else
    warnings.push_back(missing(file, "could not be read"));
  if (!found.empty())
    addCompanion(found);
  else if (!result.validNode())
    addCompanion(place);
  return result;
}

/// One that is not there, or closed to us, is noted as well: the answer changes when that does.
void ExternalFiles::addCompanion(const std::filesystem::path& file) {
  if (seen_.insert(file.string()).second) companions.push_back(companionOf_.of(file));
}

}  // namespace fitup::importers
