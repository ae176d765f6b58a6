#include <fitup/io/former_reviews.h>

#include <fitup/io/report_build.h>

namespace fitup {

FormerReviews::FormerReviews(const Assembly& assembly)
    : assembly_(assembly), firstSurface_(assembly.nodes().size()) {
  for (const AssemblyNode& node : assembly.nodes()) {
    std::uint32_t count = 0;
    for (const NodeId child : node.children) {
      firstSurface_[static_cast<std::size_t>(child)] = count;
      if (const auto& part = assembly.node(child).part)
        count += static_cast<std::uint32_t>(assembly.part(*part).surfaces().size());
    }
  }
}

const std::vector<FormerReviews::Identity>& FormerReviews::identitiesOf(NodeId instance) {
  const auto [known, isNew] = identities_.try_emplace(static_cast<std::uint32_t>(instance));
  if (!isNew) return known->second;
  const std::string path = assembly_.path(instance);
  known->second = {{path}, {path + "/SOLID"}};
  if (const auto& product = assembly_.node(instance).parent)
    known->second.push_back({assembly_.path(*product), firstSurface_[static_cast<std::size_t>(instance)],
                             assembly_.node(*product).children.size() > 1});
  return known->second;
}

std::optional<Review> FormerReviews::find(const std::map<std::string, Review>& reviews, NodeId a, NodeId b,
                                          const std::optional<SurfacePair>& surfaces) {
  if (reviews.empty()) return std::nullopt;
  const auto surfaceOf = [&](NodeId instance, SurfaceId surface, const Identity& identity) {
    ReportedSurface reported = reportedSurface(assembly_.meshOf(instance), surface);
    reported.ordinal += identity.firstSurface;
    return reported;
  };
  for (const Identity& ofA : identitiesOf(a))
    for (const Identity& ofB : identitiesOf(b)) {
      const std::string id = surfaces ? findingId(ofA.path, surfaceOf(a, surfaces->a, ofA), ofB.path,
                                                  surfaceOf(b, surfaces->b, ofB))
                                      : pairId(ofA.path, ofB.path);
      const auto found = reviews.find(id);
      if (found == reviews.end()) continue;
      Review review = found->second;
      if (!surfaces && (ofA.isOneOfSeveral || ofB.isOneOfSeveral) && review.status != ReviewStatus::isNew)
        review.status = ReviewStatus::active;
      return review;
    }
  return std::nullopt;
}

}  // namespace fitup
