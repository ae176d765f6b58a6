#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fitup/planning/removal.h>
#include <viewer/core/camera.h>
#include <viewer/core/session.h>

namespace fitup::viewer {

/// What a search for a way out is about.
struct WayOutQuestion {
  std::vector<NodeId> moved;           ///< instances, ascending; they move as one rigid group
  std::map<NodeId, RigidMotion> from;  ///< their motions from the design
  Poses poses;                         ///< of all instances, also the moved ones
  Rules rules;
  std::optional<double> tolerance;
  double clearance = 0;                       ///< of parts that are apart at the start, in the model's unit
  std::vector<RigidMotion> guides{};          ///< as in `RemovalOptions`
  std::vector<std::size_t> guidePositions{};  ///< of `guides` in `GuidePoints::poses`
  bool withoutHidden = false;                 ///< instances that are hidden stop nothing, by rules of `rules`
};

/// Returns the question about these instances where they are now. Throws InputError if a hidden instance
/// that shall stop nothing has a path that no rule can name.
WayOutQuestion wayOutQuestion(const Session& session, std::span<const NodeId> moved,
                              const std::optional<double>& tolerance, bool withoutHidden);

/// True if parts that rest, rules, or the tolerance are no longer those of the question, so that its answer
/// may not hold. Where the moved parts are does not matter: the way begins where they were.
bool isStale(const WayOutQuestion& question, const Session& session, const std::optional<double>& tolerance);

/// The motion from where the moved parts were to where they are now. Throws InputError, which names a part,
/// if they have not moved together.
RigidMotion motionSince(const WayOutQuestion& start, const Session& session);

/// The same for parts that had these motions from the design.
RigidMotion motionSince(const std::map<NodeId, RigidMotion>& from, const Session& session);

/// The placements of the parts at a guide point.
Poses placedAt(const GuidePoints& guides, std::size_t guide, const Scene& scene);
/// Takes guide points into a question: as motions from where the parts are now. One that is where the way
/// comes from is left out: it asks for nothing. Throws as `motionSince`.
void askForGuides(WayOutQuestion& question, const GuidePoints& guides, const Session& session);
/// The guide point at which the parts are not free, by position, if that is why nothing was found; with
/// `leg` 0 of the report's search, the parts may also not be free where they begin.
std::optional<std::size_t> blockedGuide(const WayOutQuestion& question, const RemovalReport& report);

/// What a ray hits first of copies of parts.
struct CopyHit {
  std::size_t copy = 0;  ///< position
  Vec3 point;            ///< in the world
  double distance = 0;   ///< from the ray's begin
};
/// Casts a ray at copies of parts, each given by the placements of its parts. `preferred`: of copies that are
/// hit at the same distance, this one.
std::optional<CopyHit> hitCopy(const Scene& scene, std::span<const Poses> copies, const Ray& ray,
                               const std::optional<std::size_t>& preferred = {});

/// Something that stops ways, as a list shows it.
struct WayOutClue {
  enum class Kind {
    without,   ///< without `parts` there are certain ways along `direction` and each of `also`
    yields,    ///< with `yielding` set back there is a certain way along `direction`
    straight,  ///< a straight way, and what stops it
    faces,     ///< `faces` stop `count` ways
    holding    ///< exact contact of `faces` is one of those that hold the part
  };
  using Face = std::pair<NodeId, SurfaceId>;

  Kind kind = Kind::straight;
  std::vector<NodeId> parts{};                   ///< that are in the way, none of which is moved
  std::vector<ReliefFace> yielding{};            ///< of moved parts, or of others
  std::optional<std::pair<Face, Face>> faces{};  ///< of the moved part, of the other one
  Vec3 direction;                                ///< unit, in the world
  std::vector<Vec3> also{};
  double reached = 0, wanted = 0;            ///< lengths of a straight way
  MotionEvent event = MotionEvent::contact;  ///< what happens between the faces
  std::size_t count = 0;
  /// Where the moved parts are stopped: a motion from where they were.
  std::optional<RigidMotion> stop{};
};

/// Returns what a report says about the parts in the way, in the order in which it helps: parts without which
/// there is a way, faces that have to yield for one, straight ways that get farthest (at most
/// `mostStraight`), faces that stop ways and are not listed with a straight way yet, contacts that hold the
/// part. Empty if the report has a certain way. `moved` are the moved instances, ascending.
std::vector<WayOutClue> cluesOf(const RemovalReport& report, const std::vector<NodeId>& moved,
                                std::size_t mostStraight = 6);

/// Returns a direction as people write it: "+x" or "-z" along an axis of the world, otherwise the unit
/// vector, rounded, as "(0.6, 0.8, 0)".
std::string directionText(const Vec3& direction);

}  // namespace fitup::viewer
