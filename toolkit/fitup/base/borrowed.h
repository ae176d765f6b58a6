#pragma once

#include <memory>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// A shared pointer that does not own its object. The caller keeps the object alive while the pointer is in
/// use. There is no reference count, so threads do not contend for one in inner loops.
template <typename Object>
std::shared_ptr<const Object> borrowed(const Object& object) noexcept {
  return {std::shared_ptr<const void>{}, &object};
}

}  // namespace fitup
