#pragma once

#include <filesystem>
#include <string>

namespace fitup::importers {

/// The unit of a COLLADA file's numbers, which OpenSceneGraph's plugin keeps as they are: by the size that
/// the plugin has read, which is 1 m where the file has none (COLLADA 1.4.1, element `unit`) and where it is
/// no number. So the text of the file is looked at as well; by itself it could be deceived by a comment.
/// Throws FileError, and InputError for a unit that is not one of mm, cm, m, in, ft.
std::string colladaUnit(const std::filesystem::path& file, double readMeters);

}  // namespace fitup::importers
