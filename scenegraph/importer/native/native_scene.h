#pragma once

#include <filesystem>
#include <vector>

#include <osg/Node>
#include <osg/ref_ptr>
#include <osgDB/Options>

#include <fitup/io/model_file.h>

namespace fitup::importers {

/// A scene as osgDB's serializers read it, and what they left out of the file.
struct NativeScene {
  osg::ref_ptr<osg::Node> node;
  std::vector<ImportWarning> warnings;  ///< about what was left out and may be geometry
};

/// Reads .osgt, .osgb and .osgx. Replaces osgDB's plugin, which silently drops what it does not know and what
/// is missing from a truncated file. Here each byte is read by a serializer, or there is a warning. Throws
/// InputError with the place in the file; FileError; std::bad_alloc.
NativeScene readNativeScene(const std::filesystem::path& file, const osgDB::Options* options);

/// Returns true for the extensions (lower case, without the dot) that it reads.
bool isNativeScene(std::string_view extension);

}  // namespace fitup::importers
