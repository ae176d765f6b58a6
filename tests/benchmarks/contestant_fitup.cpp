#include "contestant.h"

#include <utility>

#include <fitup/scene/interference.h>

namespace fitup::bench {
namespace {

class Fitup : public Contestant {
 public:
  Fitup(HierarchyKind kind, OverlapBoxSetting setting, const BuildOptions& build)
      : kind_(kind), setting_(setting), build_(build) {}

  [[nodiscard]] std::string name() const override {
    const std::string tree = build_ == BuildOptions{}
                                 ? ""
                                 : (build_.rtree.build == RTreeBuild::packed ? ", packed " : ", Guttman ") +
                                       std::to_string(build_.rtree.fanOut);
    return "fitup " + std::string(fitup::name(kind_)) + tree +
           (setting_ == OverlapBoxSetting::on ? "" : ", overlap box " + std::string(fitup::name(setting_)));
  }
  [[nodiscard]] bool answers(QueryMode) const override { return true; }
  void prepare(const Scene& scene) override {
    models_.clear();
    for (const auto& part : scene.parts) models_.push_back(CollisionModel::build(part, build_));
  }
  std::size_t query(const PosedPair& pair, QueryMode mode) override {
    const IntersectionReport report =
        intersect({*models_[pair.partA], pair.worldFromA}, {*models_[pair.partB], pair.worldFromB},
                  {.mode = mode, .hierarchy = kind_, .overlapBox = setting_}, context_);
    stats_ += report.stats;
    return mode == QueryMode::allTrianglePairs ? report.trianglePairs.size() : report.surfacePairs.size();
  }
  std::optional<QueryStats> takeStats() override { return std::exchange(stats_, {}); }

 private:
  HierarchyKind kind_;
  OverlapBoxSetting setting_;
  BuildOptions build_;
  CollisionModels models_;
  QueryContext context_;
  QueryStats stats_;
};

}  // namespace

std::unique_ptr<Contestant> makeFitup(HierarchyKind kind, OverlapBoxSetting setting,
                                      const BuildOptions& build) {
  return std::make_unique<Fitup>(kind, setting, build);
}

}  // namespace fitup::bench
