#include <fitup/io/pictures/detail/ray_scene.h>

#include <embree3/rtcore.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <new>
#include <string>

#include <fitup/base/error.h>

namespace fitup::detail {
namespace {

struct Release {
  void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
  void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
};
using Device = std::unique_ptr<RTCDeviceTy, Release>;
using Scene = std::unique_ptr<RTCSceneTy, Release>;

/// Attaches a mesh, in its local coordinates, as a triangle geometry.
void attach(RTCDevice device, RTCScene scene, const TriangleMesh& mesh) {
  const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  void* points = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                         sizeof(Point3f), mesh.points().size());
  void* triangles = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                            sizeof(TriangleIndices), mesh.triangleCount());
  if (points == nullptr || triangles == nullptr) {
    rtcReleaseGeometry(geometry);
    throw std::bad_alloc();
  }
  std::copy(mesh.points().begin(), mesh.points().end(), static_cast<Point3f*>(points));
  std::copy(mesh.triangles().begin(), mesh.triangles().end(), static_cast<TriangleIndices*>(triangles));
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene, geometry);
  rtcReleaseGeometry(geometry);
}

RTCRay rayOf(const Vec3& origin, const Vec3& direction, double length) {
  RTCRay ray{};
  ray.org_x = static_cast<float>(origin.x);
  ray.org_y = static_cast<float>(origin.y);
  ray.org_z = static_cast<float>(origin.z);
  ray.dir_x = static_cast<float>(direction.x);
  ray.dir_y = static_cast<float>(direction.y);
  ray.dir_z = static_cast<float>(direction.z);
  ray.tfar = static_cast<float>(length);
  ray.mask = ~0U;
  return ray;
}

}  // namespace

struct RayParts::State {
  explicit State(const Assembly& a) : assembly(a) {}
  const Assembly& assembly;
  Device device;
  std::vector<Scene> owned;
  std::vector<RTCScene> ofPart;  ///< null for a part without triangles
};

RayParts::RayParts(const Assembly& assembly, unsigned threads, const Progress& progress)
    : state_(std::make_unique<State>(assembly)) {
  const std::string configuration = threads == 0 ? "" : "threads=" + std::to_string(threads);
  state_->device.reset(rtcNewDevice(configuration.c_str()));
  if (!state_->device) throw std::bad_alloc();
  std::map<const TriangleMesh*, RTCScene> known;
  for (std::uint32_t i = 0; i < assembly.partCount(); ++i) {
    const TriangleMesh& mesh = assembly.part(PartId{i});
    RTCScene& scene = known[&mesh];
    if (scene == nullptr && mesh.triangleCount() > 0) {
      state_->owned.emplace_back(rtcNewScene(state_->device.get()));
      scene = state_->owned.back().get();
      rtcSetSceneFlags(scene, RTC_SCENE_FLAG_COMPACT);
      attach(state_->device.get(), scene, mesh);
      rtcSetSceneProgressMonitorFunction(
          scene, [](void* of, double) { return !static_cast<const Progress*>(of)->cancelled(); },
          const_cast<Progress*>(&progress));
      rtcCommitScene(scene);
      if (progress.cancelled()) throw CancelledError();
      rtcSetSceneProgressMonitorFunction(scene, nullptr, nullptr);
    }
    state_->ofPart.push_back(scene);
  }
}

RayParts::~RayParts() = default;

struct RayScene::State {
  struct Body {
    const TriangleMesh* mesh;
    /// Takes normals of the part's triangles (by their winding) to outward ones in the world: the inverse
    /// transpose, up to a factor, with the sign of the determinant.
    std::array<std::array<double, 3>, 3> worldFromNormal;
  };
  Scene scene;
  std::vector<Body> bodies;
};

RayScene::RayScene(const RayParts& parts, std::span<const RayBody> bodies, const Vec3& centre)
    : state_(std::make_unique<State>()) {
  const RTCDevice device = parts.state_->device.get();
  state_->scene.reset(rtcNewScene(device));
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    const TriangleMesh& mesh = parts.state_->assembly.part(bodies[i].part);
    const Transform place = bodies[i].worldFromPart * Transform::translation(mesh.origin());
    const auto& m = place.m;
    State::Body body{&mesh, {}};
    const double sign = place.determinant() < 0 ? -1 : 1;
    for (std::size_t r = 0; r < 3; ++r)  // cofactors: the inverse transpose times the determinant
      for (std::size_t c = 0; c < 3; ++c)
        body.worldFromNormal[r][c] = sign * (m[(r + 1) % 3][(c + 1) % 3] * m[(r + 2) % 3][(c + 2) % 3] -
                                             m[(r + 1) % 3][(c + 2) % 3] * m[(r + 2) % 3][(c + 1) % 3]);
    state_->bodies.push_back(body);
    const RTCScene part = parts.state_->ofPart[index(bodies[i].part)];
    if (part == nullptr) continue;
    const RTCGeometry instance = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(instance, part);
    const Vec3 t = place.t - centre;
    std::array<float, 12> columns{};
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t r = 0; r < 3; ++r) columns[3 * c + r] = static_cast<float>(m[r][c]);
    for (int r = 0; r < 3; ++r) columns[static_cast<std::size_t>(9 + r)] = static_cast<float>(t[r]);
    rtcSetGeometryTransform(instance, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, columns.data());
    rtcCommitGeometry(instance);
    rtcAttachGeometryByID(state_->scene.get(), instance, i);
    rtcReleaseGeometry(instance);
  }
  rtcCommitScene(state_->scene.get());
}

RayScene::~RayScene() = default;
RayScene::RayScene(RayScene&&) noexcept = default;

std::array<RayHit, RayScene::packet> RayScene::first(const std::array<Vec3, packet>& origins,
                                                     std::size_t count, const Vec3& direction,
                                                     double length) const {
  RTCRayHit8 query{};
  alignas(32) std::array<int, packet> valid{};
  for (std::size_t i = 0; i < packet; ++i) {
    valid[i] = i < count ? -1 : 0;
    query.ray.org_x[i] = static_cast<float>(origins[i].x);
    query.ray.org_y[i] = static_cast<float>(origins[i].y);
    query.ray.org_z[i] = static_cast<float>(origins[i].z);
    query.ray.dir_x[i] = static_cast<float>(direction.x);
    query.ray.dir_y[i] = static_cast<float>(direction.y);
    query.ray.dir_z[i] = static_cast<float>(direction.z);
    query.ray.tfar[i] = static_cast<float>(length);
    query.ray.mask[i] = ~0U;
    query.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
  }
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  rtcIntersect8(valid.data(), state_->scene.get(), &context, &query);
  std::array<RayHit, packet> hits;
  for (std::size_t i = 0; i < count; ++i) {
    if (query.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID) continue;
    const State::Body& body = state_->bodies[query.hit.instID[0][i]];
    RayHit& hit = hits[i];
    hit.found = true;
    hit.distance = query.ray.tfar[i];
    hit.body = query.hit.instID[0][i];
    const TriangleId triangle{query.hit.primID[i]};
    hit.surface = static_cast<std::uint32_t>(body.mesh->surfaceOf(triangle));
    const Triangle t = body.mesh->triangle(triangle);
    const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
    const auto& w = body.worldFromNormal;
    const Vec3 world{dot({w[0][0], w[0][1], w[0][2]}, n), dot({w[1][0], w[1][1], w[1][2]}, n),
                     dot({w[2][0], w[2][1], w[2][2]}, n)};
    const double size = norm(world);
    hit.normal = size > 0 ? world * (1 / size) : -direction;
    hit.fromBehind = dot(hit.normal, direction) > 0;
  }
  return hits;
}

bool RayScene::blocked(const Vec3& origin, const Vec3& direction, double length) const {
  RTCRay ray = rayOf(origin, direction, length);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(state_->scene.get(), &context, &ray);
  return ray.tfar < 0;
}

}  // namespace fitup::detail
