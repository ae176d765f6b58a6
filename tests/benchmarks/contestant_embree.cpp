#include "contestant.h"

#include <embree3/rtcore.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>

namespace fitup::bench {
namespace {

struct Release {
  void operator()(RTCDeviceTy* device) const { rtcReleaseDevice(device); }
  void operator()(RTCSceneTy* scene) const { rtcReleaseScene(scene); }
  void operator()(RTCGeometryTy* geometry) const { rtcReleaseGeometry(geometry); }
};

/// How the moved part gets into place.
enum class Way {
  refit,     ///< inside the clock: vertices rewritten, tree refitted
  rebuild,   ///< inside the clock: vertices rewritten, tree rebuilt at low quality
  notMoved,  ///< outside the clock, tree built at high quality
};

/// A part as user geometry (rtcCollide takes no other) at a place in the world.
struct PlacedPart {
  const TriangleMesh* mesh = nullptr;
  std::vector<Vec3> world;  ///< points
  std::optional<Transform> worldFromPart;
  std::unique_ptr<RTCGeometryTy, Release> geometry;
  std::unique_ptr<RTCSceneTy, Release> scene;

  [[nodiscard]] Triangle triangle(std::uint32_t i) const {
    const TriangleIndices& t = mesh->triangles()[i];
    return {{world[t[0]], world[t[1]], world[t[2]]}};
  }
};

/// Box of a triangle in floats, rounded outward.
void boundTriangle(const RTCBoundsFunctionArguments* arguments) {
  constexpr float huge = std::numeric_limits<float>::infinity();
  const Triangle t = static_cast<const PlacedPart*>(arguments->geometryUserPtr)->triangle(arguments->primID);
  float low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    const double least = std::min({t.v[0][k], t.v[1][k], t.v[2][k]});
    const double most = std::max({t.v[0][k], t.v[1][k], t.v[2][k]});
    low[k] = static_cast<float>(least);
    high[k] = static_cast<float>(most);
    if (static_cast<double>(low[k]) > least) low[k] = std::nextafter(low[k], -huge);
    if (static_cast<double>(high[k]) < most) high[k] = std::nextafter(high[k], huge);
  }
  RTCBounds& bounds = *arguments->bounds_o;
  bounds.lower_x = low[0], bounds.lower_y = low[1], bounds.lower_z = low[2];
  bounds.upper_x = high[0], bounds.upper_y = high[1], bounds.upper_z = high[2];
}

/// Embree's rtcCollide on two scenes, each a part in world coordinates. It has no poses: a part that moved is
/// written anew. It hands over pairs of triangles whose boxes meet; its users test the triangles, here by
/// Fitup's exact test on the doubles. It cannot be ended at the first pair; the callback then looks away.
class Embree : public Contestant {
 public:
  explicit Embree(Way way) : way_(way), device_(rtcNewDevice("threads=1,set_affinity=0")) {
    if (!device_) throw std::runtime_error("Embree: no device");
    rtcSetDeviceMemoryMonitorFunction(
        device_.get(),
        [](void* self, ssize_t bytes, bool) {
          static_cast<Embree*>(self)->bytes_ += bytes;
          return true;
        },
        this);
  }
  ~Embree() override { clear(); }

  [[nodiscard]] ContestantInfo info() const override {
    ContestantInfo info;
    info.name = way_ == Way::refit     ? "Embree moved, refit"
                : way_ == Way::rebuild ? "Embree moved, rebuilt"
                                       : "Embree not moved";
    const auto property = [&](RTCDeviceProperty p) { return rtcGetDeviceProperty(device_.get(), p); };
    info.software = "Embree " + std::to_string(property(RTC_DEVICE_PROPERTY_VERSION_MAJOR)) + "." +
                   std::to_string(property(RTC_DEVICE_PROPERTY_VERSION_MINOR)) + "." +
                   std::to_string(property(RTC_DEVICE_PROPERTY_VERSION_PATCH));
    info.builtFor = property(RTC_DEVICE_PROPERTY_NATIVE_RAY16_SUPPORTED) != 0
                        ? "packaged, AVX-512 at run time"
                    : property(RTC_DEVICE_PROPERTY_NATIVE_RAY8_SUPPORTED) != 0 ? "packaged, AVX at run time"
                                                                               : "packaged, SSE at run time";
    info.note = "rtcCollide on user geometry, Fitup's exact triangle test in the callback";
    info.movement = way_ == Way::notMoved ? Movement::notMoved : Movement::rewrites;
    return info;
  }
  [[nodiscard]] bool answers(QueryMode) const override { return true; }

  void load(const Parts& parts) override {
    clear();
    meshes_ = parts;
  }
  /// Commits each part where it stands as designed.
  void build() override {
    clear();
    for (const auto& mesh : meshes_) {
      PlacedPart& part = *moved_.emplace_back(std::make_unique<PlacedPart>());
      start(part, *mesh,
            way_ == Way::refit     ? RTC_BUILD_QUALITY_REFIT
            : way_ == Way::rebuild ? RTC_BUILD_QUALITY_LOW
                                   : RTC_BUILD_QUALITY_HIGH);
      move(part, {});
    }
    built_ = bytes_;
  }
  /// By Embree's memory monitor.
  [[nodiscard]] std::optional<std::size_t> hierarchyBytes() const override {
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, built_));
  }

  /// Parts that rest are committed once, at the highest quality.
  void enter(const Scene& scene) override {
    for (auto& resting : resting_) resting.clear();
    resting_.resize(meshes_.size());
    for (const auto& step : scene.steps)
      for (const PosedPair& pair : step) rest(pair);
  }
  [[nodiscard]] bool placesOutsideClock() const override { return way_ == Way::notMoved; }
  void place(const PosedPair& pair) override { moveIfNeeded(pair); }

  void beginStep() override {
    if (way_ == Way::notMoved) return;
    for (auto& part : moved_) part->worldFromPart.reset();
  }
  std::size_t query(const PosedPair& pair, QueryMode mode) override {
    PlacedPart& a = rest(pair);
    if (way_ != Way::notMoved) moveIfNeeded(pair);
    Collect collect{a, *moved_[pair.partB], mode == QueryMode::firstSurfacePair, pairs_};
    pairs_.clear();
    rtcCollide(a.scene.get(), collect.b.scene.get(), collide, &collect);
    if (mode != QueryMode::allSurfacePairs) return pairs_.size();
    return countSurfacePairs(pairs_, *meshes_[pair.partA], *meshes_[pair.partB], surfaces_);
  }

 private:
  struct Collect {
    const PlacedPart &a, &b;
    bool first;
    std::vector<TrianglePair>& pairs;
  };
  static void collide(void* user, RTCCollision* collisions, unsigned count) {
    Collect& collect = *static_cast<Collect*>(user);
    for (unsigned i = 0; i < count; ++i) {
      if (collect.first && !collect.pairs.empty()) return;
      if (intersectTriangleTriangle(collect.a.triangle(collisions[i].primID0),
                                    collect.b.triangle(collisions[i].primID1)))
        collect.pairs.push_back({TriangleId(collisions[i].primID0), TriangleId(collisions[i].primID1)});
    }
  }

  void start(PlacedPart& part, const TriangleMesh& mesh, RTCBuildQuality quality) {
    part.mesh = &mesh;
    part.world.resize(mesh.points().size());
    part.scene.reset(rtcNewScene(device_.get()));
    // Only a scene of low quality keeps a tree for each geometry, which can be refitted.
    const bool dynamic = quality != RTC_BUILD_QUALITY_HIGH;
    rtcSetSceneFlags(part.scene.get(),
                     RTC_SCENE_FLAG_ROBUST | (dynamic ? RTC_SCENE_FLAG_DYNAMIC : RTC_SCENE_FLAG_NONE));
    rtcSetSceneBuildQuality(part.scene.get(), dynamic ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_HIGH);
    part.geometry.reset(rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_USER));
    rtcSetGeometryBuildQuality(part.geometry.get(), quality);
    rtcSetGeometryUserPrimitiveCount(part.geometry.get(), static_cast<unsigned>(mesh.triangleCount()));
    rtcSetGeometryUserData(part.geometry.get(), &part);
    rtcSetGeometryBoundsFunction(part.geometry.get(), boundTriangle, nullptr);
    rtcAttachGeometry(part.scene.get(), part.geometry.get());
  }
  static void move(PlacedPart& part, const Transform& worldFromPart) {
    for (std::uint32_t i = 0; i < part.world.size(); ++i)
      part.world[i] = worldFromPart.apply(part.mesh->pointInPart(i));
    part.worldFromPart = worldFromPart;
    rtcCommitGeometry(part.geometry.get());
    rtcCommitScene(part.scene.get());
  }
  /// One placing serves all questions of a step.
  void moveIfNeeded(const PosedPair& pair) {
    PlacedPart& part = *moved_[pair.partB];
    if (part.worldFromPart != pair.worldFromB) move(part, pair.worldFromB);
  }
  PlacedPart& rest(const PosedPair& pair) {
    for (auto& part : resting_[pair.partA])
      if (part->worldFromPart == pair.worldFromA) return *part;
    PlacedPart& part = *resting_[pair.partA].emplace_back(std::make_unique<PlacedPart>());
    start(part, *meshes_[pair.partA], RTC_BUILD_QUALITY_HIGH);
    move(part, pair.worldFromA);
    return part;
  }
  void clear() {
    moved_.clear();
    resting_.clear();
  }

  Way way_;
  std::atomic<std::ptrdiff_t> bytes_ = 0;
  std::ptrdiff_t built_ = 0;
  std::unique_ptr<RTCDeviceTy, Release> device_;
  Parts meshes_;
  std::vector<std::unique_ptr<PlacedPart>> moved_;                 ///< by part
  std::vector<std::vector<std::unique_ptr<PlacedPart>>> resting_;  ///< by part, by pose
  std::vector<TrianglePair> pairs_;
  std::vector<SurfacePair> surfaces_;
};

}  // namespace

Contestants makeEmbreePeers() {
  Contestants peers;
  for (const Way way : {Way::refit, Way::rebuild, Way::notMoved})
    peers.push_back(std::make_unique<Embree>(way));
  return peers;
}

}  // namespace fitup::bench
