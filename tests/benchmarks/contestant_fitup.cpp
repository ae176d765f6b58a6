#include "contestant.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fitup/base/version.h>
#include <fitup/query/distance.h>
#include <fitup_field/field_kinds.h>

namespace fitup::bench {
namespace {

class Fitup : public Contestant {
 public:
  explicit Fitup(const FitupOptions& options) : options_(options), request_(options.request) {}

  [[nodiscard]] ContestantInfo info() const override {
    ContestantInfo info;
    info.name = options_.name;
    info.software = "Fitup " + std::string(version);
    info.builtFor = "as this program, see flags";
    info.fitup = true;
    info.threads = options_.threads;
    return info;
  }
  [[nodiscard]] bool answers(QueryMode mode) const override {
    return options_.request.coherence == Coherence::off || mode == QueryMode::firstSurfacePair;
  }
  void load(const Parts& parts) override {
    parts_ = parts;
    resting_.clear();
    movers_.clear();
    models_.clear();
    ofPair_.clear();
    lastEnd_.reset();
  }
  void build() override {
    resting_.clear();
    movers_.clear();
    models_.clear();
    for (const auto& part : parts_) models_.push_back(CollisionModel::build(part, options_.build));
  }
  [[nodiscard]] std::optional<std::size_t> hierarchyBytes() const override {
    std::size_t bytes = 0;
    for (const auto& model : models_) bytes += model->hierarchyBytes(options_.request.hierarchy);
    return bytes;
  }
  /// As for the peers: a resting part is placed once, a moving one once per step.
  void enter(const Scene& scene) override {
    resting_.clear();
    movers_.clear();
    for (const Scene::Resting& r : scene.resting)
      resting_.push_back(PosedModel{models_[r.part], r.worldFromPart});
    for (const std::uint32_t part : scene.movers) movers_.push_back({{models_[part], {}}});
  }
  void beginStep() override { ++step_; }
  std::size_t query(const PosedPair& pair, QueryMode mode) override {
    request_.mode = mode;
    QueryContext& context = request_.coherence == Coherence::on ? ofPair(pair) : context_;
    intersect(resting_[pair.resting], moved(pair), request_, context, report_);
    // Only the counts in the tables: adding all would take longer than finding that parts are separated.
    stats_.boxTests += report_.stats.boxTests;
    stats_.boxUpdates += report_.stats.boxUpdates;
    stats_.triangleTests += report_.stats.triangleTests;
    return mode == QueryMode::allTrianglePairs ? report_.trianglePairs.size() : report_.surfacePairs.size();
  }
  bool lastPairs(QueryMode mode, std::vector<std::uint64_t>& pairs) override {
    return appendPairs(mode, report_.trianglePairs, report_.surfacePairs, pairs);
  }
  [[nodiscard]] bool isCoherent() const override { return request_.coherence == Coherence::on; }
  /// With coherence, the pair that ended the previous step comes first, as in a check of an assembly
  /// (`InterferenceOptions::stopAtFirstPair`).
  bool anyOf(const std::vector<PosedPair>& step) override {
    const auto meets = [&](const PosedPair& pair) {
      if (query(pair, QueryMode::firstSurfacePair) == 0) return false;
      if (request_.coherence == Coherence::on) lastEnd_ = pair.number;
      return true;
    };
    const auto last = std::find_if(step.begin(), step.end(),
                                   [&](const PosedPair& pair) { return pair.number == lastEnd_; });
    if (last != step.end() && meets(*last)) return true;
    for (auto pair = step.begin(); pair != step.end(); ++pair)
      if (pair != last && meets(*pair)) return true;
    return false;
  }
  [[nodiscard]] bool measuresDistances() const override {
    return options_.request.hierarchy == HierarchyKind::wide;
  }
  double distance(const PosedPair& pair) override {
    DistanceRequest request;
    request.coherence = options_.request.coherence;
    request.vectorUse = options_.request.vectorUse;
    QueryContext& context = request.coherence == Coherence::on ? ofPair(pair) : context_;
    const DistanceReport report = fitup::distance(resting_[pair.resting], moved(pair), request, context);
    stats_.boxTests += report.stats.boxTests;
    stats_.boxUpdates += report.stats.boxUpdates;
    stats_.triangleCandidates += report.stats.triangleCandidates;
    stats_.triangleTests += report.stats.triangleDistances;
    return report.distance();
  }
  std::optional<QueryStats> takeStats() override { return std::exchange(stats_, {}); }

 private:
  struct Mover {
    PosedModel posed;
    std::uint64_t placedIn = 0;  ///< step
  };
  const PosedModel& moved(const PosedPair& pair) {
    Mover& mover = movers_[pair.mover];
    if (mover.placedIn != step_) mover.posed.worldFromPart = pair.worldFromB;
    mover.placedIn = step_;
    return mover.posed;
  }
  QueryContext& ofPair(const PosedPair& pair) {
    if (pair.number >= ofPair_.size()) ofPair_.resize(pair.number + 1);
    return ofPair_[pair.number];
  }

  FitupOptions options_;
  IntersectionRequest request_;
  Parts parts_;
  std::vector<std::shared_ptr<const CollisionModel>> models_;
  std::vector<PosedModel> resting_;  ///< in the order of the scene
  std::vector<Mover> movers_;
  std::uint64_t step_ = 0;
  QueryContext context_;
  IntersectionReport report_;
  std::vector<QueryContext> ofPair_;      ///< for a coherent row; one for each pair, as in an application
  std::optional<std::uint32_t> lastEnd_;  ///< number of the pair that ended the previous step
  QueryStats stats_;
};

FitupOptions scd(OverlapBoxSetting setting) {
  FitupOptions options;
  options.request.hierarchy = HierarchyKind::scd;
  options.build.wide.reset();
  options.build.add(HierarchyKind::scd);
  options.request.overlapBox = setting;
  options.name = "fitup " + std::string(name(HierarchyKind::scd));
  if (setting == OverlapBoxSetting::off) options.name += ", no filter";
  if (setting == OverlapBoxSetting::classical) options.name += ", classical";
  return options;
}

FitupOptions wide(WideLayout layout) {
  FitupOptions options;
  options.build.wide->layout = layout;
  options.name = "fitup " + std::string(name(HierarchyKind::wide));
  if (layout == WideLayout::compact) options.name += ", compact";
  return options;
}

}  // namespace

std::unique_ptr<Contestant> makeFitup(const FitupOptions& options) {
  return std::make_unique<Fitup>(options);
}

std::vector<FitupOptions> fitupSettings() {
  FitupOptions coherent = wide(WideLayout::fast);
  coherent.request.coherence = Coherence::on;
  coherent.name += ", coherent";
  return {wide(WideLayout::fast),      coherent,
          wide(WideLayout::compact),   scd(OverlapBoxSetting::on),
          scd(OverlapBoxSetting::off), scd(OverlapBoxSetting::classical)};
}

std::vector<FitupOptions> fitupDistanceSettings() {
  std::vector<FitupOptions> all = fitupSettings();
  std::erase_if(all, [](const FitupOptions& o) { return o.request.hierarchy != HierarchyKind::wide; });
  FitupOptions plain = wide(WideLayout::fast);
  plain.request.vectorUse = VectorUse::scalar;
  plain.name += ", plain code";
  all.push_back(plain);
  return all;
}

std::vector<FitupOptions> fitupTrees() {
  std::vector<FitupOptions> all{wide(WideLayout::fast), scd(OverlapBoxSetting::on)};
  const auto add = [&](HierarchyKind kind, const std::string& what = {}, const ResearchOptions& how = {}) {
    FitupOptions& options = all.emplace_back();
    options.request.hierarchy = kind;
    options.build.wide.reset();
    field::add(options.build, kind, how);
    options.name = "fitup " + std::string(name(kind)) + what;
  };
  for (const HierarchyKind kind : {field::aabb, field::obb})
    for (const BoxTest test : {BoxTest::full, BoxTest::lite})
      add(kind, ", SAT " + std::string(name(test)), {.boxTest = test});
  add(field::obb, ", no hull", {.axes = ObbAxes::triangles});
  for (const BoxTest test : {BoxTest::aligned, BoxTest::lite, BoxTest::full})
    add(field::box, ", " + std::string(name(test)), {.boxTest = test});
  for (const DopKind k : {DopKind::dop18, DopKind::dop24})
    add(field::dop, k == DopKind::dop18 ? ", 18" : ", 24", {.k = k});
  add(field::opcode, ", with leaves", {.withLeaves = true});
  add(field::opcode);
  add(field::opcodeQuantized, ", with leaves", {.withLeaves = true});
  add(field::opcodeQuantized);
  add(field::opcodeQuantized, ", SAT lite", {.boxTest = BoxTest::lite});
  return all;
}

std::vector<FitupOptions> fitupRTrees() {
  std::vector<FitupOptions> all{scd(OverlapBoxSetting::on)};
  for (const RTreeBuild build : {RTreeBuild::packed, RTreeBuild::guttman})
    for (const std::uint32_t fanOut : {4U, 8U, 16U})
      if (const RTreeOptions rtree{build, fanOut}; rtree != RTreeOptions{}) {
        FitupOptions& options = all.emplace_back(all.front());
        options.build.rtree = rtree;
        options.name += (build == RTreeBuild::packed ? ", packed " : ", Guttman ") + std::to_string(fanOut);
      }
  return all;
}

}  // namespace fitup::bench
