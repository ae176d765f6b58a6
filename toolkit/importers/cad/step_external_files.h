#pragma once

#include <STEPCAFControl_Reader.hxx>

#include <filesystem>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

#include "source_file.h"

namespace fitup::importers {

/// A file that a STEP file refers to, directly or by others.
struct StepExternalFile {
  std::string name;               ///< as the reference has it
  SourceFile::Reference leadsTo;  ///< where the library looks for it
  bool isRead = false;
  Handle(XSControl_WorkSession) session;  ///< null unless it was read
};

/// Copies all that the library will look for when it transfers what `reader` has read of the source: names in
/// the source, and in files that it refers to all that look like names of STEP files and are some. The
/// library takes each for UTF-8, so copies of what is in another encoding are made so: from `encoding`, as
/// for `Part21File`. Whether names had to be guessed at is a warning.
void fetchExternalFiles(SourceFile& source, STEPCAFControl_Reader& reader, const std::string& encoding,
                        std::vector<ImportWarning>& warnings);

/// All of them, each once, ordered by name. `source` is the file that `reader` has read and transferred.
///
/// Names are relative to the file that has them; a backslash parts folders too. The library knows files by
/// their names alone and takes the first of a name for all others: throws InputError where different files
/// are referred to by one name, and where it has read one that lies outside of the root.
std::vector<StepExternalFile> externalFilesOf(SourceFile& source, STEPCAFControl_Reader& reader);

}  // namespace fitup::importers
