#include <algorithm>

#include "contestant.h"

namespace fitup::bench {

// One function per peer, in its own file; present only if the library was found.
#ifdef FITUP_BENCH_HAS_FCL
Contestants makeFclPeers();
Contestants makeFclDistancePeers();
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
#ifdef FITUP_BENCH_HAS_FCL
  return makeFclDistancePeers();
#else
  return {};
#endif
}

std::size_t countSurfacePairs(const std::vector<TrianglePair>& pairs, const TriangleMesh& a,
                              const TriangleMesh& b, std::vector<SurfacePair>& scratch) {
  scratch.clear();
  for (const TrianglePair& pair : pairs) scratch.push_back({a.surfaceOf(pair.a), b.surfaceOf(pair.b)});
  std::sort(scratch.begin(), scratch.end());
  scratch.erase(std::unique(scratch.begin(), scratch.end()), scratch.end());
  return scratch.size();
}

}  // namespace fitup::bench
