#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/motion/certificate.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// Options of the check of a certificate.
struct CertificateCheckOptions {
  /// The greatest number of pieces of surface and time that are looked at for one interval; what is not
  /// confirmed by then is unchecked. A piece takes about a microsecond. Raise it for parts that slide past
  /// each other with little to spare.
  std::size_t piecesPerInterval = 2'000'000;
  std::optional<std::chrono::nanoseconds> timeBudget{};  ///< from the start of the call; rest is unchecked
  std::stop_token cancel{};                              ///< besides that of the progress
  /// t of a pair by a rule `allowOverlap`, if that is larger than the certificate's. The checker knows no
  /// rules. Unset: no pair has one.
  std::function<std::optional<double>(NodeId, NodeId)> allowedOverlap{};
};

/// What became of the claim of one interval.
enum class IntervalCheck {
  confirmed,
  unchecked,  ///< neither confirmed nor refuted, for a reason that is given
  refuted,    ///< a point in time and space contradicts it
};
/// Returns "confirmed", "unchecked" or "refuted".
std::string_view name(IntervalCheck check) noexcept;

/// An interval whose claim is not confirmed.
struct UncheckedInterval {
  NodeId a{}, b{};
  double from = 0, to = 0;  ///< in steps of the track
  std::string reason;       ///< for people
};

/// A claim that is wrong, and what shows it.
struct RefutedClaim {
  NodeId a{}, b{};
  double time = 0;      ///< in steps of the track
  Vec3 pointA, pointB;  ///< of a and b, in the world at that time
  /// False: the surfaces are at most `measured` apart. True: one of the two points is in the body of the
  /// other, `measured` deep.
  bool isDepth = false;
  double measured = 0;
  double claimed = 0;   ///< the distance or the depth that the certificate claims
  std::string problem;  ///< for people
};

/// The result of `verifyCertificate`.
struct CertificateCheck {
  std::size_t pairs = 0;     ///< in relative motion, in the certificate
  std::size_t excluded = 0;  ///< pairs of which the certificate says nothing
  std::size_t unknown = 0;   ///< the same
  /// What is claimed of the first step alone counts as an interval if it is not confirmed.
  std::size_t confirmedIntervals = 0, uncheckedIntervals = 0, refutedIntervals = 0;
  std::size_t faultCount = 0;
  /// The first `mostListed` of each kind.
  std::vector<UncheckedInterval> unchecked;
  std::vector<RefutedClaim> refuted;
  /// What is wrong with the certificate as a whole, or with pairs of it: for people.
  std::vector<std::string> faults;
  double slack = 0;  ///< by which lengths may be off; see `verifyCertificate`
  ReportStatus status = ReportStatus::complete;

  static constexpr std::size_t mostListed = 1000;
  /// True if every claim of the certificate holds.
  [[nodiscard]] bool isConfirmed() const noexcept {
    return status == ReportStatus::complete && uncheckedIntervals == 0 && refutedIntervals == 0 &&
           faultCount == 0;
  }
};

/// Checks a certificate of a motion without trust in the program that wrote it: that it is made for this
/// model and track, names every pair of instances in relative motion once, has no gaps in time, and that what
/// it says of each interval is true.
///
/// The checker shares no trees, distances, depths, bounds on speeds or poses between steps with the program
/// that wrote the certificate; only the meshes, the placements, the poses of the track's steps, and the
/// default pivot of a straight way (the centre of `Assembly::worldBounds` of what moves).
///
/// A **distance** is bounded by branch and bound over boxes of triangles and parts of the interval: along a
/// direction, the gap of two boxes or triangles in the middle of a part of the interval, less what they move
/// towards each other along that direction, and the bend of their paths. Surfaces that meet refute any claim.
///
/// A **depth** is bounded by branch and bound over pieces of triangles and parts of the interval. No point of
/// a piece is deeper than Q if at both ends of the time all its corners are within Q, less the bend of their
/// paths, of one triangle; or if the hull of what it sweeps, shifted by at most Q, is outside of the other
/// body. That no core of one body lies inside the other one is shown at the beginning of the interval: such a
/// core would have a point that is farthest in any one direction, Q behind a face or a re-entrant edge that
/// faces this direction. (It might instead be Q behind re-entrant corners only, such as between the tips of
/// spikes of a cavity. That is not looked for.) Depths are unchecked if a part is open, or if its triangles
/// meet elsewhere than in common edges and corners.
///
/// That parts do not come to **pierce** each other is confirmed while their surfaces are apart, or if one of
/// them certainly has no wall thinner than 2 t. Thinner walls in contact are unchecked.
///
/// Claims are confirmed to within `CertificateCheck::slack`: 1e-9 of the diagonal of the scene at the first
/// step. Apart is apart, however: surfaces that meet do not keep a distance of zero. Where the rounding of
/// coordinates is larger than the slack, as for parts far from the origin, claims that are met with less to
/// spare than that are unchecked.
/// `CertifiedInterval::nearest` is not a claim, and is not looked at. The pairs that the certificate lists as
/// excluded or unknown are counted; whether rules really exclude them is for the caller to compare.
///
/// Deterministic, apart from time limits. Nothing in a certificate makes it throw: lengths that are negative
/// or no numbers, unknown instances and the like are faults. Throws InputError, as `resolve`, if the paths,
/// poses or ways of the track do not fit the assembly. Cancelled work has that status.
CertificateCheck verifyCertificate(const Scene& scene, const Certificate& certificate,
                                   const CertificateCheckOptions& options = {},
                                   const Progress& progress = {});

}  // namespace fitup
