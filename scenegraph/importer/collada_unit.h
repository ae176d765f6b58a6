#pragma once

#include <filesystem>
#include <string>

namespace fitup::importers {

/// Returns the unit of the numbers in a COLLADA file, which OpenSceneGraph's plugin keeps as they are. The
/// size of the unit is the one that the plugin has read: 1 m if the file has none (COLLADA 1.4.1, element
/// `unit`) or if it is not a number. So the text of the file is checked as well; alone it is not enough,
/// because a comment could hold another unit. Throws FileError, and InputError for a unit other than mm, cm,
/// m, in and ft.
std::string colladaUnit(const std::filesystem::path& file, double readMeters);

}  // namespace fitup::importers
