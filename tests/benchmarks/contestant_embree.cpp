#include "contestant.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>

namespace fitup::bench {
namespace {

struct Release {
  void operator()(RTCDeviceTy* device) const { rtcReleaseDevice(device); }
  void operator()(RTCSceneTy* scene) const { rtcReleaseScene(scene); }
  void operator()(RTCGeometryTy* geometry) const { rtcReleaseGeometry(geometry); }
};

/// How the moved part gets into its place.
enum class Way {
  refit,     ///< inside the clock: new vertices, tree refitted
  rebuild,   ///< inside the clock: new vertices, tree rebuilt at low quality
  notMoved,  ///< outside the clock, tree built at high quality
};

/// The floats around a point. Four floats are one vector of the processor.
struct alignas(16) PointBox {
  std::array<float, 4> low{}, high{};
};

/// Adds at least one and less than two units in the last place of the nearest floats.
PointBox boxAround(const Vec3& p) {
  const std::array<float, 4> nearest{static_cast<float>(p.x), static_cast<float>(p.y),
                                     static_cast<float>(p.z), 0};
  PointBox box;
  for (std::size_t k = 0; k < 4; ++k) {
    const float slack = std::abs(nearest[k]) * 0x1p-23F + std::numeric_limits<float>::min();
    box.low[k] = nearest[k] - slack;
    box.high[k] = nearest[k] + slack;
  }
  return box;
}

/// A part as user geometry (rtcCollide accepts no other) in a placement in the world.
struct PlacedPart {
  const TriangleMesh* mesh = nullptr;
  std::vector<Vec3> points;        ///< in its frame
  std::vector<Vec3> world;         ///< points
  std::vector<PointBox> pointBox;  ///< boxes of `world`
  std::optional<Transform> worldFromPart;
  std::unique_ptr<RTCGeometryTy, Release> geometry;
  std::unique_ptr<RTCSceneTy, Release> scene;

  [[nodiscard]] Triangle triangle(std::uint32_t i) const {
    const TriangleIndices& t = mesh->triangles()[i];
    return {{world[t[0]], world[t[1]], world[t[2]]}};
  }
};

/// Computes the box of a triangle from those of its corners. A corner belongs to six triangles, and Embree
/// requests all boxes whenever a part has moved.
void boundTriangle(const RTCBoundsFunctionArguments* arguments) {
  const auto& part = *static_cast<const PlacedPart*>(arguments->geometryUserPtr);
  const TriangleIndices& t = part.mesh->triangles()[arguments->primID];
  const PointBox &a = part.pointBox[t[0]], &b = part.pointBox[t[1]], &c = part.pointBox[t[2]];
  static_assert(sizeof(RTCBounds) == sizeof(PointBox));
  PointBox box;
  for (std::size_t k = 0; k < 4; ++k) {
    box.low[k] = std::min(std::min(a.low[k], b.low[k]), c.low[k]);
    box.high[k] = std::max(std::max(a.high[k], b.high[k]), c.high[k]);
  }
  std::memcpy(arguments->bounds_o, &box, sizeof box);
}

/// Embree's rtcCollide on two scenes, each a part in world coordinates. It has no poses, so a moved part gets
/// new vertices. It returns pairs of triangles whose boxes meet; users test the triangles, here by Fitup's
/// exact test on the doubles. It cannot end at the first pair; the callback then ignores the rest.
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
  /// Commits each part in its design placement.
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
  /// Measured by Embree's memory monitor.
  [[nodiscard]] std::optional<std::size_t> hierarchyBytes() const override {
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, built_));
  }

  /// Resting parts are committed once, at the highest quality.
  void enter(const Scene& scene) override {
    resting_.clear();
    for (const Scene::Resting& r : scene.resting) {
      PlacedPart& part = *resting_.emplace_back(std::make_unique<PlacedPart>());
      start(part, *meshes_[r.part], RTC_BUILD_QUALITY_HIGH);
      move(part, r.worldFromPart);
    }
  }
  [[nodiscard]] bool placesOutsideClock() const override { return way_ == Way::notMoved; }
  void place(const PosedPair& pair) override { moveIfNeeded(pair); }

  void beginStep() override {
    if (way_ == Way::notMoved) return;
    for (auto& part : moved_) part->worldFromPart.reset();
  }
  std::size_t query(const PosedPair& pair, QueryMode mode) override {
    const PlacedPart& a = *resting_[pair.resting];
    if (way_ != Way::notMoved) moveIfNeeded(pair);
    const PlacedPart& b = *moved_[pair.partB];
    asked_ = {a.mesh, b.mesh};
    Collect collect{a, b, mode == QueryMode::firstSurfacePair, pairs_, nullptr};
    pairs_.clear();
    if (mode == QueryMode::allSurfacePairs) {
      foundSurfaces_.start(a.mesh->surfaces().size(), b.mesh->surfaces().size());
      collect.foundSurfaces = &foundSurfaces_;
    }
    rtcCollide(a.scene.get(), b.scene.get(), collide, &collect);
    return pairs_.size();
  }
  bool lastPairs(QueryMode mode, std::vector<std::uint64_t>& pairs) override {
    const bool surfaces = mode == QueryMode::allSurfacePairs;
    for (const TrianglePair& pair : pairs_)
      pairs.push_back(surfaces ? packed(asked_[0]->surfaceOf(pair.a), asked_[1]->surfaceOf(pair.b))
                               : packed(pair.a, pair.b));
    return true;
  }

 private:
  /// The pairs of surfaces already found, whose triangles need no further tests.
  class FoundSurfaces {
   public:
    void start(std::size_t countA, std::size_t countB) {
      countB_ = countB;
      if (questionOf_.size() < countA * countB) questionOf_.resize(countA * countB);
      ++question_;
    }
    /// Returns the entry of a pair of surfaces.
    std::uint32_t& question(SurfaceId a, SurfaceId b) {
      return questionOf_[static_cast<std::size_t>(a) * countB_ + static_cast<std::size_t>(b)];
    }
    [[nodiscard]] std::uint32_t now() const { return question_; }

   private:
    std::size_t countB_ = 0;
    std::vector<std::uint32_t> questionOf_;  ///< in which each pair was found last
    std::uint32_t question_ = 0;
  };
  struct Collect {
    const PlacedPart &a, &b;
    bool first;
    std::vector<TrianglePair>& pairs;
    FoundSurfaces* foundSurfaces;  ///< null unless surfaces are wanted
  };
  static void collide(void* user, RTCCollision* collisions, unsigned count) {
    Collect& collect = *static_cast<Collect*>(user);
    for (unsigned i = 0; i < count; ++i) {
      if (collect.first && !collect.pairs.empty()) return;
      const TriangleId inA{collisions[i].primID0}, inB{collisions[i].primID1};
      std::uint32_t* foundIn = nullptr;
      if (collect.foundSurfaces != nullptr) {
        foundIn =
            &collect.foundSurfaces->question(collect.a.mesh->surfaceOf(inA), collect.b.mesh->surfaceOf(inB));
        if (*foundIn == collect.foundSurfaces->now()) continue;
      }
      if (!intersectTriangleTriangle(collect.a.triangle(collisions[i].primID0),
                                     collect.b.triangle(collisions[i].primID1)))
        continue;
      collect.pairs.push_back({inA, inB});
      if (foundIn != nullptr) *foundIn = collect.foundSurfaces->now();
    }
  }

  void start(PlacedPart& part, const TriangleMesh& mesh, RTCBuildQuality quality) {
    part.mesh = &mesh;
    for (std::uint32_t i = 0; i < mesh.points().size(); ++i) part.points.push_back(mesh.pointInPart(i));
    part.world.resize(part.points.size());
    part.pointBox.resize(part.points.size());
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
    for (std::size_t i = 0; i < part.points.size(); ++i) {
      part.world[i] = worldFromPart.apply(part.points[i]);
      part.pointBox[i] = boxAround(part.world[i]);
    }
    part.worldFromPart = worldFromPart;
    rtcCommitGeometry(part.geometry.get());
    rtcCommitScene(part.scene.get());
  }
  /// Places the part once for all questions of a step.
  void moveIfNeeded(const PosedPair& pair) {
    PlacedPart& part = *moved_[pair.partB];
    if (part.worldFromPart != pair.worldFromB) move(part, pair.worldFromB);
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
  std::vector<std::unique_ptr<PlacedPart>> moved_;    ///< by part
  std::vector<std::unique_ptr<PlacedPart>> resting_;  ///< in the order of the scene
  std::vector<TrianglePair> pairs_;                   ///< for surfaces, the first of each pair
  FoundSurfaces foundSurfaces_;
  std::array<const TriangleMesh*, 2> asked_{};  ///< the parts of the last question
};

}  // namespace

Contestants makeEmbreePeers() {
  Contestants peers;
  for (const Way way : {Way::refit, Way::rebuild, Way::notMoved})
    peers.push_back(std::make_unique<Embree>(way));
  return peers;
}

}  // namespace fitup::bench
