#include <fitup/io/gltf_export.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/version.h>
#include <fitup/base/work_meter.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/detail/exported_colour.h>
#include <fitup/io/detail/json_fields.h>

namespace fitup {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF is little-endian");

using GltfJson = nlohmann::ordered_json;

double columnProduct(const Transform& a, std::size_t p, std::size_t q) {
  return a.m[0][p] * a.m[0][q] + a.m[1][p] * a.m[1][q] + a.m[2][p] * a.m[2][q];
}

/// True if the shear exceeds the rounding of 32-bit entries.
bool isSheared(const Transform& a) {
  constexpr double rounded = 1e-6;
  for (const auto& [p, q] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}})
    if (std::abs(columnProduct(a, p, q)) >
        rounded * std::sqrt(columnProduct(a, p, p) * columnProduct(a, q, q)))
      return true;
  return false;
}

/// Two maps whose product is `a`: the first has orthogonal columns, the second is a rotation, so neither
/// shears. Uses one-sided Jacobi rotations (Hestenes 1958), which converge quadratically.
std::pair<Transform, Transform> withoutShear(const Transform& a) {
  constexpr int mostSweeps = 30;
  constexpr double roundOff = 1e-15;
  Transform scaled = a, turned;
  for (int sweep = 0; sweep < mostSweeps; ++sweep)
    for (const auto& [p, q] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
      const double pp = columnProduct(scaled, p, p), qq = columnProduct(scaled, q, q),
                   pq = columnProduct(scaled, p, q);
      if (std::abs(pq) <= roundOff * std::sqrt(pp * qq)) continue;
      const double zeta = (qq - pp) / (2 * pq);
      const double t = std::copysign(1 / (std::abs(zeta) + std::hypot(1, zeta)), zeta);
      const double c = 1 / std::hypot(1, t), s = c * t;
      for (Transform* each : {&scaled, &turned})
        for (auto& row : each->m) {
          const double x = row[p], y = row[q];
          row[p] = c * x - s * y;
          row[q] = s * x + c * y;
        }
    }
  Transform inner;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) inner.m[i][j] = turned.m[j][i];
  return {scaled, inner};
}

/// sRGB to linear light (IEC 61966-2-1).
double linearLight(float value) {
  const auto c = static_cast<double>(value);
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

GltfJson colourNote(const Colour& colour) {
  const Colour c = detail::exportedColour(colour);
  return {c.red, c.green, c.blue, c.alpha};
}

GltfJson note(GltfJson value) { return {{gltfNotes, std::move(value)}}; }

class GltfMaker {
 public:
  GltfMaker(const std::filesystem::path& file, const Assembly& assembly, const WorkMeter& meter,
            std::uint64_t largest)
      : file_(file), assembly_(assembly), meter_(meter), largest_(largest) {}

  /// Makes the JSON, padded to four bytes; `positions()` and `indices()` follow it in the file.
  std::string make() {
    const auto frame = gltfFromWorld(assembly_.unit(), assembly_.upAxis());
    if (!frame)
      throw InputError(file_.string(), "unit '" + assembly_.unit() + "'",
                       "glTF is in metres, and the size of this unit is not known");
    nodes_.push_back({{"name", assembly_.name()}});
    place(nodes_[0], *frame);
    nodes_[0]["extras"] = note({{"unit", assembly_.unit()}, {"up", name(assembly_.upAxis())}});
    polledLoop(assembly_.nodes().size(), meter_,
               [&](std::size_t i) { addNode(NodeId(static_cast<std::uint32_t>(i))); });
    return jsonText();
  }
  [[nodiscard]] const std::vector<float>& positions() const noexcept { return positions_; }
  [[nodiscard]] const std::vector<std::uint32_t>& indices() const noexcept { return indices_; }
  [[nodiscard]] std::uint64_t binaryBytes() const noexcept {
    return 4 * (std::uint64_t{positions_.size()} + indices_.size());
  }

 private:
  /// Origin of the corners of a node's part, in the frame of the node.
  [[nodiscard]] Vec3 originOf(const AssemblyNode& node) const {
    return node.part ? assembly_.part(*node.part).origin() : Vec3{};
  }

  void addNode(NodeId id) {
    const AssemblyNode& node = assembly_.node(id);
    const Vec3 own = originOf(node), above = node.parent ? originOf(assembly_.node(*node.parent)) : Vec3{};
    const Transform placement =
        Transform::translation(-above) * node.parentFromNode * Transform::translation(own);
    const std::size_t at = nodes_.size();
    nodes_.push_back({{"name", node.name}});
    requireStorable(id, placement);
    GltfJson notes = GltfJson::object();
    if (node.parentFromNode != Transform{} || own != Vec3{} || above != Vec3{})
      notes["placement"] = placementNote(node.parentFromNode);
    if (isSheared(placement)) {
      const auto [outer, inner] = withoutShear(placement);
      place(nodes_[at], outer);
      nodes_[at]["children"] = GltfJson::array({at + 1});
      nodes_.push_back({{"name", node.name}});
      place(nodes_.back(), inner);
      nodes_.back()["extras"] = note({{"inner", true}});
    } else {
      place(nodes_[at], placement);
    }
    contents_.push_back(nodes_.size() - 1);
    if (node.part) show(*node.part, node.colour, nodes_.back(), notes);
    if (node.colour && !nodes_.back().contains("mesh")) notes["colour"] = colourNote(*node.colour);
    if (!notes.empty()) nodes_[at]["extras"][gltfNotes].update(notes);
    nodes_[node.parent ? contents_[index(*node.parent)] : 0]["children"].push_back(at);
  }

  void requireStorable(NodeId id, const Transform& placement) const {
    Transform stored;
    for (int i = 0; i < 3; ++i) {
      const auto row = static_cast<std::size_t>(i);
      for (std::size_t j = 0; j < 3; ++j) stored.m[row][j] = static_cast<float>(placement.m[row][j]);
      stored.t[i] = static_cast<float>(placement.t[i]);
    }
    try {
      (void)stored.inverse();
    } catch (const PlacementError& problem) {
      throw InputError(file_.string(), "node '" + assembly_.path(id) + "'",
                       std::string("in the 32 bits of glTF its ") + problem.what());
    }
  }

  /// Matrix by columns, as glTF requires, in 32-bit numbers, so that readers need not round.
  static void place(GltfJson& json, const Transform& placement) {
    if (placement == Transform{}) return;
    GltfJson matrix = GltfJson::array();
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 3; ++i) matrix.push_back(static_cast<float>(placement.m[i][j]));
      matrix.push_back(0);
    }
    for (int i = 0; i < 3; ++i) matrix.push_back(static_cast<float>(placement.t[i]));
    matrix.push_back(1);
    json["matrix"] = std::move(matrix);
  }

  /// By rows, then the translation.
  static GltfJson placementNote(const Transform& placement) {
    GltfJson result = GltfJson::array();
    for (const auto& row : placement.m)
      for (const double value : row) result.push_back(value);
    for (int i = 0; i < 3; ++i) result.push_back(placement.t[i]);
    return result;
  }

  /// A part without triangles becomes a note, because glTF has no empty meshes.
  void show(PartId id, const std::optional<Colour>& colour, GltfJson& node, GltfJson& notes) {
    if (assembly_.part(id).triangleCount() == 0) {
      notes["part"] = partNote(id);
      notes["part"]["name"] = assembly_.part(id).name();
      return;
    }
    std::string key = std::to_string(index(id));
    if (colour) key += detail::materialName(*colour);
    const auto [found, isNew] = meshOf_.emplace(key, meshes_.size());
    if (isNew) addMesh(id, colour);
    node["mesh"] = found->second;
  }

  [[nodiscard]] GltfJson partNote(PartId id) const {
    const TriangleMesh& mesh = assembly_.part(id);
    GltfJson surfaces = GltfJson::array();
    for (const Surface& surface : mesh.surfaces()) {
      GltfJson json = GltfJson::object();
      if (!surface.name.empty()) json["name"] = surface.name;
      if (surface.colour) json["colour"] = colourNote(*surface.colour);
      if (surface.triangleCount == 0) json["empty"] = true;
      surfaces.push_back(std::move(json));
    }
    const Vec3& origin = mesh.origin();
    return {
        {"part", index(id)}, {"origin", {origin.x, origin.y, origin.z}}, {"surfaces", std::move(surfaces)}};
  }

  void addMesh(PartId id, const std::optional<Colour>& colour) {
    const TriangleMesh& mesh = assembly_.part(id);
    const std::vector<std::size_t>& accessors = accessorsOf(mesh);
    GltfJson primitives = GltfJson::array();
    for (std::size_t s = 0; s < accessors.size(); ++s) {
      const Surface& surface = mesh.surfaces()[s];
      if (surface.triangleCount == 0) continue;
      GltfJson primitive{{"attributes", {{"POSITION", accessors[s]}}},
                         {"indices", accessors[s] + 1},
                         {"material", materialOf(colour ? colour : surface.colour)}};
      if (!surface.name.empty()) primitive["extras"] = {{"name", surface.name}};
      primitives.push_back(std::move(primitive));
    }
    GltfJson notes = partNote(id);
    if (colour) notes["colour"] = colourNote(*colour);
    meshes_.push_back(
        {{"name", mesh.name()}, {"primitives", std::move(primitives)}, {"extras", note(std::move(notes))}});
  }

  std::size_t materialOf(const std::optional<Colour>& colour) {
    // Without a material, viewers show a metal.
    const Colour shown = detail::exportedColour(colour.value_or(Colour{}));
    const std::string name = colour ? detail::materialName(shown) : "uncoloured";
    const auto [found, isNew] = materialOf_.emplace(name, materials_.size());
    if (!isNew) return found->second;
    GltfJson material{
        {"name", name},
        {"pbrMetallicRoughness",
         {{"baseColorFactor",
           {linearLight(shown.red), linearLight(shown.green), linearLight(shown.blue), shown.alpha}},
          {"metallicFactor", 0},
          {"roughnessFactor", 0.5}}},
        {"doubleSided", true}};  // open sheets show both sides
    if (shown.alpha < 1) material["alphaMode"] = "BLEND";
    if (!colour) material["extras"] = note({{"uncoloured", true}});
    materials_.push_back(std::move(material));
    return found->second;
  }

  /// For each surface, the ordinal of the accessor of its corners; the accessor of its indices follows.
  /// Undefined for surfaces without triangles. Each surface has corners of its own, because readers load an
  /// accessor as a whole.
  const std::vector<std::size_t>& accessorsOf(const TriangleMesh& mesh) {
    const auto [found, isNew] = accessorsOf_.emplace(&mesh, std::vector<std::size_t>());
    if (!isNew) return found->second;
    constexpr std::uint32_t none = ~0U;
    std::vector<std::uint32_t> cornerOf(mesh.points().size(), none), used;
    for (const Surface& surface : mesh.surfaces()) {
      found->second.push_back(accessors_.size());
      if (surface.triangleCount == 0) continue;
      const std::size_t firstPosition = positions_.size(), firstIndex = indices_.size();
      Aabb box;
      polledLoop(surface.triangleCount, meter_, [&](std::size_t i) {
        for (const std::uint32_t p : mesh.triangles()[surface.firstTriangle + i]) {
          const Point3f& point = mesh.points()[p];
          if (cornerOf[p] == none) {
            cornerOf[p] = static_cast<std::uint32_t>(used.size());
            used.push_back(p);
            positions_.insert(positions_.end(), {point.x, point.y, point.z});
            box.extend(point);
          }
          indices_.push_back(cornerOf[p]);
        }
        if (binaryBytes() > largest_) refuseSize();
      });
      accessors_.push_back({{"bufferView", 0},
                            {"byteOffset", 4 * firstPosition},
                            {"componentType", 5126},
                            {"count", used.size()},
                            {"type", "VEC3"},
                            {"min", {box.min.x, box.min.y, box.min.z}},
                            {"max", {box.max.x, box.max.y, box.max.z}}});
      accessors_.push_back({{"bufferView", 1},
                            {"byteOffset", 4 * firstIndex},
                            {"componentType", 5125},
                            {"count", indices_.size() - firstIndex},
                            {"type", "SCALAR"}});
      for (const std::uint32_t p : used) cornerOf[p] = none;
      used.clear();
    }
    return found->second;
  }

  /// Omits empty lists, which are not valid glTF.
  std::string jsonText() const {
    GltfJson root{{"asset", {{"version", "2.0"}, {"generator", "Fitup " + std::string(version)}}},
                  {"scene", 0},
                  {"scenes", GltfJson::array({{{"nodes", GltfJson::array({0})}}})},
                  {"nodes", nodes_}};
    if (!indices_.empty()) {
      const std::size_t positions = 4 * positions_.size(), indices = 4 * indices_.size();
      root["meshes"] = meshes_;
      root["materials"] = materials_;
      root["accessors"] = accessors_;
      root["bufferViews"] = {
          {{"buffer", 0},
           {"byteOffset", 0},
           {"byteLength", positions},
           {"byteStride", 12},
           {"target", 34962}},
          {{"buffer", 0}, {"byteOffset", positions}, {"byteLength", indices}, {"target", 34963}}};
      root["buffers"] = GltfJson::array({{{"byteLength", positions + indices}}});
    }
    std::string text = detail::toText(root);
    text.append((4 - text.size() % 4) % 4, ' ');
    constexpr std::uint64_t headers = 12 + 8 + 8;
    if (headers + text.size() + binaryBytes() > largest_) refuseSize();
    return text;
  }

  [[noreturn]] void refuseSize() const {
    throw InputError(
        file_.string(), "",
        "would have more than " + std::to_string(largest_) + " bytes, the most of a binary glTF file");
  }

  const std::filesystem::path& file_;
  const Assembly& assembly_;
  const WorkMeter& meter_;
  std::uint64_t largest_;
  GltfJson nodes_ = GltfJson::array(), meshes_ = GltfJson::array(), materials_ = GltfJson::array(),
           accessors_ = GltfJson::array();
  std::vector<std::size_t> contents_;  ///< by node of the assembly: the glTF node of its mesh and children
  std::map<std::string, std::size_t> meshOf_, materialOf_;
  std::map<const TriangleMesh*, std::vector<std::size_t>> accessorsOf_;
  std::vector<float> positions_;
  std::vector<std::uint32_t> indices_;
};

void putWord(std::ostream& out, std::uint64_t value) {
  const auto word = static_cast<std::uint32_t>(value);
  out.write(reinterpret_cast<const char*>(&word), sizeof word);
}

template <typename T>
void putAll(std::ostream& out, const std::vector<T>& values, const WorkMeter& meter) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::size_t i = 0; i < values.size(); i += piece) {
    meter.poll();
    const std::size_t count = std::min(piece, values.size() - i);
    out.write(reinterpret_cast<const char*>(values.data() + i),
              static_cast<std::streamsize>(count * sizeof(T)));
  }
}

}  // namespace

std::optional<Transform> gltfFromWorld(std::string_view unit, UpAxis up) noexcept {
  constexpr std::array<std::pair<std::string_view, double>, 5> metres{
      {{"mm", 0.001}, {"cm", 0.01}, {"m", 1}, {"in", 0.0254}, {"ft", 0.3048}}};
  for (const auto& [name, size] : metres) {
    if (name != unit) continue;
    Transform result = Transform::scaling(size, size, size);
    if (up == UpAxis::x) result.m = {{{0, -size, 0}, {size, 0, 0}, {0, 0, size}}};
    if (up == UpAxis::z) result.m = {{{size, 0, 0}, {0, 0, size}, {0, -size, 0}}};
    return result;
  }
  return std::nullopt;
}

void writeGltf(const std::filesystem::path& file, const Assembly& assembly, const Progress& progress,
               std::uint64_t largest) {
  constexpr std::uint64_t gltfMagic = 0x46546C67, jsonType = 0x4E4F534A, binaryType = 0x004E4942;
  const WorkMeter meter(progress);
  GltfMaker maker(file, assembly, meter, std::min(largest, largestGltf));
  const std::string json = maker.make();
  const std::uint64_t binary = maker.binaryBytes();
  writeFileAtomically(
      file,
      [&](std::ostream& out) {
        const std::uint64_t total = 12 + 8 + json.size() + (binary == 0 ? 0 : 8 + binary);
        for (const std::uint64_t word : {gltfMagic, std::uint64_t{2}, total, json.size(), jsonType})
          putWord(out, word);
        out << json;
        if (binary == 0) return;
        putWord(out, binary);
        putWord(out, binaryType);
        putAll(out, maker.positions(), meter);
        putAll(out, maker.indices(), meter);
      },
      progress);
}

}  // namespace fitup
