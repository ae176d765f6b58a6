#pragma once

#include <string>

#include <fitup/base/error.h>
#include <fitup/scene/assembly.h>

namespace FITUP_EXPORT fitup {

/// Runs the query of a pair and adds the paths of the two instances to the messages of its errors.
template <typename Query>
auto namingInstances(const Assembly& assembly, NodeId a, NodeId b, const Query& query) {
  const auto named = [&](const Error& error) {
    return "'" + assembly.path(a) + "' and '" + assembly.path(b) + "': " + error.what();
  };
  try {
    return query();
  } catch (const PlacementError& error) {
    throw PlacementError(named(error));
  } catch (const RangeError& error) {
    throw RangeError(named(error));
  }
}

}  // namespace fitup
