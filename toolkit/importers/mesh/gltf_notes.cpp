#include "gltf_notes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include <fitup/geometry/limits.h>
#include <fitup/io/gltf_export.h>

#include "importer_main.h"

namespace fitup::importers {
namespace {

using nlohmann::json;

/// Returns the notes of an element as an object; empty if there are none.
const json& notesOf(const json& element) {
  static const json none = json::object();
  const auto extras = element.find("extras");
  if (extras == element.end() || !extras->is_object()) return none;
  const auto notes = extras->find(gltfNotes);
  return notes == extras->end() || !notes->is_object() ? none : *notes;
}

std::optional<Colour> notedColour(const json& notes) {
  const auto found = notes.find("colour");
  if (found == notes.end()) return std::nullopt;
  const auto c = found->get<std::array<float, 4>>();
  if (!std::all_of(c.begin(), c.end(), [](float value) { return value >= 0 && value <= 1; }))
    return std::nullopt;
  return Colour{c[0], c[1], c[2], c[3]};
}

/// Row by row, then the translation.
std::optional<Transform> notedPlacement(const json& notes) {
  const auto found = notes.find("placement");
  if (found == notes.end()) return std::nullopt;
  const auto numbers = found->get<std::array<double, 12>>();
  Transform result;
  for (std::size_t i = 0; i < 9; ++i) result.m[i / 3][i % 3] = numbers[i];
  result.t = {numbers[9], numbers[10], numbers[11]};
  return result;
}

GltfNotes::Part notedPart(const json& notes) {
  GltfNotes::Part part;
  part.ordinal = notes.at("part").get<std::uint64_t>();
  part.name = notes.value("name", std::string());
  const auto origin = notes.at("origin").get<std::array<double, 3>>();
  part.origin = {origin[0], origin[1], origin[2]};
  part.colour = notedColour(notes);
  for (const json& surface : notes.at("surfaces"))
    part.surfaces.push_back({validUtf8(surface.value("name", std::string())), notedColour(surface),
                             surface.value("empty", false)});
  return part;
}

class NotesReader {
 public:
  NotesReader(const json& gltf, GltfNotes& notes)
      : gltf_(gltf), notes_(notes), parts_(gltf.value("meshes", json::array()).size()) {}

  void addNode(std::uint64_t i) {
    const json& node = gltf_.at("nodes").at(i);
    const json& noted = notesOf(node);
    GltfNotes::Node result{validUtf8(node.value("name", std::string())), notedPlacement(noted),
                           notedColour(noted), nullptr, noted.value("inner", false)};
    if (const auto part = noted.find("part"); part != noted.end())
      result.part = std::make_shared<const GltfNotes::Part>(notedPart(*part));
    if (const auto mesh = node.find("mesh"); mesh != node.end())
      result.part = partOf(mesh->get<std::size_t>());
    notes_.nodes.push_back(std::move(result));
    for (const json& child : node.value("children", json::array())) addNode(child.get<std::uint64_t>());
  }

 private:
  std::shared_ptr<const GltfNotes::Part> partOf(std::size_t i) {
    const json& mesh = gltf_.at("meshes").at(i);
    if (parts_[i] || !notesOf(mesh).contains("part")) return parts_[i];
    GltfNotes::Part part = notedPart(notesOf(mesh));
    part.name = mesh.value("name", std::string());
    for (const json& primitive : mesh.at("primitives")) {
      constexpr std::uint64_t none = ~std::uint64_t{0};
      part.accessors.push_back(primitive.at("attributes").value("POSITION", none));
      part.accessors.push_back(primitive.value("indices", none));
      const auto material = primitive.find("material");
      part.isUncoloured.push_back(
          material != primitive.end() &&
          notesOf(gltf_.at("materials").at(material->get<std::size_t>())).value("uncoloured", false));
    }
    return parts_[i] = std::make_shared<const GltfNotes::Part>(std::move(part));
  }

  const json& gltf_;
  GltfNotes& notes_;
  std::vector<std::shared_ptr<const GltfNotes::Part>> parts_;  ///< by mesh
};

/// Whether both agree: entries are rounded to 32 bits, and rotations were made rigid since; translations are
/// only rounded.
bool agree(const Transform& exact, const Transform& read) {
  constexpr double rounding = 3e-7;
  double largest = 0, off = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      largest = std::max(largest, std::abs(exact.m[i][j]));
      off = std::max(off, std::abs(exact.m[i][j] - read.m[i][j]));
    }
  bool isThere = true;
  for (int i = 0; i < 3; ++i)
    isThere = isThere && static_cast<float>(exact.t[i]) == static_cast<float>(read.t[i]);
  return exact.isFinite() && isThere && off <= rounding * largest;
}

bool agree(const std::optional<Colour>& exact, const std::optional<Colour>& read) {
  if (!exact || !read) return !exact && !read;
  constexpr float rounding = 1e-4F;  // some programs keep six digits of linear light
  return std::abs(exact->red - read->red) <= rounding && std::abs(exact->green - read->green) <= rounding &&
         std::abs(exact->blue - read->blue) <= rounding && std::abs(exact->alpha - read->alpha) <= rounding;
}

bool isWithinLimits(const Vec3& point) {
  for (int i = 0; i < 3; ++i)
    if (!(std::abs(point[i]) <= limits::largest)) return false;
  return true;
}

class NotesApplier {
 public:
  NotesApplier(const GltfNotes& notes, RawScene& scene) : notes_(notes), read_(std::move(scene)) {}

  RawScene apply() {
    result_.warnings = std::move(read_.warnings);
    result_.unit = read_.unit;
    result_.upAxis = read_.upAxis;
    parts_.resize(read_.parts.size());
    children_.resize(read_.nodes.size());
    for (std::size_t i = 1; i < read_.nodes.size(); ++i)
      children_[static_cast<std::size_t>(*read_.nodes[i].parent)].push_back(i);
    const auto frame = gltfFromWorld(notes_.unit, notes_.upAxis);
    if (frame && agree(*frame, read_.nodes[0].parentFromNode) && !read_.nodes[0].part) {
      result_.unit = notes_.unit;
      result_.upAxis = notes_.upAxis;
      for (const std::size_t child : children_[0]) add(child, std::nullopt, {});
    } else {
      add(0, std::nullopt, {});
    }
    return std::move(result_);
  }

 private:
  /// A part that was read, in the result.
  struct Applied {
    std::uint32_t part = 0;  ///< index in the result
    Vec3 origin;
    std::optional<Colour> colour;
  };

  void add(std::size_t i, std::optional<NodeId> parent, const Vec3& parentOrigin) {
    const GltfNotes::Node& noted = notes_.nodes[i];
    Transform placement = read_.nodes[i].parentFromNode;
    const GltfNotes::Part* const ownPart = noted.part.get();
    while (!read_.nodes[i].part && children_[i].size() == 1 && notes_.nodes[children_[i][0]].isInner) {
      i = children_[i][0];
      placement = placement * read_.nodes[i].parentFromNode;
    }
    RawScene::Node node{noted.name, parent, placement, std::nullopt, noted.colour};
    Applied applied;
    if (read_.nodes[i].part) {
      applied = partOf(i);
      node.part = applied.part;
      if (applied.colour) node.colour = applied.colour;
    } else if (ownPart != nullptr && ownPart->accessors.empty()) {
      applied = partWithoutTriangles(*ownPart);
      node.part = applied.part;
    }
    const auto shifted = [](const Vec3& by, const Transform& placed, const Vec3& own) {
      return Transform::translation(by) * placed * Transform::translation(own);
    };
    node.parentFromNode =
        noted.placement && agree(shifted(-parentOrigin, *noted.placement, applied.origin), placement)
            ? *noted.placement
            : shifted(parentOrigin, placement, -applied.origin);
    const auto id = static_cast<NodeId>(result_.nodes.size());
    result_.nodes.push_back(std::move(node));
    for (const std::size_t child : children_[i]) add(child, id, applied.origin);
  }

  Applied partOf(std::size_t node) {
    const std::uint32_t was = *read_.nodes[node].part;
    std::optional<Applied>& applied = parts_[was];
    if (applied) return *applied;
    RawPart& raw = read_.parts[was];
    const auto& noted = notes_.nodes[node].part;
    applied = Applied{};
    if (noted && fits(*noted, raw)) {
      applied->origin = noted->origin;
      const bool areAsNoted = describe(*noted, raw);
      if (areAsNoted) {
        applied->colour = noted->colour;
        const auto [same, isNew] = known_.emplace(std::pair(noted->ordinal, noted->accessors),
                                                  std::pair(noted, result_.parts.size()));
        const GltfNotes::Part& first = *same->second.first;
        applied->part = static_cast<std::uint32_t>(same->second.second);
        if (!isNew && first.surfaces == noted->surfaces && first.origin == noted->origin &&
            first.name == noted->name)
          return *applied;
      }
    }
    applied->part = static_cast<std::uint32_t>(result_.parts.size());
    result_.parts.push_back(std::move(raw));
    return *applied;
  }

  static bool fits(const GltfNotes::Part& noted, const RawPart& raw) {
    const auto full = std::count_if(noted.surfaces.begin(), noted.surfaces.end(),
                                    [](const GltfNotes::Surface& surface) { return !surface.isEmpty; });
    return static_cast<std::size_t>(full) == raw.surfaces.size() &&
           noted.isUncoloured.size() == raw.surfaces.size() && isWithinLimits(noted.origin);
  }

  /// Gives a part that was read its noted name, surfaces and origin. Returns false if its colours differ from
  /// the noted ones; it then keeps its own.
  static bool describe(const GltfNotes::Part& noted, RawPart& raw) {
    raw.name = validUtf8(noted.name);
    for (Vec3& point : raw.points) point = noted.origin + point;
    bool areAsNoted = true;
    std::vector<std::uint32_t> ordinals;
    std::vector<std::optional<Colour>> colours;
    for (std::uint32_t s = 0; s < noted.surfaces.size(); ++s) {
      const GltfNotes::Surface& surface = noted.surfaces[s];
      if (surface.isEmpty) {
        colours.push_back(surface.colour);
        continue;
      }
      const std::size_t primitive = ordinals.size();
      ordinals.push_back(s);
      colours.push_back(noted.isUncoloured[primitive] ? std::nullopt : raw.colours[primitive]);
      areAsNoted = areAsNoted && agree(noted.colour ? noted.colour : surface.colour, colours.back());
    }
    raw.surfaces.clear();
    for (const GltfNotes::Surface& surface : noted.surfaces) raw.surfaces.push_back(surface.name);
    raw.colours = std::move(colours);
    if (areAsNoted)
      for (std::size_t s = 0; s < raw.colours.size(); ++s) raw.colours[s] = noted.surfaces[s].colour;
    for (RawPart::Face& face : raw.triangles) face.surface = ordinals[face.surface];
    raw.hasOwnSurfaces = true;
    return areAsNoted;
  }

  Applied partWithoutTriangles(const GltfNotes::Part& noted) {
    const auto [found, isNew] = empty_.emplace(noted.ordinal, result_.parts.size());
    if (isNew) {
      RawPart raw;
      raw.name = validUtf8(noted.name);
      raw.hasOwnSurfaces = true;
      for (const GltfNotes::Surface& surface : noted.surfaces) {
        raw.surfaces.push_back(surface.name);
        raw.colours.push_back(surface.colour);
      }
      result_.parts.push_back(std::move(raw));
    }
    return {static_cast<std::uint32_t>(found->second), {}, {}};
  }

  const GltfNotes& notes_;
  RawScene read_, result_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::optional<Applied>> parts_;  ///< for each part that was read
  /// By ordinal and accessors: the first notes with them, and the part of the result.
  std::map<std::pair<std::uint64_t, std::vector<std::uint64_t>>,
           std::pair<std::shared_ptr<const GltfNotes::Part>, std::size_t>>
      known_;
  std::map<std::uint64_t, std::size_t> empty_;  ///< parts without triangles
};

}  // namespace

std::optional<GltfNotes> readGltfNotes(const json& gltf, std::uint64_t root) {
  const json& noted = notesOf(gltf.at("nodes").at(root));
  if (!noted.contains("unit") || !noted.contains("up")) return std::nullopt;
  GltfNotes notes;
  notes.unit = noted.at("unit").get<std::string>();
  const auto up = upAxisFromName(noted.at("up").get<std::string>());
  if (!up) return std::nullopt;
  notes.upAxis = *up;
  NotesReader(gltf, notes).addNode(root);
  return notes;
}

void applyNotes(const GltfNotes& notes, RawScene& scene) {
  if (scene.nodes.size() != notes.nodes.size()) return;
  scene = NotesApplier(notes, scene).apply();
}

}  // namespace fitup::importers
