#include <viewer/core/section_caps.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fitup/base/parallel.h>
#include <viewer/core/section_planes.h>

namespace fitup::viewer {
namespace {

/// Returns true if the plane passes through the box.
bool meets(const SectionPlane& plane, const Box& box) {
  const Vec3 half = box.halfExtent();
  const double reach = std::abs(plane.normal.x) * half.x + std::abs(plane.normal.y) * half.y +
                       std::abs(plane.normal.z) * half.z;
  return std::abs(dot(plane.normal, box.centre()) - plane.offset) <= reach;
}

/// Returns the line between the points at `first` and `second` of another one; 0 and 1 are its ends.
FlatLine between(const FlatLine& line, double first, double second) {
  const auto at = [&](double t) {
    return FlatPoint{line.from.x + (line.to.x - line.from.x) * t,
                     line.from.y + (line.to.y - line.from.y) * t};
  };
  return {at(first), at(second)};
}

std::optional<FlatLine> clipped(const FlatLine& line, std::span<const FlatHalf> halves) {
  double first = 0, last = 1;
  for (const FlatHalf& half : halves) {
    const double from = half.beyond(line.from), to = half.beyond(line.to);
    if (from > 0 && to > 0) return std::nullopt;
    if (from > 0) first = std::max(first, from / (from - to));
    if (to > 0) last = std::min(last, from / (from - to));
  }
  if (first >= last) return std::nullopt;
  return first == 0 && last == 1 ? line : between(line, first, last);
}

FlatBox boxOf(const PartCut& cut) {
  FlatBox box = boxOf(cut.loops);
  for (const FlatLine& line : cut.lines) {
    box.extend(line.from);
    box.extend(line.to);
  }
  return box;
}

/// Returns true if a box lies within a half-plane.
bool keeps(const FlatHalf& half, const FlatBox& box) {
  const FlatPoint corner{half.a.x > 0 ? box.max.x : box.min.x, half.a.y > 0 ? box.max.y : box.min.y};
  return half.beyond(corner) <= 0;
}

std::shared_ptr<const SectionCap> capOf(NodeId instance, const PartCut& cut,
                                        std::span<const FlatHalf> halves) {
  auto cap = std::make_shared<SectionCap>();
  cap->instance = instance;
  cap->isFilled = !cut.loops.empty();
  std::vector<FlatLoop> loops;
  for (const FlatLoop& loop : cut.loops) {
    FlatLoop kept = loop;
    for (const FlatHalf& half : halves) kept = clipped(kept, half);
    if (kept.size() >= 3) loops.push_back(std::move(kept));
  }
  cap->area = coveredBy(loops);
  cap->box = boxOf(cap->area);
  for (const FlatLine& line : cut.lines)
    if (const auto kept = clipped(line, halves)) cap->lines.push_back(*kept);
  return cap;
}

/// The overlap of two caps, without pieces as narrow as `tolerance`; null if nothing is left.
std::shared_ptr<const SectionOverlap> overlapOf(const SectionCap& a, const SectionCap& b, double tolerance) {
  const FlatBox box = a.box.intersection(b.box);
  auto overlap = std::make_shared<SectionOverlap>();
  *overlap = {a.instance, b.instance, common(a.area, b.area, box)};
  // Regions are rounded to 2^-27 of their extent.
  const auto extent = [](const FlatBox& of) { return std::max(of.max.x - of.min.x, of.max.y - of.min.y); };
  const double least = std::max(tolerance, 0x1p-23 * std::max(extent(a.box), extent(b.box)));
  std::erase_if(overlap->area.pieces, [&](const auto& piece) { return meanWidth(piece) <= least; });
  return overlap->area.pieces.empty() ? nullptr : overlap;
}

}  // namespace

void SectionCaps::clear() { *this = {}; }

double SectionCaps::chordError(const Scene& scene, PartId part) {
  const auto [found, isNew] = chordErrors_.try_emplace(part, 0);
  if (isNew) {
    const TriangleMesh& mesh = scene.assembly().part(part);
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s)
      found->second = std::max(found->second, mesh.chordErrorOf(SurfaceId{s}).value_or(0));
  }
  return found->second;
}

bool SectionCaps::update(const Request& request) {
  std::vector<SectionPlane> planes;
  for (const SectionPlane& plane : request.planes)
    if (plane.enabled) planes.push_back(plane);
  if (request.tolerance != tolerance_)
    for (KeptFace& kept : kept_) kept.overlaps.clear();
  tolerance_ = request.tolerance;
  kept_.resize(planes.size());
  waiting_.clear();
  std::vector<SectionFace> faces;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (kept_[i].plane != planes[i]) kept_[i] = {planes[i], {}, {}};
    faces.push_back(faceOf(request, planes[i], kept_[i]));
  }
  const auto isSame = [](const SectionFace& x, const SectionFace& y) {
    return x.frame.plane() == y.frame.plane() && x.caps == y.caps && x.overlaps == y.overlaps;
  };
  const bool changed = !std::ranges::equal(faces, faces_, isSame);
  faces_ = std::move(faces);
  return changed;
}

SectionFace SectionCaps::faceOf(const Request& request, const SectionPlane& plane, KeptFace& kept) {
  SectionFace face{SectionFrame(plane), {}, {}};
  struct Task {
    NodeId instance;
    Kept* kept;
    const SolidModel* solid;
    bool isNew;
  };
  std::vector<Task> tasks;
  const Scene& scene = request.scene;
  for (const NodeId instance : scene.instances()) {
    if (request.hidden.contains(instance) || !meets(plane, scene.worldBounds(instance, request.poses))) {
      kept.instances.erase(instance);
      continue;
    }
    const PartId part = scene.assembly().partOf(instance);
    const bool examined = request.isExamined(part);
    if (!examined) waiting_.insert(part);
    const Transform worldFromPart = scene.worldFromPart(instance, request.poses);
    Kept& own = kept.instances[instance];
    const bool isNew = !own.cap || own.worldFromPart != worldFromPart || own.examined != examined;
    own.worldFromPart = worldFromPart;
    own.examined = examined;
    tasks.push_back({instance, &own, examined ? scene.solid(part).get() : nullptr, isNew});
  }
  std::vector<FlatHalf> halves;
  for (const SectionPlane& other : request.planes)
    if (other.enabled && other != plane)
      if (const auto half = face.frame.keptBy(other)) halves.push_back(*half);
  parallelFor(tasks.size(), tasks.size() < 8 ? 1 : allCores, [&](std::size_t i, unsigned) {
    const Task& task = tasks[i];
    Kept& own = *task.kept;
    if (task.isNew)
      own.cut = task.solid != nullptr ? cutOf(*task.solid, own.worldFromPart, face.frame)
                                      : cutOf(scene.collisionModel(scene.assembly().partOf(task.instance)),
                                              own.worldFromPart, face.frame);
    std::vector<FlatHalf> cutting;
    const FlatBox box = boxOf(own.cut);
    for (const FlatHalf& half : halves)
      if (!box.empty() && !keeps(half, box)) cutting.push_back(half);
    if (!task.isNew && cutting == own.halves) return;
    own.cap = capOf(task.instance, own.cut, cutting);
    own.halves = std::move(cutting);
  });
  // A parallel plane that cuts away this whole one.
  const bool isGone = std::ranges::any_of(request.planes, [&](const SectionPlane& other) {
    return other.enabled && other != plane && !face.frame.keptBy(other) &&
           isCutAway(std::span(&other, 1), plane.normal * plane.offset);
  });
  if (isGone) return face;
  for (const Task& task : tasks)
    if (!task.kept->cap->area.pieces.empty() || !task.kept->cap->lines.empty())
      face.caps.push_back(task.kept->cap);
  findOverlaps(request, face, kept);
  return face;
}

void SectionCaps::findOverlaps(const Request& request, SectionFace& face, KeptFace& kept) {
  std::vector<std::shared_ptr<const SectionCap>> filled;
  for (const auto& cap : face.caps)
    if (cap->isFilled && !cap->box.empty()) filled.push_back(cap);
  std::ranges::sort(filled, {}, [](const auto& cap) { return cap->box.min.x; });
  struct Pair {
    std::pair<NodeId, NodeId> key;
    KeptOverlap overlap;
    bool isNew = true;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < filled.size(); ++i)
    for (std::size_t k = i + 1; k < filled.size() && filled[k]->box.min.x < filled[i]->box.max.x; ++k) {
      const bool ordered = filled[i]->instance < filled[k]->instance;
      const auto &a = filled[ordered ? i : k], &b = filled[ordered ? k : i];
      const FlatBox box = a->box.intersection(b->box);
      if (!(box.min.x < box.max.x && box.min.y < box.max.y)) continue;
      Pair pair{{a->instance, b->instance}, {a, b, nullptr}};
      const auto known = kept.overlaps.find(pair.key);
      if (known != kept.overlaps.end() && known->second.a == a && known->second.b == b) {
        pair.overlap = known->second;
        pair.isNew = false;
      }
      pairs.push_back(std::move(pair));
    }
  const Assembly& assembly = request.scene.assembly();
  std::vector<double> tolerances;
  for (const Pair& pair : pairs)
    tolerances.push_back(
        request.tolerance.value_or(chordError(request.scene, assembly.partOf(pair.key.first)) +
                                   chordError(request.scene, assembly.partOf(pair.key.second))));
  parallelFor(pairs.size(), pairs.size() < 8 ? 1 : allCores, [&](std::size_t i, unsigned) {
    KeptOverlap& each = pairs[i].overlap;
    if (pairs[i].isNew) each.overlap = overlapOf(*each.a, *each.b, tolerances[i]);
  });
  kept.overlaps.clear();
  for (Pair& pair : pairs) kept.overlaps.emplace(pair.key, std::move(pair.overlap));
  for (const auto& [key, each] : kept.overlaps)
    if (each.overlap) face.overlaps.push_back(each.overlap);
}

std::optional<CapHit> SectionCaps::pick(const Ray& ray) const {
  std::optional<CapHit> nearest;
  for (const SectionFace& face : faces_) {
    const double slope = dot(face.frame.plane().normal, ray.direction);
    const double distance = -face.frame.height(ray.from) / slope;
    if (!(distance > 0 && distance < (nearest ? nearest->distance : std::numeric_limits<double>::infinity())))
      continue;
    const Vec3 point = ray.at(distance);
    const FlatPoint at = face.frame.flat(point);
    const auto hit = std::ranges::find_if(
        face.caps, [&](const auto& cap) { return cap->isFilled && contains(cap->area, at); });
    if (hit != face.caps.end()) nearest = {(*hit)->instance, point, distance};
  }
  return nearest;
}

}  // namespace fitup::viewer
