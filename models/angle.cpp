#include <models/angle.h>

#include <cmath>

namespace fitup::models {
namespace {

constexpr double radiansPerTurn = 6.283185307179586476925286766559;

/// Taylor polynomials; for x in [0, pi/4] the first term left out is below 2^-56.
double sinPolynomial(double x) {
  const double s = x * x;
  double sum = 0;
  for (int k = 17; k >= 3; k -= 2) sum = -(1 + sum) * s / static_cast<double>(k * (k - 1));
  return x + x * sum;
}

double cosPolynomial(double x) {
  const double s = x * x;
  double sum = 0;
  for (int k = 18; k >= 2; k -= 2) sum = -(1 + sum) * s / static_cast<double>(k * (k - 1));
  return 1 + sum;
}

}  // namespace

double cosTurns(double turns) {
  double t = turns - std::floor(turns);
  if (t > 0.5) t = 1 - t;
  if (t > 0.25) return -cosTurns(0.5 - t);
  return t <= 0.125 ? cosPolynomial(t * radiansPerTurn) : sinPolynomial((0.25 - t) * radiansPerTurn);
}

double sinTurns(double turns) { return cosTurns(turns - 0.25); }

}  // namespace fitup::models
