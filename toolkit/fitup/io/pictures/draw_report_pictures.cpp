#include <fitup/io/report_pictures.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/io/detail/gathered_findings.h>
#include <fitup/io/detail/step_placements.h>
#include <fitup/io/pictures/detail/finding_view.h>
#include <fitup/io/pictures/detail/jpeg.h>
#include <fitup/query/intersection_lines.h>

namespace fitup {
namespace {

using namespace detail;

constexpr std::size_t mostPictures = 200;

constexpr Rgb colourA{0.24, 0.52, 0.80}, colourB{0.93, 0.64, 0.22};
constexpr Rgb involved{0.55, 0.66, 0.77}, uninvolved{0.86, 0.88, 0.90};

/// A finding by its place in the report. Without a position among the findings of its pair, it stands for the
/// pair (see `wholePart`).
struct Place {
  std::size_t run = 0, pair = 0;
  std::optional<std::size_t> position;
  ReportedFinding finding;
};

Vec3 upOf(const Assembly& assembly) {
  switch (assembly.upAxis()) {
    case UpAxis::x:
      return {1, 0, 0};
    case UpAxis::y:
      return {0, 1, 0};
    case UpAxis::z:
      break;
  }
  return {0, 0, 1};
}

/// The findings of a pair that a picture can show.
std::vector<Place> placesOf(const ReportDocument& document, std::size_t r, std::size_t p) {
  const ReportedPair& pair = document.runs[r].pairs[p];
  std::vector<Place> places;
  for (std::size_t f = 0; f < pair.findings.size(); ++f)
    if (pair.findings[f].assessment.point) places.push_back({r, p, f, pair.findings[f]});
  const bool isWhole = pair.findings.empty() || needsWholePartFinding(pair);
  if (isWhole && pair.assessment.point && pair.assessment.verdict != Verdict::clear)
    places.push_back({r, p, {}, wholePartsOf(pair)});
  return places;
}

/// The worst of the findings that are wanted, each once.
std::vector<Place> worst(const ReportDocument& document, PicturesOf wanted, std::size_t most) {
  std::map<std::string, std::size_t> known;
  std::vector<Place> places;
  for (std::size_t r = 0; r < document.runs.size(); ++r)
    for (std::size_t p = 0; p < document.runs[r].pairs.size(); ++p)
      for (Place& place : placesOf(document, r, p)) {
        if (wanted == PicturesOf::toActOn && !needsAction(place.finding.assessment.severity())) continue;
        const auto [found, isNew] = known.try_emplace(place.finding.id, places.size());
        if (isNew)
          places.push_back(std::move(place));
        else if (isWorse(place.finding, places[found->second].finding))
          places[found->second] = std::move(place);
      }
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& p, const Place& q) { return isWorse(p.finding, q.finding); });
  if (places.size() > most) places.resize(most);
  return places;
}

class Illustrator {
 public:
  Illustrator(const ReportDocument& document, const ReportContext& context, const Model& model,
              std::span<const InterferenceReport* const> runs, const Progress& progress)
      : document_(document),
        model_(model),
        runs_(runs),
        placements_(model.assembly, context.poses, context.track),
        hasTrack_(context.track != nullptr),
        threads_(context.options.threads > 1 ? context.options.threads : 0),
        wanted_(context.picturesOf),
        progress_(progress),
        meter_(progress),
        parts_(model.assembly, threads_, progress),
        instances_(model.assembly.instances()),
        up_(upOf(model.assembly)) {
    for (NodeId node : instances_) world_.extend(boxOf(node));
  }

  /// Draws all pictures. Throws CancelledError; pictures drawn before it stay.
  void draw(std::size_t most, ReportPictures& pictures) {
    if (world_.empty()) {
      pictures.absence = "the model has no triangles";
      return;
    }
    const bool placed = document_.kind != ReportKind::replay || hasTrack_;
    const std::vector<Place> places = placed ? worst(document_, wanted_, most) : std::vector<Place>{};
    drawOverview(pictures);
    // Findings of one pair at one step share their scenes, so threads share the pairs.
    std::vector<std::vector<Place>> groups;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> groupOf;
    for (const Place& place : places) {
      const auto [found, isNew] = groupOf.try_emplace({place.run, place.pair}, groups.size());
      if (isNew) groups.emplace_back();
      groups[found->second].push_back(place);
    }
    std::mutex mutex;
    std::atomic<std::size_t> done{0};
    parallelFor(groups.size(), threads_, [&](std::size_t g, unsigned) {
      drawGroup(groups[g], [&](const std::string& id, std::string jpeg) {
        const std::lock_guard lock(mutex);
        pictures.ofFinding.emplace(id, std::move(jpeg));
        progress_.report("drawing pictures",
                         static_cast<double>(++done) / static_cast<double>(places.size()));
      });
    });
  }

 private:
  [[nodiscard]] RayBody bodyAt(NodeId node, std::size_t step) const {
    return {model_.assembly.partOf(node), placements_.at(node, step)};
  }

  [[nodiscard]] Box boxOf(NodeId node) const {
    return placedBox(placements_.atRest(node), model_.assembly.meshOf(node).boundsInPart());
  }

  void drawOverview(ReportPictures& pictures) const {
    std::map<std::string_view, bool> isInvolved;
    for (const ReportedRun& run : document_.runs)
      for (const ReportedPair& pair : run.pairs) isInvolved[pair.a] = isInvolved[pair.b] = true;
    std::vector<RayBody> bodies;
    PictureOptions options{.width = 1180, .height = 760, .colours = {}, .reach = norm(world_.halfExtent())};
    for (NodeId node : instances_) {
      bodies.push_back({model_.assembly.partOf(node), placements_.atRest(node)});
      options.colours.push_back(isInvolved.contains(model_.assembly.path(node)) ? involved : uninvolved);
    }
    const Vec3 centre = world_.centre();
    const double aspect = static_cast<double>(options.width) / options.height;
    Camera camera = Camera::looking(slantingView(), up_);
    Box seen;  // in the camera's frame
    for (NodeId node : instances_) {
      const Box box = boxOf(node);
      for (int corner = 0; corner < 8 && !box.empty(); ++corner) {
        const Vec3 p = Vec3{corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
                            corner & 4 ? box.max.z : box.min.z} -
                       centre;
        seen.extend(Vec3{dot(p, camera.right), dot(p, camera.up), dot(p, camera.back)});
      }
    }
    const Vec3 middle = seen.centre(), half = seen.halfExtent();
    camera.centre = middle.x * camera.right + middle.y * camera.up + middle.z * camera.back;
    camera.halfHeight = 1.04 * std::max({half.y, half.x / aspect, 1e-9 * options.reach});
    const RayScene scene(parts_, bodies, centre);
    pictures.overview = jpegOf(drawPicture(scene, nullptr, nullptr, {}, camera, options, meter_));
    for (std::size_t r = 0; r < document_.runs.size(); ++r)
      for (std::size_t p = 0; p < document_.runs[r].pairs.size(); ++p)
        for (const Place& place : placesOf(document_, r, p)) {
          const auto at = positionIn(camera, aspect, *place.finding.assessment.point - centre);
          pictures.places.try_emplace(place.finding.id, at[0], at[1]);
        }
  }

  [[nodiscard]] Vec3 slantingView() const {
    // From the front right and above, whichever axis is up.
    const Vec3 front = up_.y != 0 ? Vec3{0, 0, 1} : Vec3{0, -1, 0};
    return front + 0.62 * cross(-front, up_) + 0.55 * up_;
  }

  template <typename Drawn>
  void drawGroup(const std::vector<Place>& group, Drawn drawn) const {
    meter_.poll();
    const ReportedRun& run = document_.runs[group.front().run];
    const PairInterference& pair = runs_[group.front().run]->pairs[group.front().pair];
    const std::array<RayBody, 2> bodies{bodyAt(pair.a, run.step), bodyAt(pair.b, run.step)};
    std::vector<RayBody> others;
    for (NodeId node : instances_)
      if (node != pair.a && node != pair.b) others.push_back(bodyAt(node, run.step));
    const Vec3 centre = *group.front().finding.assessment.point;
    Box all = world_;
    std::array<double, 2> radii{};
    for (std::size_t i = 0; i < 2; ++i) {
      const Box box = placedBox(bodies[i].worldFromPart, model_.assembly.part(bodies[i].part).boundsInPart());
      radii[i] = norm(box.halfExtent());
      all.extend(box);
    }
    const double reach = norm(all.halfExtent()) + norm(all.centre() - centre);
    const RayScene focus(parts_, bodies, centre), first(parts_, {bodies.data(), 1}, centre);
    std::optional<RayScene> context;
    if (!others.empty()) context.emplace(parts_, others, centre);
    const RayScene* around = context ? &*context : nullptr;
    PictureOptions options{.colours = {colourA, colourB}, .reach = reach};
    for (const RayBody& body : bodies)
      if (const auto& deflection = model_.assembly.part(body.part).deflection())
        options.tie = std::max(options.tie, 2 * deflection->linear);
    const double aspect = static_cast<double>(options.width) / options.height;
    for (const Place& place : group) {
      FindingView view{markingOf(pair, place, bodies, centre), radii[0], radii[1]};
      if (view.marking.empty()) continue;
      meter_.poll();
      const Camera camera = cameraFor(view, focus, around, up_, aspect, reach);
      drawn(place.finding.id,
            jpegOf(drawPicture(focus, &first, around, view.marking, camera, options, meter_)));
    }
  }

  /// The common parts of the triangles of one finding.
  [[nodiscard]] Marking markingOf(const PairInterference& pair, const Place& place,
                                  const std::array<RayBody, 2>& bodies, const Vec3& centre) const {
    if (!place.position) return {{*place.finding.assessment.point - centre}};
    const SurfacePair surfaces = pair.report.surfacePairs[*place.position];
    const auto& a = model_.collisionModels[index(bodies[0].part)];
    const auto& b = model_.collisionModels[index(bodies[1].part)];
    IntersectionReport report;
    for (const TrianglePair& t : pair.report.trianglePairs)
      if (SurfacePair{a->mesh().surfaceOf(t.a), b->mesh().surfaceOf(t.b)} == surfaces)
        report.trianglePairs.push_back(t);
    Marking marking;
    for (const IntersectionLine& line :
         intersectionLines({a, bodies[0].worldFromPart}, {b, bodies[1].worldFromPart}, report)) {
      if (line.common.count == 0) continue;
      marking.emplace_back();
      for (const Vec3& p : line.common.corners()) marking.back().push_back(p - centre);
    }
    return marking;
  }

  const ReportDocument& document_;
  const Model& model_;
  std::span<const InterferenceReport* const> runs_;
  StepPlacements placements_;
  bool hasTrack_;
  unsigned threads_;
  PicturesOf wanted_;
  const Progress& progress_;
  WorkMeter meter_;
  RayParts parts_;
  std::vector<NodeId> instances_;
  Vec3 up_;
  Box world_;
};

}  // namespace

ReportPictures drawReportPictures(const ReportDocument& document, const ReportContext& context,
                                  const Model& model, std::span<const InterferenceReport* const> runs,
                                  const Progress& progress) {
  ReportPictures pictures;
  try {
    Illustrator(document, context, model, runs, progress).draw(mostPictures, pictures);
  } catch (const CancelledError&) {
    if (pictures.overview.empty()) pictures.absence = "drawing them was cancelled";
  }
  return pictures;
}

}  // namespace fitup
