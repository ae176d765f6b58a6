#include "import_census.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fitup/mesh/mesh_topology.h>
#include <fitup/mesh/watertightness.h>

#include "run_program.h"

namespace fitup::test {
namespace {

/// Facets turn by half a radian at most, so the triangles of a doubly curved face have at least 98 % of its
/// area; Open CASCADE sometimes uses fewer facets along short curves.
constexpr double areaShare = 0.05;

struct Range {
  double least = 0, most = 0;
  [[nodiscard]] bool contains(double value) const { return value >= least && value <= most; }
};

/// Returns the range of the area of a face's triangles, whose border may be off by the chord error.
Range areaRange(const Census::Face& face, double chordError) {
  const double atEdges = face.edgeLength * chordError;
  return {(1 - areaShare) * face.area - atEdges, (1 + areaShare) * face.area + atEdges};
}

/// Whether the loss of a face changes nothing beyond the chord error.
bool isSliver(const Census::Face& face, double chordError) {
  return face.area <= face.edgeLength * chordError / 2;
}

double centroidTolerance(const Census::Face& face, double chordError, const Vec3& world) {
  return chordError + areaShare * face.edgeLength / 2 + 1e-6 * norm(world);
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

std::string textOf(const Vec3& point) {
  return "(" + number(point.x) + ", " + number(point.y) + ", " + number(point.z) + ")";
}

/// A surface in its placement in the world.
struct PlacedSurface {
  double area = 0;
  Vec3 centroid;
  bool isEmpty = false, isTaken = false;
};

/// An instance of the model, with the surfaces that match no body so far.
struct PlacedPart {
  NodeId node{};
  PartId part{};
  std::vector<PlacedSurface> surfaces;
  std::size_t free = 0;
  Vec3 centroid;
};

Vec3 centroidOf(const std::vector<PlacedSurface>& surfaces) {
  Vec3 sum;
  double area = 0;
  for (const PlacedSurface& surface : surfaces) {
    sum = sum + surface.centroid * surface.area;
    area += surface.area;
  }
  return area > 0 ? sum * (1 / area) : sum;
}

std::vector<PlacedPart> placedParts(const Assembly& assembly) {
  std::vector<PlacedPart> parts;
  for (const NodeId node : assembly.instances()) {
    PlacedPart& part = parts.emplace_back();
    part.node = node;
    part.part = assembly.partOf(node);
    const Transform worldFromPart = assembly.worldFromNode(node);
    for (const Surface& surface : assembly.meshOf(node).surfaces())
      part.surfaces.push_back({surface.fingerprint.area, worldFromPart.apply(surface.fingerprint.centroid),
                               surface.triangleCount == 0, false});
    part.free = part.surfaces.size();
    part.centroid = centroidOf(part.surfaces);
  }
  return parts;
}

/// The matching surface of a part for each face of a body.
struct FaceMatch {
  std::vector<std::optional<std::size_t>> surfaceOf;
  std::size_t missing = 0;
};

FaceMatch matchFaces(const Census::Body& body, const Transform& worldFromBody, const PlacedPart& part) {
  FaceMatch match;
  match.surfaceOf.resize(body.faces.size());
  std::vector<bool> isTaken;
  for (const PlacedSurface& surface : part.surfaces) isTaken.push_back(surface.isTaken);
  const auto take = [&](std::size_t face, std::size_t surface) {
    match.surfaceOf[face] = surface;
    isTaken[surface] = true;
  };
  // The distance; empty if it is another face.
  const auto distance = [&](std::size_t face, std::size_t surface) -> std::optional<double> {
    const PlacedSurface& candidate = part.surfaces[surface];
    if (isTaken[surface] || candidate.isEmpty) return std::nullopt;
    const Census::Face& wanted = body.faces[face];
    const Vec3 centroid = worldFromBody.apply(wanted.centroid);
    const double apart = norm(candidate.centroid - centroid);
    if (!(apart <= centroidTolerance(wanted, body.chordError, centroid))) return std::nullopt;
    if (!areaRange(wanted, body.chordError).contains(candidate.area)) return std::nullopt;
    return apart + std::abs(std::sqrt(candidate.area) - std::sqrt(wanted.area));
  };
  // First those in the same order, then the nearest, then those without triangles.
  for (std::size_t i = 0; i < body.faces.size() && i < part.surfaces.size(); ++i)
    if (distance(i, i)) take(i, i);
  for (std::size_t i = 0; i < body.faces.size(); ++i) {
    if (match.surfaceOf[i]) continue;
    double best = std::numeric_limits<double>::infinity();
    std::optional<std::size_t> nearest;
    for (std::size_t k = 0; k < part.surfaces.size(); ++k)
      if (const auto apart = distance(i, k); apart && *apart < best) {
        best = *apart;
        nearest = k;
      }
    if (nearest) take(i, *nearest);
  }
  const auto isOpen = [&](std::size_t surface) {
    return !isTaken[surface] && part.surfaces[surface].isEmpty;
  };
  for (std::size_t i = 0; i < body.faces.size(); ++i) {
    if (match.surfaceOf[i]) continue;
    std::size_t k = i < part.surfaces.size() && isOpen(i) ? i : 0;
    while (k < part.surfaces.size() && !isOpen(k)) ++k;
    if (k < part.surfaces.size())
      take(i, k);
    else
      ++match.missing;
  }
  return match;
}

class Comparer {
 public:
  Comparer(const Census& census, const Model& model)
      : census_(census), model_(model), parts_(placedParts(model.assembly)) {}

  CensusComparison run() {
    countBodies();
    for (const Census::Occurrence& occurrence : census_.occurrences)
      if (census_.bodies[occurrence.body].isSolid) findSolid(occurrence);
    for (const Census::Occurrence& occurrence : census_.occurrences)
      if (!census_.bodies[occurrence.body].isSolid) findSheet(occurrence);
    countParts();
    return std::move(result_);
  }

 private:
  void countBodies() {
    for (const Census::Body& body : census_.bodies) {
      ++(body.isSolid ? result_.solids : result_.sheets).distinct;
      result_.faces += body.faces.size();
      result_.closedSolids += body.isSolid && body.openEdges == 0;
      for (const Census::Face& face : body.faces) {
        result_.invalid += !face.isValid;
        if (!face.triangleArea)
          ++result_.untessellated;
        else
          result_.partlyTessellated += !areaRange(face, body.chordError).contains(*face.triangleArea);
      }
    }
    for (const Census::Occurrence& occurrence : census_.occurrences)
      ++(census_.bodies[occurrence.body].isSolid ? result_.solids : result_.sheets).occurrences;
  }

  [[nodiscard]] std::string describe(const Census::Occurrence& occurrence) const {
    const Census::Body& body = census_.bodies[occurrence.body];
    Vec3 sum;
    double area = 0;
    for (const Census::Face& face : body.faces) {
      sum = sum + face.centroid * face.area;
      area += face.area;
    }
    return std::string(body.isSolid ? "solid" : "sheet") + " " + std::to_string(occurrence.body) +
           (body.name.empty() ? "" : " '" + body.name + "'") + " of " + std::to_string(body.faces.size()) +
           " faces at " + textOf(occurrence.worldFromBody.apply(area > 0 ? sum * (1 / area) : sum));
  }

  void findSolid(const Census::Occurrence& occurrence) {
    const Census::Body& body = census_.bodies[occurrence.body];
    std::vector<std::pair<double, PlacedPart*>> candidates;
    std::vector<PlacedSurface> wanted;
    for (const Census::Face& face : body.faces)
      wanted.push_back({face.area, occurrence.worldFromBody.apply(face.centroid), false, false});
    const Vec3 centroid = centroidOf(wanted);
    for (PlacedPart& part : parts_)
      if (part.free == part.surfaces.size() && part.free == body.faces.size())
        candidates.emplace_back(norm(part.centroid - centroid), &part);
    accept(occurrence, candidates);
  }

  void findSheet(const Census::Occurrence& occurrence) {
    std::vector<std::pair<double, PlacedPart*>> candidates;
    for (PlacedPart& part : parts_)
      if (part.free >= census_.bodies[occurrence.body].faces.size() && !partsOfSolids_.contains(part.part))
        candidates.emplace_back(0.0, &part);
    accept(occurrence, candidates);
  }

  /// Accepts the nearest instance that has all faces.
  void accept(const Census::Occurrence& occurrence, std::vector<std::pair<double, PlacedPart*>>& candidates) {
    const Census::Body& body = census_.bodies[occurrence.body];
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::optional<FaceMatch> best;
    PlacedPart* part = nullptr;
    for (const auto& [distance, candidate] : candidates) {
      FaceMatch match = matchFaces(body, occurrence.worldFromBody, *candidate);
      if (best && match.missing >= best->missing) continue;
      best = std::move(match);
      part = candidate;
      if (best->missing == 0) break;
    }
    if (!best || 2 * best->missing > body.faces.size()) {
      result_.differences.push_back(describe(occurrence) + ": no part has its faces");
      return;
    }
    for (std::size_t i = 0; i < body.faces.size(); ++i) checkFace(occurrence, i, *part, best->surfaceOf[i]);
    const bool isNew = (body.isSolid ? partsOfSolids_ : partsOfSheets_).insert(part->part).second;
    if (isFound_.insert(part->node).second)
      ++(body.isSolid ? result_.partsOfSolids : result_.partsOfSheets).occurrences;
    if (body.isSolid && isNew) checkMesh(body, part->part);
  }

  void checkFace(const Census::Occurrence& occurrence, std::size_t i, PlacedPart& part,
                 std::optional<std::size_t> surface) {
    const Census::Body& body = census_.bodies[occurrence.body];
    const Census::Face& face = body.faces[i];
    const std::string path = model_.assembly.path(part.node);
    if (!surface) {
      std::string found = "nothing alike";
      double nearest = std::numeric_limits<double>::infinity();
      for (const PlacedSurface& other : part.surfaces)
        if (const double apart = norm(other.centroid - occurrence.worldFromBody.apply(face.centroid));
            !other.isEmpty && apart < nearest) {
          nearest = apart;
          found = "next to it one of area " + number(other.area) + ", " + number(apart) + " away";
        }
      result_.differences.push_back(path + ": face " + std::to_string(i) + " of " + describe(occurrence) +
                                    ", area " + number(face.area) + ", edges " + number(face.edgeLength) +
                                    ", " + (face.isValid ? "valid" : "invalid") + ", is not there; " + found);
      return;
    }
    part.surfaces[*surface].isTaken = true;
    --part.free;
    if (!part.surfaces[*surface].isEmpty || !leftOut_.insert({part.part, *surface}).second) return;
    const std::string& name = model_.assembly.part(part.part).name();
    const std::string element = name + ": face " + std::to_string(*surface);
    const bool isSaid = std::any_of(model_.warnings.begin(), model_.warnings.end(), [&](const auto& warning) {
      return warning.incomplete && (warning.element == element || warning.element.starts_with(element + " "));
    });
    const bool mayBeLeftOut = !face.isValid || isSliver(face, body.chordError);
    const std::string text = element + ", area " + number(face.area) + ", " +
                             (face.isValid ? "valid" : "invalid") + ", has no triangles";
    if (mayBeLeftOut && isSaid)
      result_.leftOut.push_back(text);
    else
      result_.differences.push_back(text + (isSaid ? "" : ", and no warning says so"));
  }

  /// Compares B-rep and mesh.
  void checkMesh(const Census::Body& body, PartId part) {
    const TriangleMesh& mesh = model_.assembly.part(part);
    if (body.openEdges > 0) return;
    const Watertightness watertightness(mesh, MeshTopology(mesh));
    if (!watertightness.closed()) {
      result_.differences.push_back(mesh.name() + ": the solid is closed, its mesh is " +
                                    text(watertightness));
      return;
    }
    ++result_.closedParts;
    double area = 0;
    for (const Census::Face& face : body.faces) area += face.area;
    // No point of the mesh is farther from the solid's boundary than the chord error.
    const double tolerance = 1.05 * area * body.chordError + 1e-4 * body.volume;
    if (std::abs(watertightness.volume() - body.volume) > tolerance)
      result_.differences.push_back(mesh.name() + ": the solid's volume is " + number(body.volume) +
                                    ", that of its mesh " + number(watertightness.volume()));
  }

  /// Whether a product without faces, which the census does not list as a body, has a warning.
  [[nodiscard]] bool isSaidToBeEmpty(PartId part) const {
    const TriangleMesh& mesh = model_.assembly.part(part);
    return mesh.surfaces().empty() &&
           std::any_of(model_.warnings.begin(), model_.warnings.end(), [&](const ImportWarning& warning) {
             return warning.element == mesh.name() && warning.message.starts_with("has no faces");
           });
  }

  void countParts() {
    result_.partsOfSolids.distinct = partsOfSolids_.size();
    result_.partsOfSheets.distinct = partsOfSheets_.size();
    std::set<PartId> tessellated;
    for (const PlacedPart& part : parts_) {
      if (isFound_.contains(part.node)) {
        if (part.free > 0)
          result_.differences.push_back(model_.assembly.path(part.node) + ": " + std::to_string(part.free) +
                                        " of its faces are not in the file");
      } else if (isSaidToBeEmpty(part.part)) {
        ++result_.emptyParts;
      } else if (const TriangleMesh& mesh = model_.assembly.part(part.part); !mesh.deflection()) {
        ++result_.tessellatedParts.occurrences;
        tessellated.insert(part.part);
      } else {
        result_.differences.push_back(model_.assembly.path(part.node) + ": is no body of the file, of " +
                                      std::to_string(mesh.surfaces().size()) + " faces at " +
                                      textOf(part.centroid));
      }
    }
    result_.tessellatedParts.distinct = tessellated.size();
    std::set<PartId> made = partsOfSolids_;
    made.insert(partsOfSheets_.begin(), partsOfSheets_.end());
    for (const PartId part : made) {
      const TriangleMesh& mesh = model_.assembly.part(part);
      result_.facesOfParts += mesh.surfaces().size();
      for (const Surface& surface : mesh.surfaces())
        result_.untessellatedOfParts += surface.triangleCount == 0;
    }
    if (result_.solids.distinct != result_.partsOfSolids.distinct)
      result_.differences.push_back(std::to_string(result_.solids.distinct) + " distinct solids, " +
                                    std::to_string(result_.partsOfSolids.distinct) + " parts made of them");
    if (result_.faces != result_.facesOfParts)
      result_.differences.push_back(std::to_string(result_.faces) + " faces, " +
                                    std::to_string(result_.facesOfParts) + " in parts");
  }

  const Census& census_;
  const Model& model_;
  std::vector<PlacedPart> parts_;
  std::set<PartId> partsOfSolids_, partsOfSheets_;
  std::set<NodeId> isFound_;
  std::set<std::pair<PartId, std::size_t>> leftOut_;
  CensusComparison result_;
};

/// The words of a line in sequence. Throws if there is no further word, or one of another kind.
class Words {
 public:
  explicit Words(const std::string& line) : line_(line), words_(line) {}

  std::string text() {
    std::string word;
    if (!(words_ >> word)) fail();
    return word;
  }
  /// Reads NaN and infinity too, which damaged geometry has and streams do not read.
  double number() {
    const std::string word = text();
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) fail();
    return value;
  }
  std::string rest() {
    std::string words;
    words_ >> std::ws;
    std::getline(words_, words);
    return words;
  }

 private:
  [[noreturn]] void fail() const { throw std::runtime_error("not a line of a census: " + line_); }

  std::string line_;
  std::istringstream words_;
};

Census::Body parseBody(Words& words) {
  Census::Body body;
  body.isSolid = words.text() == "solid";
  body.openEdges = static_cast<int>(words.number());
  body.volume = words.number();
  body.chordError = words.number();
  body.name = words.rest();
  return body;
}

Census::Face parseFace(Words& words) {
  Census::Face face;
  face.area = words.number();
  for (double* const value : {&face.centroid.x, &face.centroid.y, &face.centroid.z, &face.edgeLength})
    *value = words.number();
  if (const double triangles = words.number(); triangles >= 0) face.triangleArea = triangles;
  face.isValid = words.number() != 0;
  return face;
}

Census::Occurrence parseOccurrence(Words& words) {
  Census::Occurrence occurrence;
  Transform& place = occurrence.worldFromBody;
  occurrence.body = static_cast<std::size_t>(words.number());
  const std::array<double*, 3> shift{&place.t.x, &place.t.y, &place.t.z};
  for (std::size_t row = 0; row < 3; ++row) {
    for (double& entry : place.m[row]) entry = words.number();
    *shift[row] = words.number();
  }
  return occurrence;
}

Census parse(const std::string& text) {
  Census census;
  std::istringstream lines(text);
  std::string kind;
  for (std::string line; std::getline(lines, line);) {
    Words words(line);
    kind = words.text();
    if (kind == "version") census.version = words.rest();
    if (kind == "body") census.bodies.push_back(parseBody(words));
    if (kind == "face") census.bodies.at(census.bodies.size() - 1).faces.push_back(parseFace(words));
    if (kind == "at") census.occurrences.push_back(parseOccurrence(words));
  }
  for (const Census::Occurrence& occurrence : census.occurrences) census.bodies.at(occurrence.body);
  if (kind != "end") throw std::runtime_error("the census has no end");
  return census;
}

}  // namespace

namespace {}  // namespace

std::string outputOfOpenCascade(const char* program, const std::filesystem::path& file,
                                const std::vector<std::string>& settings, std::chrono::minutes limit) {
  // Open CASCADE finds no external files of a path that begins with "..".
  std::vector<std::string> arguments{std::filesystem::absolute(file).lexically_normal().string()};
  arguments.insert(arguments.end(), settings.begin(), settings.end());
  RunOptions options;
  options.limit = limit;
  const ProgramResult run = runProgram(program, arguments, options);
  if (run.timedOut) throw std::runtime_error("Open CASCADE does not come to an end");
  if (run.exitCode < 0)
    throw std::runtime_error("Open CASCADE crashes, signal " + std::to_string(-run.exitCode));
  if (run.exitCode != 0) throw std::runtime_error("Open CASCADE " + run.err.substr(0, run.err.find('\n')));
  return run.out;
}

std::vector<std::string> argumentsOf(const ImportSettings& settings) {
  return {number(settings.linearDeflection), number(settings.relativeDeflection),
          number(settings.angularDeflection)};
}

Census takeCensus(const std::filesystem::path& file, const ImportSettings& settings) {
  return parse(outputOfOpenCascade(FITUP_BREP_CENSUS, file, argumentsOf(settings)));
}

OpenCascadeTimes timeOpenCascade(const std::filesystem::path& file) {
  std::istringstream words(outputOfOpenCascade(FITUP_BREP_CENSUS, file, {}));
  OpenCascadeTimes times;
  std::string word;
  words >> word >> times.read >> word >> times.transfer >> word >> times.mesh;
  if (!words) throw std::runtime_error("Open CASCADE's times are not understood");
  return times;
}

std::vector<std::filesystem::path> cadFilesBelow(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && fileFamilyOf(entry.path()) == FileFamily::cad)
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

CensusComparison compare(const Census& census, const Model& model) { return Comparer(census, model).run(); }

}  // namespace fitup::test
