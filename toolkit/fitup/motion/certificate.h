#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fitup/motion/first_contact.h>
#include <fitup/motion/track.h>

namespace FITUP_EXPORT fitup {

/// What a pair of instances certainly keeps over a part of a motion. Times in steps of the track.
struct CertifiedInterval {
  double from = 0, to = 0;
  /// At every time in [from, to]: of a pair without `CertifiedPair::contact`, the distance of the triangles
  /// is at least this, which is above the pair's clearance. Of a pair with it, the margin
  ///   min(L - q, max(dist(A, M_t(B)), dist(B, M_t(A))))
  /// is at least this, which is not below zero (see `ContactLimit`). World units.
  double atLeast = 0;
  /// The surfaces that are nearest to each other at one time of the interval. Unset: the boxes of the parts
  /// decided.
  std::optional<SurfacePair> nearest{};

  friend bool operator==(const CertifiedInterval&, const CertifiedInterval&) = default;
};

/// The limit of a pair that is in contact at the reference pose, the first step of the track. Lengths in
/// world units.
struct ContactLimit {
  double tolerance = 0;  ///< t
  /// L: the pair may overlap up to this depth: t or, if the two overlap by q at the reference pose, max(t, q
  /// + e), where e is the sum of both largest chord errors, at least t / 2.
  double depth = 0;
  /// A lower bound of q at the reference pose, if L exceeds t; else 0.
  double overlap = 0;
  /// A point in the world that shows it at the reference pose: inside one of the two, and on the surface of
  /// the other or inside it, at least `overlap` deep. Set if `overlap` is above 0.
  std::optional<Vec3> deepest{};
  /// The pair may not come to pierce each other: not both A reaches the middle M_t(B) of a wall of B and B
  /// that of a wall of A. If false, the pair pierces at the reference pose already (then `overlap` is above
  /// 0), or at least one of the two has no wall thinner than 2 t.
  bool keepsOffMiddles = false;

  friend bool operator==(const ContactLimit&, const ContactLimit&) = default;
};

/// What is certain of a pair of instances along a motion.
struct CertifiedPair {
  NodeId a{}, b{};                        ///< a moves; b rests, or belongs to another moved group
  double clearance = 0;                   ///< c of the pair: of the request, or a larger one of a rule
  std::optional<ContactLimit> contact{};  ///< set if the pair may be in contact
  /// Without gaps: the first one begins at 0, each of the others where the one before ends. There may be none
  /// if `Certificate::certainUntil` is 0.
  std::vector<CertifiedInterval> intervals;

  friend bool operator==(const CertifiedPair&, const CertifiedPair&) = default;
};

/// What is certain of a motion of one or several rigid groups through a scene whose other instances rest: at
/// every time up to `certainUntil`, also between the steps, every pair keeps its limit. It can be checked
/// without trust in the program that wrote it (`verifyCertificate`).
///
/// The rule is that of verdicts: pairs whose distance at the first step is at most max(t, c), or that lie
/// inside each other there, are in contact and keep their `ContactLimit`; all others do not come nearer than
/// their clearance c. What is not closed has no inside.
///
/// All bounds are of the triangles. Exact shapes may be nearer by the chord errors of both parts, unless
/// `exactShapes` adds these to the clearances; in pairs in contact they may overlap by that much more.
struct Certificate {
  std::uint64_t modelHash = 0;  ///< `Assembly::contentHash` of the model
  Poses rest;                   ///< placements of instances that are not as designed; moved ones do not count
  Track track;
  double clearance = 0;  ///< that was asked for
  /// Every pair without a `ContactLimit` keeps the largest chord errors of both parts on top of its
  /// clearance, so that the exact shapes keep it too.
  bool exactShapes = false;
  std::optional<double> tolerance{};  ///< t that was asked for; unset: the default of each pair
  /// Every pair with intervals keeps its limit at every time before this; the number of the last step if the
  /// whole motion is certain.
  double certainUntil = 0;
  std::vector<CertifiedPair> pairs;  ///< sorted by a, b
  /// Pairs of which nothing is certain, because they are in contact at the start and the inside of a part, or
  /// whether they pierce each other already, is not known.
  std::vector<std::pair<NodeId, NodeId>> unknown;
  /// Pairs that rules exclude. Nothing is certain of them.
  std::vector<std::pair<NodeId, NodeId>> excluded;

  /// True if it claims that every pair that no rule excludes keeps its limit up to the end of the track.
  [[nodiscard]] bool isWhole() const noexcept {
    return unknown.empty() && !track.steps.empty() &&
           certainUntil >= static_cast<double>(track.steps.size() - 1) &&
           std::ranges::none_of(pairs, [](const CertifiedPair& pair) { return pair.intervals.empty(); });
  }
};

}  // namespace fitup
