#include "contestant.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/version.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace fitup::bench {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;
using Detection = CGAL::Rigid_triangle_mesh_collision_detection<Mesh>;
using Tree = Detection::AABB_tree;

/// CGAL's AABB trees. For the first pair: the package for moving meshes, which answers yes or no. For all
/// pairs: each triangle of the smaller part is moved to the frame of the other one, whose tree is queried
/// with it.
class Cgal : public Contestant {
 public:
  [[nodiscard]] ContestantInfo info() const override {
    ContestantInfo info;
    info.name = "CGAL AABB tree";
    info.software = "CGAL " CGAL_VERSION_STR;
    info.builtFor = "as this program, see flags";
    info.note =
        "exact predicates; first by Rigid_triangle_mesh_collision_detection, all by "
        "all_intersected_primitives for each triangle";
    return info;
  }
  [[nodiscard]] bool answers(QueryMode) const override { return true; }

  void load(const Parts& parts) override {
    detection_.reset();
    parts_.clear();
    for (const auto& mesh : parts) {
      Part& part = *parts_.emplace_back(std::make_unique<Part>());
      part.source = mesh.get();
      if (!addFaces(*mesh, part.mesh, true)) {
        // If the mesh is not a manifold, adds the same triangles separately.
        part.mesh.clear();
        addFaces(*mesh, part.mesh, false);
      }
    }
  }
  void build() override {
    detection_.reset();
    for (auto& part : parts_) {
      part->tree = std::make_unique<Tree>(faces(part->mesh).begin(), faces(part->mesh).end(), part->mesh);
      part->tree->build();
    }
  }
  /// Ids of resting parts, which are placed once, and then of moving ones.
  void enter(const Scene& scene) override {
    detection_ = std::make_unique<Detection>();
    const auto add = [&](const Part& part) {
      return detection_->add_mesh(*part.tree, part.mesh,
                                  CGAL::parameters::apply_per_connected_component(false));
    };
    for (const Scene::Resting& r : scene.resting)
      detection_->set_transformation(add(*parts_[r.part]), placement(r.worldFromPart));
    placedIn_.assign(scene.movers.size(), 0);
    for (const std::uint32_t part : scene.movers) add(*parts_[part]);
    firstMover_ = scene.resting.size();
  }
  void beginStep() override { ++step_; }

  std::size_t query(const PosedPair& pair, QueryMode mode) override {
    if (mode == QueryMode::firstSurfacePair) {
      const std::size_t moved = firstMover_ + pair.mover;
      if (placedIn_[pair.mover] != step_) detection_->set_transformation(moved, placement(pair.worldFromB));
      placedIn_[pair.mover] = step_;
      const std::size_t resting[1] = {pair.resting};
      return detection_->get_all_intersections(moved, resting).size();
    }
    const bool swapped = parts_[pair.partA]->mesh.num_faces() < parts_[pair.partB]->mesh.num_faces();
    const Part& asked = *parts_[swapped ? pair.partB : pair.partA];
    const Part& asking = *parts_[swapped ? pair.partA : pair.partB];
    const Transform askedFromAsking =
        swapped ? pair.worldFromB.inverse() * pair.worldFromA : pair.worldFromA.inverse() * pair.worldFromB;
    collectAll(asked, asking, askedFromAsking, swapped);
    if (mode == QueryMode::allTrianglePairs) return pairs_.size();
    return countSurfacePairs(pairs_, *parts_[pair.partA]->source, *parts_[pair.partB]->source, surfaces_);
  }

  bool lastPairs(QueryMode mode, std::vector<std::uint64_t>& pairs) override {
    return appendPairs(mode, pairs_, surfaces_, pairs);
  }

 private:
  struct Part {
    const TriangleMesh* source = nullptr;
    Mesh mesh;
    std::unique_ptr<Tree> tree;
  };

  /// Adds faces in the order of the triangles; returns false if one does not fit.
  static bool addFaces(const TriangleMesh& source, Mesh& mesh, bool shared) {
    std::vector<Mesh::Vertex_index> vertices;
    const auto vertex = [&](std::uint32_t i) {
      const Vec3 p = source.pointInPart(i);
      return mesh.add_vertex({p.x, p.y, p.z});
    };
    if (shared)
      for (std::uint32_t i = 0; i < source.points().size(); ++i) vertices.push_back(vertex(i));
    for (const TriangleIndices& t : source.triangles()) {
      const auto face = shared ? mesh.add_face(vertices[t[0]], vertices[t[1]], vertices[t[2]])
                               : mesh.add_face(vertex(t[0]), vertex(t[1]), vertex(t[2]));
      if (face == Mesh::null_face()) return false;
    }
    return true;
  }
  static CGAL::Aff_transformation_3<Kernel> placement(const Transform& t) {
    return {t.m[0][0], t.m[0][1], t.m[0][2], t.t.x,     t.m[1][0], t.m[1][1],
            t.m[1][2], t.t.y,     t.m[2][0], t.m[2][1], t.m[2][2], t.t.z};
  }

  void collectAll(const Part& asked, const Part& asking, const Transform& askedFromAsking, bool swapped) {
    pairs_.clear();
    const CGAL::Bbox_3 whole = asked.tree->bbox();
    const CGAL::Bbox_3 other = asking.tree->bbox();
    const Box moved = placedBox(askedFromAsking, {{other.xmin(), other.ymin(), other.zmin()},
                                                  {other.xmax(), other.ymax(), other.zmax()}});
    if (!CGAL::do_overlap(whole, CGAL::Bbox_3(moved.min.x, moved.min.y, moved.min.z, moved.max.x, moved.max.y,
                                              moved.max.z)))
      return;
    points_.clear();
    for (std::uint32_t i = 0; i < asking.source->points().size(); ++i) {
      const Vec3 p = askedFromAsking.apply(asking.source->pointInPart(i));
      points_.emplace_back(p.x, p.y, p.z);
    }
    std::uint32_t id = 0;
    for (const TriangleIndices& t : asking.source->triangles()) {
      const Kernel::Triangle_3 triangle(points_[t[0]], points_[t[1]], points_[t[2]]);
      hits_.clear();
      if (CGAL::do_overlap(whole, triangle.bbox()))
        asked.tree->all_intersected_primitives(triangle, std::back_inserter(hits_));
      for (const auto hit : hits_) {
        const TriangleId own{id}, met{static_cast<std::uint32_t>(hit)};
        pairs_.push_back(swapped ? TrianglePair{own, met} : TrianglePair{met, own});
      }
      ++id;
    }
  }

  std::vector<std::unique_ptr<Part>> parts_;
  std::unique_ptr<Detection> detection_;
  std::size_t firstMover_ = 0;           ///< its id
  std::vector<std::uint64_t> placedIn_;  ///< step, by mover
  std::uint64_t step_ = 0;
  std::vector<Kernel::Point_3> points_;
  std::vector<Mesh::Face_index> hits_;
  std::vector<TrianglePair> pairs_;
  std::vector<SurfacePair> surfaces_;
};

}  // namespace

Contestants makeCgalPeers() {
  Contestants peers;
  peers.push_back(std::make_unique<Cgal>());
  return peers;
}

}  // namespace fitup::bench
