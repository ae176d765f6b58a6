#include <fitup/io/certificate_file.h>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/detail/track_json.h>
#include <fitup/io/formats.h>

namespace fitup {
namespace {

using Json = nlohmann::ordered_json;
using detail::JsonField;

constexpr const char* formatName = "fitup-certificate";

Json vectorJson(const Vec3& v) { return {v.x, v.y, v.z}; }

Json placementJson(const Transform& t) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < 3; ++i)
    rows.push_back({t.m[i][0], t.m[i][1], t.m[i][2], i == 0 ? t.t.x : i == 1 ? t.t.y : t.t.z});
  return rows;
}

Transform placementFrom(const JsonField& field) {
  if (field.size() != 3) field.fail("must have three rows");
  Transform t;
  std::array<double, 3> shift{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = field.at(i, "row " + std::to_string(i)).numbers<4>();
    for (std::size_t k = 0; k < 3; ++k) t.m[i][k] = row[k];
    shift[i] = row[3];
  }
  t.t = {shift[0], shift[1], shift[2]};
  if (!t.isFinite() || t.determinant() == 0) field.fail("is singular");
  return t;
}

using NodePairs = std::vector<std::pair<NodeId, NodeId>>;

Json pairsJson(const Assembly& assembly, const NodePairs& pairs) {
  Json json = Json::array();
  for (const auto& [a, b] : pairs) json.push_back({assembly.path(a), assembly.path(b)});
  return json;
}

Json contactJson(const ContactLimit& limit) {
  Json json{{"tolerance", limit.tolerance},
            {"depth", limit.depth},
            {"overlap", limit.overlap},
            {"keepsOffMiddles", limit.keepsOffMiddles}};
  if (limit.deepest) json["deepest"] = vectorJson(*limit.deepest);
  return json;
}

Json pairJson(const Assembly& assembly, const CertifiedPair& pair) {
  Json json{{"a", assembly.path(pair.a)}, {"b", assembly.path(pair.b)}, {"clearance", pair.clearance}};
  if (pair.contact) json["contact"] = contactJson(*pair.contact);
  Json intervals = Json::array();
  for (const CertifiedInterval& i : pair.intervals) {
    Json interval{i.from, i.to, i.atLeast};
    if (i.nearest) {
      interval.push_back(index(i.nearest->a));
      interval.push_back(index(i.nearest->b));
    }
    intervals.push_back(std::move(interval));
  }
  json["intervals"] = std::move(intervals);
  return json;
}

Json violationJson(const Assembly& assembly, const MotionContact& c) {
  Json json{{"time", c.time},
            {"event", name(c.event)},
            {"a", assembly.path(c.a)},
            {"b", assembly.path(c.b)},
            {"surfaces", {index(c.nearest.surfaces.a), index(c.nearest.surfaces.b)}},
            {"points", {vectorJson(c.nearest.pointA), vectorJson(c.nearest.pointB)}},
            {"distance", c.nearest.distance}};
  if (c.event != MotionEvent::contact) json["depthLimit"] = c.depthLimit;
  return json;
}

/// Reads what refers to instances of a model.
class Reader {
 public:
  explicit Reader(const Assembly& assembly) : assembly_(assembly) {}

  [[nodiscard]] NodeId instanceFrom(const JsonField& field) const {
    const std::string path = field.text();
    const std::optional<NodeId> node = assembly_.find(path);
    if (!node || !assembly_.node(*node).part) field.fail("'" + path + "' is not an instance of the model");
    return *node;
  }
  [[nodiscard]] NodePairs pairsFrom(const JsonField& field) const {
    NodePairs pairs;
    for (std::size_t i = 0, n = field.size(); i < n; ++i) {
      const JsonField pair = field.at(i, "pair " + std::to_string(i));
      if (pair.size() != 2) pair.fail("must be two paths");
      pairs.emplace_back(instanceFrom(pair.at(0, "path 0")), instanceFrom(pair.at(1, "path 1")));
    }
    return pairs;
  }
  [[nodiscard]] CertifiedPair pairFrom(const JsonField& field) const {
    field.expectOnly({"a", "b", "clearance", "contact", "intervals"});
    CertifiedPair pair{instanceFrom(field.at("a")), instanceFrom(field.at("b")),
                       field.at("clearance").number(), {}, {}};
    if (field.has("contact")) pair.contact = contactFrom(field.at("contact"));
    const JsonField intervals = field.at("intervals");
    for (std::size_t i = 0, n = intervals.size(); i < n; ++i)
      pair.intervals.push_back(intervalFrom(intervals.at(i, "interval " + std::to_string(i)), pair));
    return pair;
  }

 private:
  static ContactLimit contactFrom(const JsonField& field) {
    field.expectOnly({"tolerance", "depth", "overlap", "keepsOffMiddles", "deepest"});
    ContactLimit limit{field.at("tolerance").number(),
                       field.at("depth").number(),
                       field.at("overlap").number(),
                       {},
                       field.at("keepsOffMiddles").boolean()};
    if (field.has("deepest")) {
      const auto [x, y, z] = field.at("deepest").numbers<3>();
      limit.deepest = Vec3{x, y, z};
    }
    return limit;
  }
  [[nodiscard]] SurfaceId surfaceFrom(const JsonField& field, NodeId instance) const {
    const std::size_t count = assembly_.meshOf(instance).surfaces().size();
    if (count == 0) field.fail("'" + assembly_.path(instance) + "' has no surfaces");
    return SurfaceId{static_cast<std::uint32_t>(field.count(count - 1))};
  }
  [[nodiscard]] CertifiedInterval intervalFrom(const JsonField& field, const CertifiedPair& pair) const {
    const std::size_t n = field.size();
    if (n != 3 && n != 5) field.fail("must have three or five numbers");
    const auto number = [&](std::size_t k) { return field.at(k, "number " + std::to_string(k)); };
    CertifiedInterval interval{number(0).number(), number(1).number(), number(2).number(), {}};
    if (n == 5)
      interval.nearest = SurfacePair{surfaceFrom(number(3), pair.a), surfaceFrom(number(4), pair.b)};
    return interval;
  }

  const Assembly& assembly_;
};

}  // namespace

void writeCertificate(const std::filesystem::path& file, const std::string& program, const std::string& model,
                      const Assembly& assembly, const CertifyReport& report) {
  if (lowerExtension(file) != ".json")
    throw InputError(file.string(), "extension '" + file.extension().string() + "'",
                     "certificates are .json");
  const Certificate& c = report.certificate;
  Json json{{"format", formatName},
            {"version", 1},
            {"program", program},
            {"model", model},
            {"unit", assembly.unit()},
            {"modelHash", hashText(c.modelHash)},
            {"answer", name(report.answer())},
            {"clearance", c.clearance},
            {"exactShapes", c.exactShapes}};
  if (c.tolerance) json["tolerance"] = *c.tolerance;
  json["certainUntil"] = c.certainUntil;
  if (report.violation) json["violation"] = violationJson(assembly, *report.violation);
  json["rest"] = Json::array();
  for (const auto& [instance, placed] : c.rest)
    json["rest"].push_back({{"instance", assembly.path(instance)}, {"worldFromPart", placementJson(placed)}});
  json["track"] = {{"version", detail::trackVersion(c.track)}};
  json["track"].update(detail::trackJson(c.track));
  json["unknown"] = pairsJson(assembly, c.unknown);
  json["excluded"] = pairsJson(assembly, c.excluded);
  json["pairs"] = Json::array();
  for (const CertifiedPair& pair : c.pairs) json["pairs"].push_back(pairJson(assembly, pair));
  std::string text;
  try {
    text = detail::toText(json, -1, detail::NotUtf8::refuse);
  } catch (const nlohmann::json::exception&) {
    throw InputError(file.string(), "certificate", "a name or path is not UTF-8");
  }
  detail::requireReadable(text, file.string());
  writeFileAtomically(file, [&](std::ostream& out) { out << text << "\n"; });
}

Certificate readCertificate(const std::filesystem::path& file, const Assembly& assembly) {
  const nlohmann::json json = detail::parseJsonFile(file);
  const JsonField root(json, file.string());
  root.expectFormat(formatName, 1);
  root.expectOnly({"format", "version", "program", "model", "unit", "modelHash", "answer", "clearance",
                   "exactShapes", "tolerance", "certainUntil", "violation", "rest", "track", "unknown",
                   "excluded", "pairs"});
  if (const JsonField unit = root.at("unit"); unit.text() != assembly.unit())
    unit.fail("is not that of the model, " + assembly.unit());
  Certificate c;
  const std::optional<std::uint64_t> hash = hashFromText(root.at("modelHash").text());
  if (!hash) root.at("modelHash").fail("must be 16 lower-case hexadecimal digits");
  c.modelHash = *hash;
  c.clearance = root.at("clearance").number();
  c.exactShapes = root.at("exactShapes").boolean();
  if (root.has("tolerance")) c.tolerance = root.at("tolerance").number();
  c.certainUntil = root.at("certainUntil").number();
  const Reader reader(assembly);
  const JsonField rest = root.at("rest");
  for (std::size_t i = 0, n = rest.size(); i < n; ++i) {
    const JsonField placed = rest.at(i, "rest " + std::to_string(i));
    placed.expectOnly({"instance", "worldFromPart"});
    c.rest.set(reader.instanceFrom(placed.at("instance")), placementFrom(placed.at("worldFromPart")));
  }
  const JsonField track = root.at("track");
  const std::uint64_t version = track.at("version").count(2);
  if (version == 0) track.at("version").fail("must be 1 or 2");
  c.track = detail::trackFrom(track, static_cast<int>(version));
  c.unknown = reader.pairsFrom(root.at("unknown"));
  c.excluded = reader.pairsFrom(root.at("excluded"));
  const JsonField pairs = root.at("pairs");
  for (std::size_t i = 0, n = pairs.size(); i < n; ++i)
    c.pairs.push_back(reader.pairFrom(pairs.at(i, "pair " + std::to_string(i))));
  return c;
}

}  // namespace fitup
