#include <models/random.h>

#include <cmath>

#include <models/angle.h>

namespace fitup::models {

Quaternion Random::rotation() {
  const double u = unit(), a = unit(), b = unit();
  const double s = std::sqrt(1 - u), t = std::sqrt(u);
  return {s * sinTurns(a), s * cosTurns(a), t * sinTurns(b), t * cosTurns(b)};
}

Vec3 Random::direction() {
  const double z = between(-1, 1), a = unit();
  const double r = std::sqrt(1 - z * z);
  return {r * cosTurns(a), r * sinTurns(a), z};
}

}  // namespace fitup::models
