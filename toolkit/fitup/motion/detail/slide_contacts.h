#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fitup/motion/detail/contact_rows.h>
#include <fitup/motion/detail/least_motion.h>
#include <fitup/motion/drag_guard.h>
#include <fitup/scene/broad_phase.h>

namespace fitup::detail {

/// A place where a dragged group may touch what rests, and how far it may go there.
struct SlideRow {
  ContactRow contact;
  std::uint32_t pair = 0;  ///< in `DragGuard::pairs`
  /// The gap at which the part is kept, below 0 for an overlap.
  double aim = 0;
  /// By how much the gap may be less than `aim` at the end of a step.
  double reserve = 0;

  /// What is left of the way to the aim; below 0 if the part is beyond it.
  [[nodiscard]] double slack() const noexcept { return contact.gap - aim; }
  /// The limit that it is of a small motion.
  [[nodiscard]] MotionRow motionRow() const noexcept { return {contact.point, contact.normal, -slack()}; }
};

/// The contacts of a dragged group with the parts that rest, at any pose of the group.
///
/// The aims: a pair that a `DragGuard` lets overlap by L is kept at an overlap of L - 0.7 t, and a step may
/// end 0.15 t beyond that, which the guard still accepts. The rest is for the errors of steps, which are of
/// second order: without it, steps get ever smaller. At exact faces the overlap is that of the faces, not of
/// the triangles, and is kept at 0.3 t. Neither is less than the overlap at the reference and at the start,
/// so that a part that is back where it started is left there. A pair that must not touch is kept a little
/// away.
///
/// Shares the scene. Not thread-safe.
class SlideContacts {
 public:
  /// `options` are those of the guard, which must outlive this. Throws as the guard did.
  SlideContacts(const Scene& scene, const Poses& poses, std::span<const NodeId> dragged,
                const RigidMotion& start, const DragOptions& options, DragGuard& guard);

  /// The rows of all pairs at a pose, of places from whose limit `reach` is left at most. In the same order
  /// each time. Rows that are beyond their aim by more than `mostOver` are left out: no gap shrinks faster
  /// than points move, so they belong to places that did not touch before the part came there, such as
  /// corners of a bore that pass the end of a shaft.
  [[nodiscard]] std::vector<SlideRow> at(const RigidMotion& pose, double reach, double mostOver);

  /// The deepest place of a pair at a pose: where a guard stops, although no row holds the part, it lies
  /// between corners and edges. Nothing if the pair overlaps by no more than its aim.
  [[nodiscard]] std::optional<SlideRow> deepest(NodeId moved, NodeId resting, const RigidMotion& pose);

  /// The corners of the boxes of the dragged instances, in the world, at their placements in `poses`.
  [[nodiscard]] const std::vector<Vec3>& corners() const noexcept { return corners_; }
  /// The triangles of the group there.
  [[nodiscard]] std::vector<Triangle> triangles() const;
  [[nodiscard]] SurfaceId surfaceOf(NodeId instance, TriangleId triangle) const;

 private:
  /// One pair and what is known of its aims.
  struct Pair {
    std::uint32_t moved = 0, rest = 0;  ///< positions in the lists
    bool isKnown = false;
    bool needsTriangles = false;           ///< rows of exact faces do not keep the guard's limit
    double overlap = 0, exactOverlap = 0;  ///< at the reference and the start
  };

  /// An instance at a pose, in the forms that were asked for.
  class Placed {
   public:
    Placed(const ContactPart& part, const Transform& worldFromPart)
        : part_(&part), worldFromPart_(worldFromPart) {}
    const PlacedContactPart& as(PlacedContactPart::Faces faces) {
      std::unique_ptr<const PlacedContactPart>& form =
          faces == PlacedContactPart::Faces::exact ? exact_ : triangles_;
      if (!form) form = std::make_unique<const PlacedContactPart>(*part_, worldFromPart_, faces);
      return *form;
    }

   private:
    const ContactPart* part_;
    Transform worldFromPart_;
    std::unique_ptr<const PlacedContactPart> exact_, triangles_;
  };

  [[nodiscard]] const ContactPart& partOf(NodeId instance) const;
  [[nodiscard]] Placed& resting(std::uint32_t i);
  void prepare(Pair& pair, const DragLimit& limit);
  [[nodiscard]] ContactReach reachOf(double gap, const DragLimit& limit) const;
  [[nodiscard]] SlideRow rowOf(const ContactRow& contact, std::uint32_t pair, const DragLimit& limit) const;

  Scene scene_;
  DragGuard& guard_;
  RigidMotion start_;
  Poses reference_;
  double clearance_;
  std::vector<PlacedInstance> moved_, rest_;
  std::vector<Pair> pairs_;
  std::vector<Vec3> corners_;
  mutable std::map<PartId, std::unique_ptr<const ContactPart>> parts_;
  std::vector<std::unique_ptr<Placed>> restPlaced_;
};

}  // namespace fitup::detail
