#pragma once

#include <osg/Node>

#include <fitup/base/error.h>

namespace osgFitup::detail {

/// What a caller has handed over. Throws fitup::InputError naming function and argument for null.
template <typename T>
T& given(T* argument, const char* function, const char* name) {
  if (argument == nullptr) throw fitup::InputError(function, name, "is null");
  return *argument;
}

/// The same for each node of a path, which may be empty.
template <typename Path>
const Path& givenPath(const Path& path, const char* function, const char* name) {
  for (const osg::Node* node : path) (void)given(node, function, name);
  return path;
}

}  // namespace osgFitup::detail
