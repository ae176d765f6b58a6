#pragma once

#include <filesystem>
#include <vector>

#include <osg/Node>
#include <osg/ref_ptr>
#include <osgDB/Options>

#include <fitup/io/model_file.h>

namespace fitup::importers {

/// A scene as osgDB's serializers read it, and what of the file they left out.
struct NativeScene {
  osg::ref_ptr<osg::Node> node;
  std::vector<ImportWarning> warnings;  ///< where geometry may be among it
};

/// Reads .osgt, .osgb and .osgx. In place of osgDB's plugin, which drops without a word what it does not know
/// and what a file that is cut off lacks: each byte is read by a serializer, or there is a warning. Throws
/// InputError with the place in the file; FileError; std::bad_alloc.
NativeScene readNativeScene(const std::filesystem::path& file, const osgDB::Options* options);

/// True for the extensions (lower case, without the dot) that it reads.
bool isNativeScene(std::string_view extension);

}  // namespace fitup::importers
