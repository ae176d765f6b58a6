#pragma once

#include <filesystem>
#include <string>

#include <fitup/io/model_file.h>
#include <fitup/motion/contact_map.h>

namespace FITUP_EXPORT fitup {

/// Of which files a map is.
struct ContactMapSource {
  std::string program, model, track;
};

/// True for .json and .csv.
bool isContactMapFile(const std::filesystem::path& file);

/// Writes a contact map as JSON or CSV by the extension (docs/reference/contact-map.md), atomically, numbers in the
/// C locale with all their digits. Throws InputError for another extension, FileError.
void writeContactMap(const std::filesystem::path& file, const ContactMapSource& source, const Model& model,
                     const ContactMap& map);

}  // namespace fitup
