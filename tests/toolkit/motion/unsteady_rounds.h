#pragma once

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include <fitup/motion/slide.h>

#include "support/placements.h"

namespace fitup::test {

/// Moves a part in and out along z, and about it and back, by a hand that is unsteady by many times the play.
/// At the end of every 50 events the hand is back at the start, and requires that the part is, exactly. Calls
/// `look` after every 20th event. Returns the number of events at which the part was held back.
template <class Look>
int unsteadyRounds(SlideGuard& guard, int events, unsigned seed, double way, double unsteady,
                   const Look& look) {
  Random random(seed);
  constexpr int round = 50;
  int held = 0;
  for (int i = 1; i <= events; ++i) {
    CAPTURE(i);
    if (i % round == 0) {
      const SlideUpdate back = guard.update({});
      CHECK(back.isThere);
      REQUIRE(back.pose == RigidMotion{});
      continue;
    }
    const double phase = 2 * std::numbers::pi * i / round;
    const Quaternion turn = axisAngle({0, 0, 1}, 0.8 * std::sin(phase)),
                     off = axisAngle(random.inCube(1), unsteady);
    const RigidMotion hand{normalized(turn * off), Vec3{0, 0, way * std::sin(phase)} + random.inCube(0.3)};
    const SlideUpdate update = guard.update(hand);
    REQUIRE(update.status == ReportStatus::complete);
    REQUIRE(update.pose == guard.pose());
    held += update.isThere ? 0 : 1;
    if (i % 20 == 0) look(update.pose);
  }
  return held;
}

}  // namespace fitup::test
