#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include <fitup/scene/scene.h>
#include <viewer/core/camera.h>
#include <viewer/core/section_cut.h>

namespace fitup::viewer {

/// The cut face of an instance in a section plane, as far as the other planes keep it.
struct SectionCap {
  NodeId instance{};
  /// False for a part that is open or not examined yet: what it encloses is not known, so `area` is empty.
  bool isFilled = false;
  FlatRegion area;
  FlatBox box;                  ///< of the area
  std::vector<FlatLine> lines;  ///< where the plane cuts the triangles of a part that is not filled
};

/// The area that two instances share in a section plane.
struct SectionOverlap {
  NodeId a{}, b{};
  FlatRegion area;
};

/// What an enabled plane shows. Both lists are by instance.
struct SectionFace {
  SectionFrame frame;
  std::vector<std::shared_ptr<const SectionCap>> caps;
  std::vector<std::shared_ptr<const SectionOverlap>> overlaps;  ///< without empty ones
};

/// The nearest point at which a ray meets a cap.
struct CapHit {
  NodeId instance{};
  Vec3 point;
  double distance = 0;
};

/// What section planes cut, kept from one update to the next: only instances that moved, and planes that
/// changed, are cut again.
class SectionCaps {
 public:
  struct Request {
    const Scene& scene;
    const Poses& poses;
    std::span<const SectionPlane> planes;
    const std::set<NodeId>& hidden;  ///< instances that have no caps
    /// Overlaps whose mean width is at most this are contact. Unset: the chord errors of both parts.
    std::optional<double> tolerance;
    /// Returns true if `Scene::solid` of a part is known, so that asking for it takes no time.
    std::function<bool(PartId)> isExamined;
  };

  /// Returns true if anything changed. The scene must be the same until `clear`.
  bool update(const Request& request);
  void clear();
  [[nodiscard]] const std::vector<SectionFace>& faces() const noexcept { return faces_; }
  /// Parts that are cut but not examined.
  [[nodiscard]] const std::set<PartId>& waitingParts() const noexcept { return waiting_; }
  /// Returns the nearest filled cap on a ray.
  [[nodiscard]] std::optional<CapHit> pick(const Ray& ray) const;

 private:
  struct Kept {
    Transform worldFromPart;
    bool examined = false;
    PartCut cut;
    std::vector<FlatHalf> halves;  ///< those that cut something off
    std::shared_ptr<const SectionCap> cap;
  };
  struct KeptOverlap {
    std::shared_ptr<const SectionCap> a, b;
    std::shared_ptr<const SectionOverlap> overlap;  ///< null if there is none
  };
  struct KeptFace {
    SectionPlane plane;
    std::map<NodeId, Kept> instances;
    std::map<std::pair<NodeId, NodeId>, KeptOverlap> overlaps;
  };
  SectionFace faceOf(const Request& request, const SectionPlane& plane, KeptFace& kept);
  void findOverlaps(const Request& request, SectionFace& face, KeptFace& kept);
  double chordError(const Scene& scene, PartId part);

  std::vector<KeptFace> kept_;
  std::vector<SectionFace> faces_;
  std::set<PartId> waiting_;
  std::map<PartId, double> chordErrors_;
  std::optional<double> tolerance_;
};

}  // namespace fitup::viewer
