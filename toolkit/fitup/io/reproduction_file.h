#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>
#include <fitup/query/reproduction.h>

namespace FITUP_EXPORT fitup {

/// Contents of the files besides the geometry.
struct ReproductionNotes {
  std::string program;   ///< name and version
  std::string question;  ///< "intersection", ...
  std::string model;     ///< the file in question
  std::string a, b;      ///< paths of the instances, with the step of a replay
  std::string unit = "mm";
  /// The command that shows the difference, with "{}" in place of the name of the model file.
  std::string command;
};

/// The two parts as an assembly of two instances, "a" and "b", at their exact poses.
Model reproductionModel(const Reproduction& reproduction, const std::string& unit);

/// Writes `prefix`.fitup, which holds that assembly, and `prefix`.txt: the difference, the command that shows
/// it, both poses, and all triangles in hexadecimal floating point, which is exact. Both atomically. Returns
/// the files. Throws FileError.
std::vector<std::filesystem::path> writeReproduction(const std::filesystem::path& prefix,
                                                     const Reproduction& reproduction,
                                                     const ReproductionNotes& notes);

}  // namespace fitup
