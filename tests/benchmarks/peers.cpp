#include "contestant.h"

namespace fitup::bench {

#ifdef FITUP_BENCH_FCL
std::vector<std::unique_ptr<Contestant>> makeFclPeers();
#endif

std::vector<std::unique_ptr<Contestant>> makePeers() {
  std::vector<std::unique_ptr<Contestant>> peers;
#ifdef FITUP_BENCH_FCL
  for (auto& peer : makeFclPeers()) peers.push_back(std::move(peer));
#endif
  return peers;
}

}  // namespace fitup::bench
