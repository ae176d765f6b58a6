#include "motion_contact.h"

#include <algorithm>

#include <fmt/format.h>

#include <fitup/base/bounded_text.h>

#include "console.h"
#include "wording.h"

namespace fitup::cli {

void sayMotionContact(const Assembly& assembly, const MotionContact& contact, const std::string& what,
                      double resolution, std::size_t lastStep) {
  const std::string& unit = assembly.unit();
  if (contact.event == MotionEvent::depth) {
    say("too deep at step {:.9g} of {}: an overlap of {} {}\n", contact.time, lastStep,
        boundedNumber(contact.depthLimit, resolution, 6), unit);
  } else if (contact.event == MotionEvent::piercing) {
    say("about to pierce a wall at step {:.9g} of {}\n", contact.time, lastStep);
  } else {
    // The distance is known to within the resolution.
    DistanceError error = contact.error;
    error.rounding = std::max(error.rounding, resolution);
    say("{} at step {:.9g} of {}: {} apart\n", what, contact.time, lastStep,
        lengthText(contact.nearest.distance, error, unit));
  }
  say("  {} at {}\n  {} at {}\n", surfaceText(assembly, contact.a, contact.nearest.surfaces.a),
      pointText(contact.nearest.pointA, contact.error.rounding),
      surfaceText(assembly, contact.b, contact.nearest.surfaces.b),
      pointText(contact.nearest.pointB, contact.error.rounding));
}

void sayPairs(const Assembly& assembly, const char* title,
              const std::vector<std::pair<NodeId, NodeId>>& pairs) {
  constexpr std::size_t mostLines = 20;
  if (pairs.empty()) return;
  say("{}:\n", title);
  for (std::size_t k = 0; k < pairs.size() && k < mostLines; ++k)
    say("  {}  x  {}\n", assembly.path(pairs[k].first), assembly.path(pairs[k].second));
  if (pairs.size() > mostLines) say("  ... and {} more\n", pairs.size() - mostLines);
}

namespace {

/// The pairs that come nearest, and when.
void sayNearest(const Assembly& assembly, const Certificate& certificate) {
  struct Least {
    const CertifiedPair* pair;
    const CertifiedInterval* interval;
  };
  std::vector<Least> list;
  for (const CertifiedPair& pair : certificate.pairs) {
    const CertifiedInterval* least = nullptr;
    for (const CertifiedInterval& i : pair.intervals)
      if (i.nearest && (least == nullptr || i.atLeast < least->atLeast)) least = &i;
    if (!pair.contact && least != nullptr) list.push_back({&pair, least});
  }
  std::ranges::stable_sort(list, {}, [](const Least& l) { return l.interval->atLeast; });
  constexpr std::size_t mostLines = 5;
  if (!list.empty()) say("lower bounds of the distances of those that come near:\n");
  for (std::size_t k = 0; k < std::min(list.size(), mostLines); ++k) {
    const auto& [pair, interval] = list[k];
    say("  {:.4g} {} from step {:.6g} to {:.6g}\n    {}\n    {}\n", interval->atLeast, assembly.unit(),
        interval->from, interval->to, surfaceText(assembly, pair->a, interval->nearest->a),
        surfaceText(assembly, pair->b, interval->nearest->b));
  }
  if (list.size() > mostLines) say("  ... and {} more\n", list.size() - mostLines);
}

}  // namespace

void sayCertified(const Assembly& assembly, const CertifyReport& report, bool isGeometryMissing) {
  const Certificate& certificate = report.certificate;
  std::vector<std::pair<NodeId, NodeId>> contacts;
  for (const CertifiedPair& pair : certificate.pairs)
    if (pair.contact) contacts.emplace_back(pair.a, pair.b);
  sayPairs(assembly, "in contact at the start, which may stay so but not get deeper", contacts);
  sayPairs(
      assembly,
      "in contact at the start, of which nothing is certain (a part is not closed, or they may pierce each "
      "other already)",
      certificate.unknown);
  if (!certificate.excluded.empty())
    say("{} excluded by rules: nothing is certain of them\n",
        countedPairs(certificate.excluded.size(), "parts"));
  const std::size_t last = certificate.track.steps.size() - 1;
  const std::string& unit = assembly.unit();
  const std::string kept = certificate.clearance > 0
                               ? fmt::format("nearer than {:.6g} {}", certificate.clearance, unit)
                               : std::string("in contact");
  if (report.violation) {
    const double c = report.violation->clearance;
    sayMotionContact(assembly, *report.violation,
                     c > 0 ? fmt::format("nearer than {:.6g} {}", c, unit) : "in contact", report.resolution,
                     last);
  }
  const char* const nothing = contacts.empty() && certificate.unknown.empty() ? "nothing" : "nothing else";
  say("{}: {} is {} from step 0 to step {:.9g} of {}\n",
      report.answer() == CertifyAnswer::certain ? "certain" : "certain so far", nothing, kept,
      certificate.certainUntil, last);
  if (report.answer() == CertifyAnswer::certain) sayNearest(assembly, certificate);
  if (report.chordErrors > 0)
    say("this is certain of the triangles; exact shapes may be nearer, or overlap more, by up to {:.3g} "
        "{}{}\n",
        report.chordErrors, unit,
        certificate.exactShapes ? " where they are in contact at the start"
                                : " (--exact-shapes adds that to clearances)");
  std::size_t intervals = 0;
  for (const CertifiedPair& pair : certificate.pairs) intervals += pair.intervals.size();
  const bool isKnown = certificate.unknown.empty() || report.violation;
  say("{}\n{} in {}, {}, to within {:.3g} {}; {:.2f} ms\n",
      isKnown ? statusText(report.status, isGeometryMissing)
              : "incomplete: of some contacts of the start nothing is certain",
      countText(intervals, "interval"), countedPairs(certificate.pairs.size(), "parts"),
      countText(report.queries, "distance"), report.resolution, unit, report.milliseconds);
}

}  // namespace fitup::cli
