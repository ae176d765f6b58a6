#include <algorithm>

#include "contestant.h"
#include "motions.h"

namespace fitup::bench {

// One function per peer, in its own file; present only if the library was found.
#ifdef FITUP_BENCH_HAS_FCL
Contestants makeFclPeers();
Contestants makeFclDistancePeers();
std::vector<MotionContestant> makeFclMotionPeers(const BenchMotion& motion);
#endif
#ifdef FITUP_BENCH_HAS_NATIVE_FCL
Contestants makeNativeFclPeers();
Contestants makeNativeFclDistancePeers();
#endif
#ifdef FITUP_BENCH_HAS_ODE
Contestants makeOdePeers();
#endif
#ifdef FITUP_BENCH_HAS_BULLET
Contestants makeBulletPeers();
#endif
#ifdef FITUP_BENCH_HAS_EMBREE
Contestants makeEmbreePeers();
#endif
#ifdef FITUP_BENCH_HAS_CGAL
Contestants makeCgalPeers();
#endif

Contestants makePeers() {
  Contestants peers;
  [[maybe_unused]] const auto add = [&](Contestants more) {
    for (auto& peer : more) peers.push_back(std::move(peer));
  };
#ifdef FITUP_BENCH_HAS_FCL
  add(makeFclPeers());
#endif
#ifdef FITUP_BENCH_HAS_NATIVE_FCL
  add(makeNativeFclPeers());
#endif
#ifdef FITUP_BENCH_HAS_ODE
  add(makeOdePeers());
#endif
#ifdef FITUP_BENCH_HAS_BULLET
  add(makeBulletPeers());
#endif
#ifdef FITUP_BENCH_HAS_EMBREE
  add(makeEmbreePeers());
#endif
#ifdef FITUP_BENCH_HAS_CGAL
  add(makeCgalPeers());
#endif
  return peers;
}

Contestants makeDistancePeers() {
  Contestants peers;
#ifdef FITUP_BENCH_HAS_FCL
  peers = makeFclDistancePeers();
#endif
#ifdef FITUP_BENCH_HAS_NATIVE_FCL
  for (auto& peer : makeNativeFclDistancePeers()) peers.push_back(std::move(peer));
#endif
  return peers;
}

std::vector<MotionContestant> makeMotionPeers([[maybe_unused]] const BenchMotion& motion) {
#ifdef FITUP_BENCH_HAS_FCL
  return makeFclMotionPeers(motion);
#else
  return {};
#endif
}

}  // namespace fitup::bench
