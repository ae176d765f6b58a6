#pragma once

#include <fitup/scene/assembly.h>

namespace fitup::viewer {

// What fields for lengths go by: a model in metres needs other decimals and steps than one in millimetres,
// and only the numbers of the model show the size of its unit.

/// Diagonal of the box of all instances where they are designed; 1 for an assembly without any.
double sizeOf(const Assembly& assembly);
/// Decimals that show a hundred-thousandth of the size; 2 at least, 12 at most.
int decimalsFor(double size);
/// A step for nudges and snapping: 1, or a power of ten of at most a hundredth of the size.
double stepFor(double size);
/// False for a step that would carry parts out of the model, or that nobody would see: one of another unit.
bool fits(double step, double size);

}  // namespace fitup::viewer
