#include "contestant.h"

#include <ode/ode.h>

#include <array>
#include <memory>

namespace fitup::bench {
namespace {

struct FreeData {
  void operator()(dxTriMeshData* data) const { dGeomTriMeshDataDestroy(data); }
};
struct FreeGeom {
  void operator()(dxGeom* geom) const { dGeomDestroy(geom); }
};

/// ODE's triangle meshes (OPCODE inside), through dSpaceCollide2, which rejects by the parts' boxes, and
/// dCollide. It answers the first contact only: dCollide returns contact points, at most 65,535, several or
/// none for a pair of triangles, so that no list of pairs can be had.
class Ode : public Contestant {
 public:
  Ode() { dInitODE2(0); }
  ~Ode() override {
    parts_.clear();
    dCloseODE();
  }

  [[nodiscard]] ContestantInfo info() const override {
    ContestantInfo info;
    info.name = "ODE trimesh";
    info.software = "ODE " FITUP_BENCH_ODE;
    info.builtFor = "packaged";
    info.note = sizeof(dReal) == sizeof(double) ? "double" : "float";
    info.note += "; one contact at most, no list of pairs";
    return info;
  }
  [[nodiscard]] bool answers(QueryMode mode) const override { return mode == QueryMode::firstSurfacePair; }

  void load(const Parts& parts) override {
    parts_.clear();
    for (const auto& mesh : parts) {
      Part& part = parts_.emplace_back();
      for (std::uint32_t i = 0; i < mesh->points().size(); ++i) {
        const Vec3 p = mesh->pointInPart(i);
        part.points.push_back({p.x, p.y, p.z});
      }
      for (const TriangleIndices& t : mesh->triangles()) part.triangles.push_back({t[0], t[1], t[2]});
    }
  }
  void build() override {
    for (Part& part : parts_) {
      for (auto& geom : part.geoms) geom.reset();
      part.data.reset(dGeomTriMeshDataCreate());
      dGeomTriMeshDataBuildDouble(part.data.get(), part.points.data(), sizeof(part.points[0]),
                                  static_cast<int>(part.points.size()), part.triangles.data(),
                                  static_cast<int>(3 * part.triangles.size()), sizeof(part.triangles[0]));
      for (auto& geom : part.geoms)
        geom.reset(dCreateTriMesh(nullptr, part.data.get(), nullptr, nullptr, nullptr));
    }
  }

  std::size_t query(const PosedPair& pair, QueryMode) override {
    dxGeom* a = parts_[pair.partA].geoms[0].get();
    dxGeom* b = parts_[pair.partB].geoms[1].get();
    setPose(a, pair.worldFromA);
    setPose(b, pair.worldFromB);
    std::size_t found = 0;
    dSpaceCollide2(a, b, &found, [](void* data, dGeomID first, dGeomID second) {
      dContactGeom contact;
      if (dCollide(first, second, static_cast<int>(1 | CONTACTS_UNIMPORTANT), &contact, sizeof contact) > 0)
        *static_cast<std::size_t*>(data) = 1;
    });
    return found;
  }

 private:
  struct Part {
    std::vector<std::array<double, 3>> points;
    std::vector<std::array<dTriIndex, 3>> triangles;
    std::unique_ptr<dxTriMeshData, FreeData> data;
    /// As the resting and as the moved one: a part may meet itself.
    std::array<std::unique_ptr<dxGeom, FreeGeom>, 2> geoms;
  };

  static void setPose(dxGeom* geom, const Transform& t) {
    dMatrix3 rotation;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) rotation[4 * i + j] = t.m[i][j];
      rotation[4 * i + 3] = 0;
    }
    dGeomSetPosition(geom, t.t.x, t.t.y, t.t.z);
    dGeomSetRotation(geom, rotation);
  }

  std::vector<Part> parts_;
};

}  // namespace

Contestants makeOdePeers() {
  Contestants peers;
  peers.push_back(std::make_unique<Ode>());
  return peers;
}

}  // namespace fitup::bench
