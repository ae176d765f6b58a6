#include "step_external_files.h"

#include <STEPCAFControl_ExternFile.hxx>
#include <STEPConstruct_ExternRefs.hxx>
#include <XSControl_WorkSession.hxx>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/io/file_digest.h>

#include "importer_main.h"
#include "part21_file.h"

namespace fitup::importers {
namespace {

namespace fs = std::filesystem;

/// Returns the names in a file's references.
std::vector<std::string> namesIn(const Handle(XSControl_WorkSession) & session) {
  STEPConstruct_ExternRefs references(session);
  references.LoadExternRefs();
  std::vector<std::string> names;
  for (int i = 1; i <= references.NbExternRefs(); ++i)
    if (const char* name = references.FileName(i); name != nullptr && *name != '\0') names.emplace_back(name);
  return names;
}

/// Whether it does not matter which of the two is read, because they are equal or both missing.
bool areAlike(const SourceFile::Reference& a, const SourceFile::Reference& b) {
  if (a.bytes == b.bytes || (!a.isFound() && !b.isFound())) return true;
  return a.isFound() && b.isFound() && digestOfFile(a.bytes) == digestOfFile(b.bytes);
}

}  // namespace

void fetchExternalFiles(SourceFile& source, STEPCAFControl_Reader& reader, const std::string& encoding,
                        std::vector<ImportWarning>& warnings) {
  const auto inUtf8 = [&](const fs::path& file) {
    try {
      const Part21File read(file, encoding);
      if (!read.isConverted()) return std::string(read.text());
      std::string text(read.text());
      if (source.replaceCopy(file, text) && read.encodingWarning()) {
        const std::string name = file.lexically_proximate(source.bytes().parent_path()).string();
        warnings.push_back(*read.encodingWarning());
        warnings.back().element = validUtf8(name) + ": " + warnings.back().element;
      }
      return text;
    } catch (const InputError&) {  // a file of another format has no references
      return std::string();
    }
  };
  for (const std::string& name : namesIn(reader.ChangeReader().WS()))
    if (const SourceFile::Reference found = source.find(name);
        found.isFound() && found.bytes != source.bytes())
      source.findQuoted(
          found.bytes, "'",
          [](std::string_view extension) {
            return extension == ".stp" || extension == ".step" || extension == ".p21";
          },
          inUtf8);
}

std::vector<StepExternalFile> externalFilesOf(SourceFile& source, STEPCAFControl_Reader& reader) {
  const auto& files = reader.ExternFiles();
  const auto shown = [&](const SourceFile::Reference& file) {
    return validUtf8(file.bytes.lexically_proximate(source.bytes().parent_path()).string());
  };
  std::map<std::string, StepExternalFile> found;
  std::vector<std::pair<fs::path, Handle(XSControl_WorkSession)>> referring{
      {source.bytes(), reader.ChangeReader().WS()}};
  while (!referring.empty()) {
    const auto [file, session] = std::move(referring.back());
    referring.pop_back();
    for (const std::string& name : namesIn(session)) {
      SourceFile::Reference leadsTo = source.find(file, name);
      const auto [known, isNew] = found.try_emplace(name);
      if (!isNew) {
        if (areAlike(leadsTo, known->second.leadsTo)) continue;
        std::array both{shown(leadsTo), shown(known->second.leadsTo)};
        std::sort(both.begin(), both.end());
        throw InputError("external file " + validUtf8(name), "",
                         "may refer to two files, " + both[0] + " and " + both[1] +
                             ", which cannot be distinguished; one of them needs another name");
      }
      StepExternalFile& external = known->second;
      external.name = name;
      external.leadsTo = std::move(leadsTo);
      Handle(STEPCAFControl_ExternFile) read;
      if (!files.Find(name.c_str(), read) || read->GetLoadStatus() != IFSelect_RetDone) continue;
      if (external.leadsTo.result == SourceFile::Reference::Result::outside)
        throw InputError("external file " + validUtf8(name), "", external.leadsTo.problem);
      // The library has opened the file itself, not its copy.
      if (fs::path(name).is_absolute())
        throw InputError("external file " + validUtf8(name), "",
                         "has an absolute path, which is not followed");
      if (!external.leadsTo.isFound()) continue;
      external.isRead = read->GetTransferStatus();
      external.session = read->GetWS();
      if (!external.session.IsNull()) referring.emplace_back(external.leadsTo.bytes, external.session);
    }
  }
  std::vector<StepExternalFile> list;
  for (auto& [name, external] : found) list.push_back(std::move(external));
  return list;
}

}  // namespace fitup::importers
