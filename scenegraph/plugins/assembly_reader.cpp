#include "assembly_reader.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include <osgFitup/create_scene.h>
#include <osg/Notify>
#include <osgDB/FileNameUtils>
#include <osgDB/FileUtils>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/base/text.h>
#include <fitup/io/read_assembly.h>
#include <fitup/io/warning_summary.h>

namespace osgFitup::plugins {
namespace {

/// Returns the value of the word `key=value`, or otherwise the plugin data of the options with this key,
/// whose values may have white space. Empty if there is neither.
std::optional<std::string> optionValue(const osgDB::Options* options, const std::string& key) {
  if (options == nullptr) return std::nullopt;
  std::istringstream words(options->getOptionString());
  for (std::string word; words >> word;)
    if (word.starts_with(key + "=")) return word.substr(key.size() + 1);
  std::string data = options->getPluginStringData(key);
  return data.empty() ? std::nullopt : std::optional(std::move(data));
}

void readPositive(const osgDB::Options* options, const std::string& key, double& value) {
  const std::optional<std::string> text = optionValue(options, key);
  if (!text) return;
  const auto [stop, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || stop != text->data() + text->size() || !std::isfinite(value) || value <= 0)
    throw fitup::InputError("option " + key, "'" + *text + "'", "not a positive number");
}

bool hasWord(const osgDB::Options* options, const std::string& wanted) {
  if (options == nullptr) return false;
  std::istringstream words(options->getOptionString());
  for (std::string word; words >> word;)
    if (word == wanted) return true;
  return false;
}

/// Throws fitup::InputError.
fitup::ReadOptions readOptionsOf(const osgDB::Options* options) {
  fitup::ReadOptions result;
  readPositive(options, "deflection", result.linearDeflection);
  readPositive(options, "angle", result.angularDeflection);
  result.useCache = !hasWord(options, "noCache");
  if (const std::optional<std::string> root = optionValue(options, "root")) {
    if (root->empty()) throw fitup::InputError("option root", "", "is not a folder");
    result.root = *root;
  }
  return result;
}

}  // namespace

void notifyOf(const std::string& file, const std::vector<fitup::ImportWarning>& warnings) {
  for (const fitup::WarningGroup& group : fitup::summarise(warnings))
    osg::notify(group.first.incomplete ? osg::WARN : osg::NOTICE)
        << fitup::escaped(file + ": " + text(group)) << std::endl;
}

void AssemblyReader::supportReadOptions() {
  supportsOption("deflection=<mm>", "Chord error of the tessellation; default 0.1");
  supportsOption("angle=<radians>", "Angle between neighbouring facets; default 0.5");
  supportRootOption();
  supportsOption("noCache", "Do not use the user's cache of imports");
}

void AssemblyReader::supportRootOption() {
  supportsOption("root=<folder>",
                 "The folder that the file and its references must be in; default: the file's own");
}

osgDB::ReaderWriter::ReadResult AssemblyReader::readObject(const std::string& file,
                                                           const Options* options) const {
  return readNode(file, options);
}

osgDB::ReaderWriter::ReadResult AssemblyReader::readNode(const std::string& file,
                                                         const Options* options) const {
  if (!acceptsExtension(osgDB::getLowerCaseFileExtension(file))) return ReadResult::FILE_NOT_HANDLED;
  const std::string found = osgDB::findDataFile(file, options);
  if (found.empty()) return ReadResult::FILE_NOT_FOUND;
  try {
    const fitup::Model model = fitup::readAssembly(found, readOptionsOf(options));
    notifyOf(found, model.warnings);
    return createScene(sceneOf(model), {.threads = fitup::allCores});
  } catch (const std::exception& error) {
    return ReadResult(fitup::escaped(error.what()));  // viewers print it
  }
}

}  // namespace osgFitup::plugins
