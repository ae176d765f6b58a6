#pragma once

#include <vector>

#include <fitup/planning/detail/level_mesh.h>
#include <fitup/planning/detail/swept_field.h>

namespace fitup::detail {

/// True if a closed surface, which no swept surface touches at any time, certainly has the swept set inside
/// (docs/explanation/swept-volumes.md). `points` are in the indices of the lattice. False if there are too
/// many shells to look at each.
bool holdsEverything(const SweptMotion& motion, const FieldGrid& grid, const std::vector<Vec3>& points,
                     const std::vector<Corners>& triangles);

}  // namespace fitup::detail
