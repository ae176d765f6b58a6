#include "contestant_fcl.h"

#include <fitup/base/error.h>
#include <fitup/motion/replay.h>

#include "motions.h"

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

/// FCL follows each pair from step to step, by its own interpolation of the poses.
class FclMotions {
 public:
  using Model = fcl::BVHModel<fcl::OBBRSSd>;

  explicit FclMotions(const BenchMotion& motion) : motion_(motion) {
    const fitup::Scene& scene = motion.scene;
    const std::vector<MovedGroup> groups = resolve(motion.track, scene.assembly());
    for (const NodeId node : scene.instances()) {
      const bool moves = std::ranges::find(groups.front().instances, node) != groups.front().instances.end();
      (moves ? moved_ : rest_)
          .push_back({FclInput<double>(scene.modelOf(node).mesh()).built<fcl::OBBRSSd>(),
                      scene.designPlacement(node)});
    }
  }

  void follow(fcl::CCDSolverType solver, std::size_t iterations) const {
    fcl::ContinuousCollisionRequestd request(iterations, 1e-4, fcl::CCDM_LINEAR, fcl::GST_LIBCCD, solver);
    const Track& track = motion_.track;
    for (std::size_t k = 0; k + 1 < track.steps.size(); ++k)
      for (const Part& a : moved_)
        for (const Part& b : rest_) {
          fcl::ContinuousCollisionResultd result;
          const auto from = fclPose<double>(track.steps[k][0].transform() * a.placed),
                     to = fclPose<double>(track.steps[k + 1][0].transform() * a.placed),
                     rest = fclPose<double>(b.placed);
          fcl::continuousCollide(a.model.get(), from, to, b.model.get(), rest, rest, request, result);
          if (result.is_collide) throw Error("FCL finds a collision at step " + std::to_string(k));
        }
  }

 private:
  struct Part {
    std::unique_ptr<Model> model;
    Transform placed;
  };

  const BenchMotion& motion_;
  std::vector<Part> moved_, rest_;
};

}  // namespace

std::vector<MotionContestant> makeFclMotionPeers(const BenchMotion& motion) {
  const auto peer = std::make_shared<const FclMotions>(motion);
  return {{"FCL OBBRSS, conservative advancement", "nothing touches, for each pair between two steps",
           [peer] { peer->follow(fcl::CCDC_CONSERVATIVE_ADVANCEMENT, 1000); }},
          {"FCL OBBRSS, 10 samples", "nothing touches at ten poses between two steps",
           [peer] { peer->follow(fcl::CCDC_NAIVE, 10); }}};
}

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
