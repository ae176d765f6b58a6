#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <fitup/motion/certificate.h>

namespace FITUP_EXPORT fitup {

/// Options of `certify`. Lengths in the world's unit.
struct CertifyOptions {
  /// c: pairs that are not in contact at the start keep more than this.
  double clearance = 0;
  /// t of pairs that are in contact at the start, as in `FirstContactOptions`. Unset: the default of each
  /// pair.
  std::optional<double> tolerance{};
  /// How near to its limit a pair may come before the motion counts as violating it. Unset: as in
  /// `FirstContactOptions`. Smaller: more queries, in inverse proportion where pairs are that near.
  std::optional<double> resolution{};
  /// Adds the chord errors of both parts to every clearance, so that exact shapes keep it too. The limits of
  /// pairs in contact remain those of the triangles.
  bool exactShapes = false;
  /// Pairs that are ignored, or outside the sets to check, are listed as excluded. Clearances and depths of
  /// rules apply as in `firstContact`.
  Rules rules{};
  QueryLimits limits{};                  ///< `maxPairs` is not used
  std::size_t maxQueries = 100'000'000;  ///< beyond it the certificate ends
  bool force = false;                    ///< accepts a track recorded on a model with a different hash
};

enum class CertifyAnswer {
  certain,    ///< every pair keeps its limit all the way
  violated,   ///< a pair breaks its limit
  undecided,  ///< neither is known: of some pairs nothing is certain, or a limit ended the search
};
/// Returns "certain", "violated" or "undecided".
std::string_view name(CertifyAnswer answer) noexcept;

/// The result of `certify`.
struct CertifyReport {
  Certificate certificate;
  /// The first event that breaks the limit of a pair; the certificate ends there.
  std::optional<MotionContact> violation;
  /// By how much exact shapes may be nearer than certified, or overlap more: the largest chord errors of both
  /// parts of a pair, over all pairs whose clearance does not contain them.
  double chordErrors = 0;
  double resolution = 0;            ///< that was used
  std::size_t consideredPairs = 0;  ///< of instances in relative motion, in the sets to check
  ReportStatus status = ReportStatus::complete;
  std::size_t queries = 0;
  double milliseconds = 0;  ///< wall clock

  [[nodiscard]] CertifyAnswer answer() const noexcept {
    if (violation) return CertifyAnswer::violated;
    const bool isCertain = status == ReportStatus::complete && certificate.isWhole();
    return isCertain ? CertifyAnswer::certain : CertifyAnswer::undecided;
  }
};

/// Finds whether every pair of a motion keeps its limit at every time, also between the steps, and what shows
/// it (see `Certificate`), up to the first event that breaks one. The same search is behind `firstContact`;
/// its bounds are those of `distanceAlong`, `keepsDepthAlong` and of the speeds of the parts. Times and
/// bounds hold in floating-point arithmetic, whose rounding is subtracted.
///
/// Thread-safe. Throws as `firstContact`.
CertifyReport certify(const Scene& scene, const Poses& poses, const Track& track,
                      const CertifyOptions& options = {}, const Progress& progress = {});

}  // namespace fitup
