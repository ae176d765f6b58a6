#pragma once

#include <STEPCAFControl_Reader.hxx>

#include <filesystem>
#include <string>
#include <vector>

namespace fitup::importers {

/// A file that a STEP file refers to, directly or by others.
struct StepExternalFile {
  std::string name;            ///< as the reference has it
  std::filesystem::path path;  ///< where the library looks for it
  bool isThere = false, isRead = false;
  Handle(XSControl_WorkSession) session;  ///< null unless it was read
};

/// All of them, each once, ordered by name. `source` is the file that `reader` has read and transferred.
///
/// Names are relative to the file that has them; a backslash parts folders too. The library knows files by
/// their names alone and takes the first of a name for all others: throws InputError where different files
/// are referred to by one name.
std::vector<StepExternalFile> externalFilesOf(const std::filesystem::path& source,
                                              STEPCAFControl_Reader& reader);

}  // namespace fitup::importers
