// FCL compiled for the processor it runs on, in both precisions: a shared library of its own, see
// CMakeLists.txt.
#include "contestant_fcl.h"

namespace fitup::bench {
namespace {

constexpr FclBuild native{" native", FITUP_BENCH_NATIVE_FLAGS, ", compiled from headers for this processor"};

template <typename Volume>
std::unique_ptr<Contestant> make(const char* volume) {
  return std::make_unique<Fcl<Volume>>(volume, Movement::poses, native);
}

}  // namespace

// The only symbols that the library exports, by contestant_fcl_native.map.
[[gnu::visibility("default")]] Contestants makeNativeFclPeers();
[[gnu::visibility("default")]] Contestants makeNativeFclDistancePeers();

Contestants makeNativeFclPeers() {
  Contestants peers;
  peers.push_back(make<fcl::OBB<double>>("OBB"));
  peers.push_back(make<fcl::OBBRSS<double>>("OBBRSS"));
  peers.push_back(make<fcl::kIOS<double>>("kIOS"));
  peers.push_back(make<fcl::OBB<float>>("OBB"));
  peers.push_back(make<fcl::OBBRSS<float>>("OBBRSS"));
  return peers;
}

Contestants makeNativeFclDistancePeers() {
  Contestants peers;
  peers.push_back(make<fcl::RSS<double>>("RSS"));
  peers.push_back(make<fcl::OBBRSS<double>>("OBBRSS"));
  peers.push_back(make<fcl::RSS<float>>("RSS"));
  peers.push_back(make<fcl::OBBRSS<float>>("OBBRSS"));
  return peers;
}

}  // namespace fitup::bench
