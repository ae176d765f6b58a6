#pragma once

#include <osg/Node>

#include <fitup/base/error.h>

namespace osgFitup::detail {

/// Returns the argument of a caller. Throws fitup::InputError, naming function and argument, for null.
template <typename T>
T& given(T* argument, const char* function, const char* name) {
  if (argument == nullptr) throw fitup::InputError(function, name, "is null");
  return *argument;
}

/// Checks each node of a path, which may be empty, in the same way.
template <typename Path>
const Path& givenPath(const Path& path, const char* function, const char* name) {
  for (const osg::Node* node : path) (void)given(node, function, name);
  return path;
}

}  // namespace osgFitup::detail
