#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <osgDB/ReaderWriter>

namespace fitup::importers {

/// True if files of this extension (lower case, without the dot) are read: scenes may be one, and may refer
/// to one.
bool isReadable(std::string_view extension);

/// Loads what files of this extension need, and those that they may refer to, so that nothing has to be
/// loaded once a file is open; but not, for a reference that is rare, the readers of Inventor, VRML and
/// COLLADA, which alone take longer (17 and 27 ms) than all others together: these wait until they are asked
/// for. Throws InputError if there is no reader for the extension or its plugin is not installed.
void loadReaders(const std::string& extension);

/// The reader for files of this extension, loaded if it is not yet; null if there is none.
osgDB::ReaderWriter* loadReader(const std::string& extension);

/// True for files of letters (lower case, without the dot), which solid text is made of.
bool isFont(std::string_view extension);
/// Their reader, loaded if it is not yet; null if its plugin is not installed.
osgDB::ReaderWriter* loadFontReader();

/// The full path of a library that osgDB asks for by a name of its own making; nothing if it is not one of
/// the closed list, or not in the folders of OpenSceneGraph's and this project's plugins.
std::optional<std::filesystem::path> allowedLibrary(std::string_view name);

/// True for a path that `allowedLibrary` may give.
bool isAllowedLibrary(const std::filesystem::path& path);

/// What osgDB wants with a library: "osgSim" of "osgPlugins-3.6.5/osgdb_serializers_osgsim.so", in lower
/// case; empty if it is not for classes of objects.
std::string classesOf(std::string_view library);

}  // namespace fitup::importers
