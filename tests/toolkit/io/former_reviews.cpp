// Tests reviews of a product that was one part in former versions and is several now.
#include <fitup/io/former_reviews.h>

#include <catch2/catch.hpp>

#include <array>
#include <map>
#include <memory>
#include <string>

#include <fitup/io/report_build.h>
#include <fitup/io/report_diff.h>
#include <fitup/scene/interference.h>

namespace former_reviews_tests {

using namespace fitup;

namespace {

/// Adds a box from `low` to `high`, with each side a surface.
void addBox(TriangleMeshBuilder& builder, const Vec3& low, const Vec3& high) {
  const auto corner = [&](unsigned k) {
    return Vec3{(k & 1U) != 0 ? high.x : low.x, (k & 2U) != 0 ? high.y : low.y,
                (k & 4U) != 0 ? high.z : low.z};
  };
  for (const auto& side : {std::array{0U, 2U, 3U, 1U},
                           {4U, 5U, 7U, 6U},
                           {0U, 1U, 5U, 4U},
                           {2U, 6U, 7U, 3U},
                           {0U, 4U, 6U, 2U},
                           {1U, 3U, 7U, 5U}}) {
    builder.beginSurface();
    std::array<std::uint32_t, 4> at{};
    for (std::size_t k = 0; k < 4; ++k) at[k] = builder.addPoint(corner(side[k]));
    builder.addTriangle(at[0], at[1], at[2]);
    builder.addTriangle(at[0], at[2], at[3]);
  }
}

/// Adds the bodies of "frame": two boxes, which the "bar" passes through. They are no larger than `size`.
PartId addBodies(Assembly& assembly, bool hasFirst, bool hasSecond, double size = 2) {
  TriangleMeshBuilder builder("frame");
  if (hasFirst) addBox(builder, {0, 0, 0}, {size, 2, 2});
  if (hasSecond) addBox(builder, {4, 0, 0}, {6, 2, 2});
  return assembly.addPart(std::make_shared<const TriangleMesh>(builder.build()));
}
void addBar(Assembly& assembly, NodeId root, double length = 7) {
  TriangleMeshBuilder builder("bar");
  addBox(builder, {-1, 0.5, 0.5}, {length, 1.5, 1.5});
  assembly.addNode("bar", {}, root, assembly.addPart(std::make_shared<const TriangleMesh>(builder.build())));
}

/// Makes what former versions read: the frame is one part.
Assembly whole() {
  Assembly assembly("machine");
  const NodeId root = assembly.addNode("machine", {});
  const PartId frame = addBodies(assembly, true, true);
  assembly.addNode("frame", Transform::translation({0, 0, 0.1}), root, frame);
  addBar(assembly, root);
  return assembly;
}
/// Makes what this version reads.
Assembly split(double size = 2, double length = 7) {
  Assembly assembly("machine");
  const NodeId root = assembly.addNode("machine", {});
  const NodeId frame = assembly.addNode("frame", Transform::translation({0, 0, 0.1}), root);
  const PartId first = addBodies(assembly, true, false, size), second = addBodies(assembly, false, true);
  assembly.addNode("solid", {}, frame, first);
  assembly.addNode("solid", {}, frame, second);
  addBar(assembly, root, length);
  return assembly;
}

ReportDocument reportOf(Assembly assembly, std::map<std::string, Review> reviews = {}) {
  Model model;
  model.assembly = std::move(assembly);
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  ReportContext context{"fitup test", "machine.step", "", {}};
  context.reviews = std::move(reviews);
  context.options.request.mode = QueryMode::allSurfacePairs;
  return buildReport(context, model, checkAllPairs(sceneOf(model), {}, context.options, {}));
}

/// The reviews by the places of the surfaces in the frame and in the bar. Statuses alternate, and each
/// comment is different.
using ByPlace = std::map<std::array<double, 6>, Review>;
std::array<double, 6> placeOf(const ReportedPair& pair, const ReportedFinding& finding) {
  const bool barFirst = pair.a == "machine/bar";
  const Vec3 p = (barFirst ? finding.b : finding.a).fingerprint.centroid,
             q = (barFirst ? finding.a : finding.b).fingerprint.centroid;
  return {p.x, p.y, p.z, q.x, q.y, q.z};
}

/// Reviews everything; the pair is approved.
ByPlace reviewAll(ReportDocument& report) {
  ByPlace places;
  for (ReportedPair& pair : report.runs.at(0).pairs) {
    pair.review = {ReviewStatus::approved, "the frame holds the bar"};
    for (ReportedFinding& finding : pair.findings) {
      finding.review = {places.size() % 2 == 0 ? ReviewStatus::approved : ReviewStatus::reviewed,
                        "finding " + std::to_string(places.size())};
      places[placeOf(pair, finding)] = finding.review;
    }
  }
  return places;
}
std::map<std::string, Review> reviewsIn(const ReportDocument& report) {
  std::map<std::string, Review> reviews;
  for (const ReportedPair& pair : report.runs.at(0).pairs) {
    reviews[pair.id] = pair.review;
    for (const ReportedFinding& finding : pair.findings) reviews[finding.id] = finding.review;
  }
  return reviews;
}

const Review lookAgain{ReviewStatus::active, "the frame holds the bar"};

}  // namespace

TEST_CASE("reviews of a project follow a product's surfaces into its bodies", "[io][report][reviews]") {
  ReportDocument old = reportOf(whole());
  REQUIRE(old.runs.at(0).pairs.size() == 1);
  const ByPlace places = reviewAll(old);
  REQUIRE(places.size() == 16);
  const ReportDocument now = reportOf(split(), reviewsIn(old));
  REQUIRE(now.runs.at(0).pairs.size() == 2);
  for (const ReportedPair& pair : now.runs[0].pairs) {
    INFO(pair.a << " x " << pair.b);
    CHECK(pair.review == lookAgain);
    REQUIRE(pair.findings.size() == 8);
    for (const ReportedFinding& finding : pair.findings)
      CHECK(finding.review == places.at(placeOf(pair, finding)));
  }
  // A finding with a review under its own name is not looked for under another.
  std::map<std::string, Review> both = reviewsIn(old);
  const Review own{ReviewStatus::resolved, "mine"};
  both[now.runs[0].pairs[1].id] = both[now.runs[0].pairs[1].findings[3].id] = own;
  const ReportDocument mixed = reportOf(split(), both);
  CHECK(mixed.runs[0].pairs[0].review == lookAgain);
  CHECK(mixed.runs[0].pairs[1].review == own);
  CHECK(mixed.runs[0].pairs[1].findings[3].review == own);
}

TEST_CASE("a surface that is another one takes no former review", "[io][report][reviews]") {
  ReportDocument old = reportOf(whole());
  const ByPlace places = reviewAll(old);
  // The four sides of the first body have become longer, and one that the bar passes through is elsewhere.
  const ReportDocument now = reportOf(split(3), reviewsIn(old));
  std::size_t followed = 0, others = 0;
  for (const ReportedPair& pair : now.runs.at(0).pairs)
    for (const ReportedFinding& finding : pair.findings) {
      const auto known = places.find(placeOf(pair, finding));
      CHECK(finding.review == (known == places.end() ? Review{} : known->second));
      ++(known == places.end() ? others : followed);
    }
  CHECK(followed == 12);
  CHECK(others == 4);
}

TEST_CASE("a part below a product that stood at SOLID there keeps its reviews", "[io][report][reviews]") {
  Assembly before("machine"), after("machine");
  for (Assembly* assembly : {&before, &after}) {
    const NodeId root = assembly->addNode("machine", {});
    const PartId part = addBodies(*assembly, true, false);
    if (assembly == &before)
      assembly->addNode("SOLID", {}, assembly->addNode("frame", {}, root), part);
    else
      assembly->addNode("frame", {}, root, part);
    addBar(*assembly, root);
  }
  ReportDocument old = reportOf(before);
  const ByPlace places = reviewAll(old);
  const Review kept = old.runs.at(0).pairs.at(0).review;
  const ReportDocument now = reportOf(after, reviewsIn(old));
  CHECK(now.runs.at(0).pairs.at(0).review == kept);
  for (const ReportedFinding& finding : now.runs[0].pairs[0].findings)
    CHECK(finding.review == places.at(placeOf(now.runs[0].pairs[0], finding)));
  const ReportComparison c = compareReports(old, reportOf(after));
  CHECK(c.unchanged == places.size());
  CHECK(c.isNew + c.gone + c.notRechecked == 0);
  CHECK(c.carriedOver.runs.at(0).pairs.at(0).review == kept);
}

TEST_CASE("a comparison finds a product's findings in its bodies", "[io][report][diff][reviews]") {
  ReportDocument old = reportOf(whole());
  const ByPlace places = reviewAll(old);
  const ReportComparison c = compareReports(old, reportOf(split()));
  CHECK(c.unchanged == 16);
  CHECK(c.isNew + c.gone + c.notRechecked == 0);
  CHECK(c.carriedOver.carried.empty());
  for (const ReportedPair& pair : c.carriedOver.runs.at(0).pairs) {
    CHECK(pair.review == lookAgain);
    for (const ReportedFinding& finding : pair.findings)
      CHECK(finding.review == places.at(placeOf(pair, finding)));
  }
  // From there on it is like any other.
  const ReportComparison again = compareReports(c.carriedOver, reportOf(split()));
  CHECK(again.unchanged == 16);
  CHECK(again.isNew + again.gone + again.notRechecked == 0);
  for (const ReportedPair& pair : again.carriedOver.runs.at(0).pairs)
    for (const ReportedFinding& finding : pair.findings)
      CHECK(finding.review == places.at(placeOf(pair, finding)));
}

TEST_CASE("what the bodies of a product do not have stays to be looked for", "[io][report][diff][reviews]") {
  ReportDocument old = reportOf(whole());
  const ByPlace places = reviewAll(old);
  // The shortened bar no longer reaches the second body; its sides are others.
  const ReportComparison shorter = compareReports(old, reportOf(split(2, 3)));
  CHECK(shorter.unchanged == 0);
  CHECK(shorter.isNew == 8);
  CHECK(shorter.gone == 0);  // it is unknown to which body they belonged
  CHECK(shorter.notRechecked == 16);
  REQUIRE(shorter.carriedOver.carried.size() == 1);
  CHECK(shorter.carriedOver.carried[0].a == "machine/frame");
  CHECK(shorter.carriedOver.carried[0].findings.size() == 16);
  // With the former bar, they are found again.
  const ReportComparison restored = compareReports(shorter.carriedOver, reportOf(split()));
  CHECK(restored.unchanged == 16);
  CHECK(restored.notRechecked == 0);
  for (const ReportedPair& pair : restored.carriedOver.runs.at(0).pairs)
    for (const ReportedFinding& finding : pair.findings)
      CHECK(finding.review == places.at(placeOf(pair, finding)));
}

}  // namespace former_reviews_tests
