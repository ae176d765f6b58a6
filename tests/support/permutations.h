#pragma once

#include <array>

#include <fitup/geometry/vec3.h>

namespace fitup::test {

/// Returns the triangle with its corners in every order.
inline std::array<Triangle, 6> permutations(const Triangle& t) {
  return {{{{t.v[0], t.v[1], t.v[2]}},
           {{t.v[0], t.v[2], t.v[1]}},
           {{t.v[1], t.v[0], t.v[2]}},
           {{t.v[1], t.v[2], t.v[0]}},
           {{t.v[2], t.v[0], t.v[1]}},
           {{t.v[2], t.v[1], t.v[0]}}}};
}

}  // namespace fitup::test
