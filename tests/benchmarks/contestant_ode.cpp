#include "contestant.h"

#include <ode/ode.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace fitup::bench {
namespace {

struct FreeData {
  void operator()(dxTriMeshData* data) const { dGeomTriMeshDataDestroy(data); }
};
struct FreeGeom {
  void operator()(dxGeom* geom) const { dGeomDestroy(geom); }
};

/// ODE's triangle meshes (OPCODE inside), through dSpaceCollide2, which rejects pairs by the parts' boxes,
/// and dCollide. It answers only the first contact: dCollide returns at most 65,535 contact points, several
/// or none for a pair of triangles, from which no list of pairs can be made.
class Ode : public Contestant {
 public:
  Ode() { dInitODE2(0); }
  ~Ode() override {
    resting_.clear();
    movers_.clear();
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
    resting_.clear();
    movers_.clear();
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
    resting_.clear();
    movers_.clear();
    for (Part& part : parts_) {
      part.data.reset(dGeomTriMeshDataCreate());
      dGeomTriMeshDataBuildDouble(part.data.get(), part.points.data(), sizeof(part.points[0]),
                                  static_cast<int>(part.points.size()), part.triangles.data(),
                                  static_cast<int>(3 * part.triangles.size()), sizeof(part.triangles[0]));
      // The first geometry of a part builds its tree.
      part.geom = geomOf(part);
    }
  }
  /// Makes a geometry for each resting part, which is placed once, and for each moving one.
  void enter(const Scene& scene) override {
    resting_.clear();
    movers_.clear();
    for (const Scene::Resting& r : scene.resting) {
      setPose(resting_.emplace_back(geomOf(parts_[r.part])).get(), r.worldFromPart);
      dReal box[6];
      dGeomGetAABB(resting_.back().get(), box);
    }
    for (const std::uint32_t part : scene.movers) movers_.push_back({geomOf(parts_[part])});
  }
  void beginStep() override { ++step_; }

  std::size_t query(const PosedPair& pair, QueryMode) override {
    Mover& b = movers_[pair.mover];
    if (b.placedIn != step_) setPose(b.geom.get(), pair.worldFromB);
    b.placedIn = step_;
    std::size_t found = 0;
    dSpaceCollide2(
        resting_[pair.resting].get(), b.geom.get(), &found, [](void* data, dGeomID first, dGeomID second) {
          dContactGeom contact;
          if (dCollide(first, second, static_cast<int>(1 | CONTACTS_UNIMPORTANT), &contact, sizeof contact) >
              0)
            *static_cast<std::size_t*>(data) = 1;
        });
    return found;
  }

 private:
  using Geom = std::unique_ptr<dxGeom, FreeGeom>;
  struct Part {
    std::vector<std::array<double, 3>> points;
    std::vector<std::array<dTriIndex, 3>> triangles;
    std::unique_ptr<dxTriMeshData, FreeData> data;
    Geom geom;
  };
  struct Mover {
    Geom geom;
    std::uint64_t placedIn = 0;  ///< step
  };

  static Geom geomOf(const Part& part) {
    return Geom(dCreateTriMesh(nullptr, part.data.get(), nullptr, nullptr, nullptr));
  }

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
  std::vector<Geom> resting_;
  std::vector<Mover> movers_;
  std::uint64_t step_ = 0;
};

}  // namespace

Contestants makeOdePeers() {
  Contestants peers;
  peers.push_back(std::make_unique<Ode>());
  return peers;
}

}  // namespace fitup::bench
