#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <osgDB/ReaderWriter>

namespace fitup::importers {

/// Returns true if files of this extension (lower case, without the dot) are read, as scenes or as files that
/// scenes refer to.
bool isReadable(std::string_view extension);

/// Loads the plugins for files of this extension and for those that they may refer to, so that nothing has to
/// be loaded after a file is opened. For the sake of rare references, it does not load the readers of
/// Inventor, VRML and COLLADA, which alone take longer (17 and 27 ms) than all others together; these are
/// loaded on request. Throws InputError if there is no reader for the extension or its plugin is not
/// installed.
void loadReaders(const std::string& extension);

/// Returns the reader for files of this extension, loading it if necessary; null if there is none.
osgDB::ReaderWriter* loadReader(const std::string& extension);

/// Returns true for extensions of font files (lower case, without the dot), which solid text needs.
bool isFont(std::string_view extension);
/// Returns the reader of fonts, loading it if necessary; null if its plugin is not installed.
osgDB::ReaderWriter* loadFontReader();

/// Returns the full path of a library that osgDB requests by a constructed name; empty if it is not in the
/// closed list or not in the plugin folders of OpenSceneGraph and this project.
std::optional<std::filesystem::path> allowedLibrary(std::string_view name);

/// Returns true for a path that `allowedLibrary` may return.
bool isAllowedLibrary(const std::filesystem::path& path);

/// Returns the classes for which osgDB wants a library, in lower case: "osgsim" for
/// "osgPlugins-3.6.5/osgdb_serializers_osgsim.so". Empty if the library is not for classes of objects.
std::string classesOf(std::string_view library);

}  // namespace fitup::importers
