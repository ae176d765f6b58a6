#pragma once

#include <fitup/scene/assembly.h>

namespace fitup::viewer {

// Decimals and steps of fields for lengths. A model in metres needs others than one in millimetres, and only
// the numbers of the model show the size of its unit.

/// Returns the diagonal of the box of all instances in their design placements; 1 for an assembly without
/// instances.
double sizeOf(const Assembly& assembly);
/// Returns the number of decimals that show a hundred-thousandth of the size; 2 to 12.
int decimalsFor(double size);
/// Returns a step for nudges and snapping: 1, or a power of ten that is at most a hundredth of the size.
double stepFor(double size);
/// Returns false for a step that is too large or too small for the model, such as one for another unit.
bool fits(double step, double size);

}  // namespace fitup::viewer
