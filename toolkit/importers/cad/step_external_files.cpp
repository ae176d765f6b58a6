#include "step_external_files.h"

#include <STEPCAFControl_ExternFile.hxx>
#include <STEPConstruct_ExternRefs.hxx>
#include <XSControl_WorkSession.hxx>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/io/mapped_file.h>

#include "importer_main.h"

namespace fitup::importers {
namespace {

namespace fs = std::filesystem;

/// What a file's references name.
std::vector<std::string> namesIn(const Handle(XSControl_WorkSession) & session) {
  STEPConstruct_ExternRefs references(session);
  references.LoadExternRefs();
  std::vector<std::string> names;
  for (int i = 1; i <= references.NbExternRefs(); ++i)
    if (const char* name = references.FileName(i); name != nullptr && *name != '\0') names.emplace_back(name);
  return names;
}

fs::path pathOf(std::string name, const fs::path& referring) {
  std::replace(name.begin(), name.end(), '\\', '/');
  return (referring.parent_path() / name).lexically_normal();
}

/// It does not matter which of the two is read: they are alike, or both missing.
bool areAlike(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  if (a == b || (!fs::exists(a, ignored) && !fs::exists(b, ignored)) || fs::equivalent(a, b, ignored))
    return true;
  try {
    return blockChecksum(MappedFile::open(a)->bytes()) == blockChecksum(MappedFile::open(b)->bytes());
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace

std::vector<StepExternalFile> externalFilesOf(const fs::path& source, STEPCAFControl_Reader& reader) {
  const auto& files = reader.ExternFiles();
  const auto shown = [&](const fs::path& file) {
    return validUtf8(file.lexically_proximate(source.parent_path()).string());
  };
  std::map<std::string, StepExternalFile> found;
  std::vector<std::pair<fs::path, Handle(XSControl_WorkSession)>> referring{
      {source, reader.ChangeReader().WS()}};
  while (!referring.empty()) {
    const auto [file, session] = std::move(referring.back());
    referring.pop_back();
    for (const std::string& name : namesIn(session)) {
      const fs::path path = pathOf(name, file);
      const auto [known, isNew] = found.try_emplace(name);
      if (!isNew) {
        if (areAlike(path, known->second.path)) continue;
        std::array both{shown(path), shown(known->second.path)};
        std::sort(both.begin(), both.end());
        throw InputError("external file " + validUtf8(name), "",
                         "stands for two files, " + both[0] + " and " + both[1] +
                             ", which cannot be told apart; one of them needs another name");
      }
      StepExternalFile& external = known->second;
      external.name = name;
      external.path = path;
      std::error_code ignored;
      external.isThere = fs::is_regular_file(path, ignored);
      Handle(STEPCAFControl_ExternFile) read;
      if (!external.isThere || !files.Find(name.c_str(), read) || read->GetLoadStatus() != IFSelect_RetDone)
        continue;
      external.isRead = read->GetTransferStatus();
      external.session = read->GetWS();
      if (!external.session.IsNull()) referring.emplace_back(path, external.session);
    }
  }
  std::vector<StepExternalFile> list;
  for (auto& [name, external] : found) list.push_back(std::move(external));
  return list;
}

}  // namespace fitup::importers
