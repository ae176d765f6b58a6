#pragma once

namespace fitup::models {

/// Cosine and sine of an angle given in turns (1 = 360 degrees), from additions and multiplications alone, so
/// that the generated coordinates do not depend on the machine's mathematics library. Exact at multiples of a
/// quarter turn; error below 2^-52. Precondition: |turns| < 2^30.
double cosTurns(double turns);
double sinTurns(double turns);

}  // namespace fitup::models
