#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>
#include <fitup/query/reproduction.h>

namespace FITUP_EXPORT fitup {

/// What the files say besides the geometry.
struct ReproductionNotes {
  std::string program;   ///< name and version
  std::string question;  ///< "intersection", ...
  std::string model;     ///< the file that was asked about
  std::string a, b;      ///< paths of the instances, with the step of a replay
  std::string unit = "mm";
  /// The command that shows the difference, but for the name of the model file, which stands for "{}".
  std::string command;
};

/// The two parts as an assembly of two instances, "a" and "b", at the very poses.
Model reproductionModel(const Reproduction& reproduction, const std::string& unit);

/// Writes `prefix`.fitup, that assembly, and `prefix`.txt: what differs, the command that shows it, both
/// poses and all triangles in hexadecimal floating point, which is exact. Both atomically. Returns the files.
/// Throws FileError.
std::vector<std::filesystem::path> writeReproduction(const std::filesystem::path& prefix,
                                                     const Reproduction& reproduction,
                                                     const ReproductionNotes& notes);

}  // namespace fitup
