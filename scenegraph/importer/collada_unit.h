#pragma once

#include <filesystem>
#include <string>

namespace fitup::importers {

/// The unit of a COLLADA file's numbers, which OpenSceneGraph's plugin keeps as they are: that of the `unit`
/// element of its `asset`, and metres where there is none (COLLADA 1.4.1, element `unit`). Throws FileError,
/// and InputError for a unit that is none of mm, cm, m, in, ft.
std::string colladaUnit(const std::filesystem::path& file);

}  // namespace fitup::importers
