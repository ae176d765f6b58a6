#pragma once

#include <memory>

#include <fitup/query/posed_body.h>

namespace fitup::detail {

/// The body as it lies in the world, with the same triangle and surface ids and the identity as placement.
/// Its points are rounded to storage.
std::shared_ptr<const BodyModel> bakedBody(const PosedBody& body);

}  // namespace fitup::detail
