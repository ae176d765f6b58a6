#include "step_external_files.h"

#include <STEPCAFControl_ExternFile.hxx>
#include <STEPConstruct_ExternRefs.hxx>
#include <XSControl_WorkSession.hxx>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/io/detail/file_digest.h>
#include <fitup/io/detail/file_extension.h>
#include <fitup/io/mapped_file.h>

#include "importer_main.h"

namespace fitup::importers {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longestName = 4096;

/// What a file's references name.
std::vector<std::string> namesIn(const Handle(XSControl_WorkSession) & session) {
  STEPConstruct_ExternRefs references(session);
  references.LoadExternRefs();
  std::vector<std::string> names;
  for (int i = 1; i <= references.NbExternRefs(); ++i)
    if (const char* name = references.FileName(i); name != nullptr && *name != '\0') names.emplace_back(name);
  return names;
}

/// The strings of a STEP file that end as names of STEP files do.
std::vector<std::string> fileNamesIn(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t begin = text.find('\''); begin != text.npos; begin = text.find('\'', begin)) {
    const std::size_t end = text.find('\'', ++begin);
    if (end == text.npos) break;
    const std::string_view name = text.substr(begin, end - begin);
    const std::string extension = name.size() < longestName ? fitup::detail::lowerExtension(name) : "";
    if (extension == ".stp" || extension == ".step" || extension == ".p21") names.emplace_back(name);
    begin = end + 1;
  }
  return names;
}

/// It does not matter which of the two is read: they are alike, or both missing.
bool areAlike(const SourceFile::Reference& a, const SourceFile::Reference& b) {
  if (a.bytes == b.bytes || (!a.isFound() && !b.isFound())) return true;
  return a.isFound() && b.isFound() && detail::digestOfFile(a.bytes) == detail::digestOfFile(b.bytes);
}

}  // namespace

void fetchExternalFiles(SourceFile& source, STEPCAFControl_Reader& reader) {
  std::set<fs::path> seen{source.bytes()};
  std::vector<fs::path> unseen;
  const auto fetch = [&](const fs::path& from, const std::string& name) {
    const SourceFile::Reference found = source.find(from, name);
    if (found.isFound() && seen.insert(found.bytes).second) unseen.push_back(found.bytes);
  };
  for (const std::string& name : namesIn(reader.ChangeReader().WS())) fetch(source.bytes(), name);
  while (!unseen.empty()) {
    const fs::path file = std::move(unseen.back());
    unseen.pop_back();
    const auto text = MappedFile::open(file);
    for (const std::string& name : fileNamesIn(text->text()))
      if (source.isThere(file, name)) fetch(file, name);
  }
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
                         "stands for two files, " + both[0] + " and " + both[1] +
                             ", which cannot be told apart; one of them needs another name");
      }
      StepExternalFile& external = known->second;
      external.name = name;
      external.leadsTo = std::move(leadsTo);
      Handle(STEPCAFControl_ExternFile) read;
      if (!files.Find(name.c_str(), read) || read->GetLoadStatus() != IFSelect_RetDone) continue;
      if (external.leadsTo.result == SourceFile::Reference::Result::outside)
        throw InputError("external file " + validUtf8(name), "", external.leadsTo.problem);
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
