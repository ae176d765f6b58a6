#include <viewer/core/way_out.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

#include <fitup/base/bounded_text.h>
#include <fitup/base/error.h>
#include <fitup/hierarchy/tree_queries.h>

namespace fitup::viewer {
namespace {

/// The placements of the instances that are not moved.
Poses restOf(const WayOutQuestion& question, Poses poses) {
  for (const NodeId node : question.moved) poses.reset(node);
  return poses;
}

/// Puts rules first that ignore all pairs of these instances.
void ignoreAll(Rules& rules, const std::set<NodeId>& instances, const Assembly& assembly) {
  std::vector<Rule> first;
  for (const NodeId node : instances) {
    const std::string path = assembly.path(node);
    if (path.find_first_of("*?") != std::string::npos)
      throw InputError("'" + path + "' is hidden, and a path with * or ? cannot be left out; show the part");
    first.push_back({.a = path, .b = "*", .reason = "hidden"});
  }
  rules.rules.insert(rules.rules.begin(), first.begin(), first.end());
}

WayOutClue clueOf(const RemovalDirection& d, const std::vector<NodeId>& moved) {
  WayOutClue clue;
  clue.kind = WayOutClue::Kind::straight;
  clue.direction = d.direction;
  clue.reached = d.reached;
  clue.wanted = d.wanted;
  if (d.source != RemovalSource::screw) clue.stop = RigidMotion{{}, d.reached * d.direction};
  if (!d.stop) return clue;
  clue.event = d.stop->event;
  WayOutClue::Face a{d.stop->a, d.stop->nearest.surfaces.a}, b{d.stop->b, d.stop->nearest.surfaces.b};
  if (!std::ranges::binary_search(moved, a.first)) std::swap(a, b);
  clue.parts = {b.first};
  clue.faces = {a, b};
  return clue;
}

}  // namespace

WayOutQuestion wayOutQuestion(const Session& session, std::span<const NodeId> moved,
                              const std::optional<double>& tolerance, bool withoutHidden) {
  WayOutQuestion question;
  question.moved.assign(moved.begin(), moved.end());
  std::ranges::sort(question.moved);
  for (const NodeId node : question.moved) question.from[node] = session.motionOf(node);
  question.poses = session.poses();
  question.tolerance = tolerance;
  question.withoutHidden = withoutHidden;
  Rules rules = session.state().rules;
  if (withoutHidden) {
    std::set<NodeId> hidden = session.state().hidden;
    for (const NodeId node : question.moved) hidden.erase(node);
    ignoreAll(rules, hidden, session.assembly());
  }
  question.rules = session.resolved(std::move(rules));
  return question;
}

bool isStale(const WayOutQuestion& question, const Session& session, const std::optional<double>& tolerance) {
  try {
    const WayOutQuestion now = wayOutQuestion(session, question.moved, tolerance, question.withoutHidden);
    return restOf(question, now.poses) != restOf(question, question.poses) || now.rules != question.rules ||
           now.tolerance != question.tolerance;
  } catch (const Error&) {
    return true;
  }
}

RigidMotion motionSince(const WayOutQuestion& start, const Session& session) {
  return motionSince(start.from, session);
}

RigidMotion motionSince(const std::map<NodeId, RigidMotion>& before, const Session& session) {
  constexpr double same = 1e-6;  // of the part's size; rounding is far less
  std::optional<RigidMotion> common;
  for (const auto& [node, from] : before) {
    const RigidMotion motion = session.motionOf(node) * inverse(from);
    if (!common) common = motion;
    const Box box = session.worldBounds(std::vector{node});
    const Transform apart = motion.transform() * inverse(*common).transform();
    for (const Vec3& corner : {box.min, box.max})
      if (norm(apart.apply(corner) - corner) > same * (norm(box.halfExtent()) + norm(corner)))
        throw InputError("'" + session.assembly().path(node) +
                         "' has not moved together with the other parts, so there is no one pose");
  }
  return common.value_or(RigidMotion{});
}

Poses placedAt(const GuidePoints& guides, std::size_t guide, const Scene& scene) {
  Poses at;
  for (const auto& [node, from] : guides.from)
    at.set(node, (guides.poses.at(guide) * from).transform() * scene.designPlacement(node));
  return at;
}

void askForGuides(WayOutQuestion& question, const GuidePoints& guides, const Session& session) {
  question.guides.clear();
  question.guidePositions.clear();
  if (guides.poses.empty()) return;
  const RigidMotion back = inverse(motionSince(guides.from, session));
  std::vector<NodeId> parts;
  for (const auto& [node, from] : guides.from) parts.push_back(node);
  const Box box = session.worldBounds(parts);
  constexpr double same = 1e-9;  // of the parts' size; rounding is less
  const auto isSame = [&](const RigidMotion& a, const RigidMotion& b) {
    return std::ranges::all_of(std::array{box.min, box.centre(), box.max}, [&](const Vec3& p) {
      const Vec3 at = a.transform().apply(p);
      return norm(at - b.transform().apply(p)) <= same * (norm(box.halfExtent()) + norm(at));
    });
  };
  RigidMotion before;
  for (std::size_t i = 0; i < guides.poses.size(); ++i) {
    const RigidMotion motion = guides.poses[i] * back;
    if (!isSame(motion, before) || degreesBetween(motion.rotation, before.rotation) > 1e-6) {
      question.guides.push_back(motion);
      question.guidePositions.push_back(i);
    }
    before = motion;
  }
}

std::optional<std::size_t> blockedGuide(const WayOutQuestion& question, const RemovalReport& report) {
  const RemovalSearch& search = report.search;
  if (report.answer == RemovalAnswer::certain || search.isEndFree) return std::nullopt;
  if (search.leg >= question.guidePositions.size()) return std::nullopt;
  return question.guidePositions[search.leg];
}

std::optional<CopyHit> hitCopy(const Scene& scene, std::span<const Poses> copies, const Ray& ray,
                               const std::optional<std::size_t>& preferred) {
  constexpr double same = 1e-9;  // of the distance; rounding is far less
  std::optional<CopyHit> nearest;
  for (std::size_t i = 0; i < copies.size(); ++i)
    for (const auto& [node, world] : copies[i]) {
      try {
        const PlacedTree tree =
            PlacedTree::inWorld(scene.collisionModel(scene.assembly().partOf(node)), world);
        const auto hit = tree.castRay(fitup::Ray{ray.from, ray.direction});
        if (!hit) continue;
        const bool isSame = nearest && std::abs(hit->at - nearest->distance) <= same * nearest->distance;
        if (!nearest || (isSame ? preferred == i : hit->at < nearest->distance))
          nearest = CopyHit{i, ray.at(hit->at), hit->at};
      } catch (const Error&) {
        // A copy that is too far away for exact tests cannot be hit.
      }
    }
  return nearest;
}

std::vector<WayOutClue> cluesOf(const RemovalReport& report, const std::vector<NodeId>& moved,
                                std::size_t mostStraight) {
  std::vector<WayOutClue> clues;
  if (report.answer == RemovalAnswer::certain) return clues;
  for (const RemovalWitness& witness : report.witnesses) {
    const auto same = std::ranges::find(clues, witness.without, &WayOutClue::parts);
    if (same != clues.end()) {
      same->also.push_back(report.directions.at(witness.direction).direction);
      continue;
    }
    WayOutClue clue;
    clue.kind = WayOutClue::Kind::without;
    clue.parts = witness.without;
    clue.direction = report.directions.at(witness.direction).direction;
    clues.push_back(std::move(clue));
  }
  for (const RemovalRelief& relief : report.reliefs) {
    WayOutClue clue;
    clue.kind = WayOutClue::Kind::yields;
    clue.yielding = relief.faces;
    for (const ReliefFace& face : relief.faces)
      if (!std::ranges::binary_search(moved, face.instance)) clue.parts.push_back(face.instance);
    clue.direction = report.directions.at(relief.direction).direction;
    clues.push_back(std::move(clue));
  }
  std::vector<const RemovalDirection*> far;
  for (const RemovalDirection& d : report.directions)
    if (d.wanted > 0 && d.answer != CertifyAnswer::certain) far.push_back(&d);
  std::ranges::stable_sort(far, std::greater(),
                           [](const RemovalDirection* d) { return d->reached / d->wanted; });
  if (far.size() > mostStraight) far.resize(mostStraight);
  std::set<std::pair<WayOutClue::Face, WayOutClue::Face>> listed;
  for (const RemovalDirection* d : far) {
    clues.push_back(clueOf(*d, moved));
    if (clues.back().faces) listed.insert(*clues.back().faces);
  }
  const auto addFaces = [&](WayOutClue::Kind kind, NodeId moved, NodeId other, const SurfacePair& surfaces,
                            std::size_t count) {
    const std::pair faces{WayOutClue::Face{moved, surfaces.a}, WayOutClue::Face{other, surfaces.b}};
    if (!listed.insert(faces).second) return;
    WayOutClue clue;
    clue.kind = kind;
    clue.parts = {other};
    clue.faces = faces;
    clue.count = count;
    clues.push_back(std::move(clue));
  };
  for (const RemovalHint& hint : report.hints)
    addFaces(WayOutClue::Kind::faces, hint.moved, hint.other, hint.surfaces, hint.count);
  if (!report.freedom.isHeld) return clues;
  listed.clear();
  for (const std::size_t i : report.freedom.holding) {
    const ContactPlace& place = report.places.at(i);
    addFaces(WayOutClue::Kind::holding, place.moved, place.rest, place.surfaces, 1);
  }
  return clues;
}

std::string directionText(const Vec3& direction) {
  constexpr double shown = 5e-4;  // smaller components would be shown as 0
  const double parts[] = {direction.x, direction.y, direction.z};
  for (int i = 0; i < 3; ++i)
    if (std::abs(parts[(i + 1) % 3]) < shown && std::abs(parts[(i + 2) % 3]) < shown)
      return std::string(parts[i] < 0 ? "-" : "+") + "xyz"[i];
  const auto number = [](double value) { return boundedNumber(value, 1e-3, 3); };
  return "(" + number(direction.x) + ", " + number(direction.y) + ", " + number(direction.z) + ")";
}

}  // namespace fitup::viewer
