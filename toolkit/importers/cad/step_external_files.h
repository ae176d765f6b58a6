#pragma once

#include <STEPCAFControl_Reader.hxx>

#include <filesystem>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

#include "source_file.h"

namespace fitup::importers {

/// A file that a STEP file refers to, directly or through others.
struct StepExternalFile {
  std::string name;               ///< the name in the reference
  SourceFile::Reference leadsTo;  ///< the place where the library looks for it
  bool isRead = false;
  Handle(XSControl_WorkSession) session;  ///< null unless it was read
};

/// Copies all files that the library will look for when it transfers what `reader` has read of the source:
/// those named in the source, and, in files that it refers to, everything that looks like the name of a STEP
/// file and is one. The library takes each file for UTF-8, so copies of files in another encoding are
/// converted, from `encoding` as in `Part21File`. A warning says if names had to be guessed.
void fetchExternalFiles(SourceFile& source, STEPCAFControl_Reader& reader, const std::string& encoding,
                        std::vector<ImportWarning>& warnings);

/// Returns all external files, each once, ordered by name. `source` is the file that `reader` has read and
/// transferred.
///
/// Names are relative to the file that holds them; a backslash also separates folders. The library identifies
/// files by their names alone and takes the first file of a name for all others. So the function throws
/// InputError if one name refers to different files, and if the library has read a file outside of the root.
std::vector<StepExternalFile> externalFilesOf(SourceFile& source, STEPCAFControl_Reader& reader);

}  // namespace fitup::importers
