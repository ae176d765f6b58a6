#pragma once

#include <filesystem>
#include <string>

#include <fitup/io/model_file.h>
#include <fitup/motion/contact_map.h>

namespace FITUP_EXPORT fitup {

/// The program and the files from which a map was made.
struct ContactMapSource {
  std::string program, model, track;
};

/// True for the extensions .json and .csv.
bool isContactMapFile(const std::filesystem::path& file);

/// Writes a contact map as JSON or CSV, by the extension (docs/reference/contact-map.md), atomically. Numbers
/// are in the C locale with all digits. Throws FileError, and InputError for any other extension.
void writeContactMap(const std::filesystem::path& file, const ContactMapSource& source, const Model& model,
                     const ContactMap& map);

}  // namespace fitup
