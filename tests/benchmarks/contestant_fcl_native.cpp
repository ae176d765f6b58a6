// FCL compiled for the processor it runs on, in both precisions: a shared library of its own, see
// CMakeLists.txt.
#include "contestant_fcl.h"

namespace fitup::bench {
namespace {

constexpr FclBuild native{" native", FITUP_BENCH_NATIVE_FLAGS,
                          ", compiled from headers for this processor, without the dispatch over shapes"};

/// What FCL's functions for any two shapes end up in. These would compile for minutes, for all pairs of
/// shapes.
struct DirectCalls {
  template <typename Volume, typename Request, typename Result, typename Pose>
  static void collide(const fcl::BVHModel<Volume>& a, const Pose& poseA, const fcl::BVHModel<Volume>& b,
                      const Pose& poseB, const Request& request, Result& result) {
    fcl::detail::BVHCollide<Volume>(&a, poseA, &b, poseB, request, result);
  }
  template <typename Volume, typename Request, typename Result, typename Pose>
  static void distance(const fcl::BVHModel<Volume>& a, const Pose& poseA, const fcl::BVHModel<Volume>& b,
                       const Pose& poseB, const Request& request, Result& result) {
    fcl::detail::BVHDistance<Volume>(&a, poseA, &b, poseB, request, result);
  }
};

template <typename Volume>
std::unique_ptr<Contestant> make(const char* volume) {
  return std::make_unique<Fcl<Volume, DirectCalls>>(volume, Movement::poses, native);
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
