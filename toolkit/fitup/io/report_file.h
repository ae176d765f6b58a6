#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include <fitup/io/model_file.h>
#include <fitup/motion/replay.h>

namespace fitup {

/// What was asked, for the head of a report.
struct ReportContext {
  std::string program;  ///< name and version
  std::string modelFile, trackFile;
  InterferenceOptions options;
};

/// Writes a report of a check or of a replay, atomically; JSON or CSV by the extension (`.json`, `.csv`).
/// docs/formats/report.md describes both. Surfaces and triangles are named by instance path, surface ordinal
/// and name, and by the triangle's index in the source. Throws FileError, InputError for another extension.
void writeReport(const std::filesystem::path& file, const ReportContext& context, const Model& model,
                 const InterferenceReport& report);
void writeReport(const std::filesystem::path& file, const ReportContext& context, const Model& model,
                 const ReplayReport& report);

}  // namespace fitup
