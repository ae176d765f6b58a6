#pragma once

#include <memory>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// An object that somebody else keeps alive for as long as the pointer is used: nothing is counted, so that
/// inner loops and threads do not wait for each other.
template <typename Object>
std::shared_ptr<const Object> borrowed(const Object& object) noexcept {
  return {std::shared_ptr<const void>{}, &object};
}

}  // namespace fitup
