#include "contestant_fcl.h"

namespace fitup::bench {
namespace {

/// Double precision is instantiated in the package's library.
constexpr FclBuild packaged{"", FCL_HAVE_SSE ? "packaged, its SSE on" : "packaged, its SSE off", ""},
    fromHeaders{"", "as this program, see flags", ", compiled from headers"};

template <typename Volume>
std::unique_ptr<Contestant> make(const char* volume, Movement movement = Movement::poses) {
  const bool isPackaged = std::is_same_v<typename Volume::S, double>;
  return std::make_unique<Fcl<Volume>>(volume, movement, isPackaged ? packaged : fromHeaders);
}

}  // namespace

Contestants makeFclDistancePeers() {
  Contestants peers;
  peers.push_back(make<fcl::RSS<double>>("RSS"));
  peers.push_back(make<fcl::OBBRSS<double>>("OBBRSS"));
  peers.push_back(make<fcl::kIOS<double>>("kIOS"));
  peers.push_back(make<fcl::RSS<float>>("RSS"));
  peers.push_back(make<fcl::OBBRSS<float>>("OBBRSS"));
  return peers;
}

Contestants makeFclPeers() {
  Contestants peers;
  peers.push_back(make<fcl::OBB<double>>("OBB"));
  peers.push_back(make<fcl::OBBRSS<double>>("OBBRSS"));
  peers.push_back(make<fcl::kIOS<double>>("kIOS"));
  peers.push_back(make<fcl::OBB<float>>("OBB"));
  peers.push_back(make<fcl::AABB<double>>("AABB", Movement::rebuilds));
  peers.push_back(make<fcl::RSS<double>>("RSS", Movement::rebuilds));
  peers.push_back(make<fcl::KDOP<double, 18>>("18-DOP", Movement::rebuilds));
  return peers;
}

}  // namespace fitup::bench
