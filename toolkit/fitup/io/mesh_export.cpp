#include <fitup/io/mesh_export.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <fitup/base/work_meter.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/detail/exported_colour.h>
#include <fitup/io/file_bytes.h>
#include <fitup/query/intersection_chains.h>
#include <fitup/query/intersection_lines.h>

namespace fitup {
namespace {

void writePoint(std::ostream& out, const Vec3& p) {
  out << "v";
  for (double c : {p.x, p.y, p.z}) out << " " << numberText(c);
  out << "\n";
}

/// The name of an object is the rest of its line.
std::string objName(std::string_view name) {
  std::string result(name);
  for (char& c : result)
    if (c == '\t' || c == '\n' || c == '\r') c = '_';
  if (result.ends_with('\\')) result.back() = '_';  // it would join the next line
  return result;
}

/// A line may list several groups, so the name must not contain spaces.
std::string groupName(std::string_view name) {
  std::string result = objName(name);
  std::replace(result.begin(), result.end(), ' ', '_');
  return result;
}

/// The material of uncoloured surfaces. It has no colour, and ends the material before it.
constexpr std::string_view uncoloured = "uncoloured";

/// First line of material libraries that this file writes; only a library with this line is replaced.
constexpr std::string_view libraryHeader = "# Colours of an OBJ file, written with it by Fitup\n";

std::optional<Colour> shownColour(const AssemblyNode& node, const Surface& surface) {
  return node.colour ? node.colour : surface.colour;
}

/// Colours by the names of their materials; empty if nothing shown has a colour.
std::map<std::string, Colour> materialsOf(const Assembly& assembly) {
  std::map<std::string, Colour> materials;
  for (const NodeId id : assembly.instances())
    for (const Surface& surface : assembly.meshOf(id).surfaces())
      if (const auto colour = shownColour(assembly.node(id), surface); colour && surface.triangleCount > 0) {
        const Colour exported = detail::exportedColour(*colour);
        materials.emplace(detail::materialName(exported), exported);
      }
  return materials;
}

void writeLibrary(std::ostream& out, const std::map<std::string, Colour>& materials) {
  // Converts to double, so that readers do not round twice.
  const auto number = [](float value) { return " " + numberText(static_cast<double>(value)); };
  out << libraryHeader << "newmtl " << uncoloured << "\n";
  for (const auto& [name, c] : materials) {
    out << "newmtl " << name << "\nKd" << number(c.red) << number(c.green) << number(c.blue) << "\n";
    if (c.alpha < 1) out << "d" << number(c.alpha) << "\n";
  }
}

/// The material library beside an OBJ file, and its version on disk. Throws FileError if it may not be
/// replaced, InputError for a name that cannot occur in the OBJ file.
std::pair<std::filesystem::path, FileVersion> libraryBeside(const std::filesystem::path& file) {
  std::filesystem::path library = file;
  library.replace_extension(".mtl");
  const std::string name = library.filename().string();
  const bool isControl =
      std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
  if (isControl || name.starts_with(' ') || name.find('\\') != name.npos || name.find(" # ") != name.npos ||
      name.starts_with("# "))
    throw InputError(file.string(), "",
                     "has colours, but an OBJ file cannot refer to a material library of this name: choose a "
                     "name without backslashes, control characters and lone #");
  std::error_code error;
  if (std::filesystem::status(library, error).type() == std::filesystem::file_type::not_found)
    return {library, {}};
  const auto there = FileBytes::read(library);
  if (!there->text().starts_with(libraryHeader))
    throw FileError(
        library.string() +
        ": needed for the colours, but already exists and was not written by Fitup with an OBJ file");
  return {library, versionOf(there->text())};
}

}  // namespace

void writeObj(const std::filesystem::path& file, const Assembly& assembly, const Progress& progress) {
  const WorkMeter meter(progress);
  const std::map<std::string, Colour> materials = materialsOf(assembly);
  std::pair<std::filesystem::path, FileVersion> library;
  if (!materials.empty()) library = libraryBeside(file);
  const auto write = [&](std::ostream& out) {
    out << "# unit: " << assembly.unit() << "\n";
    if (!materials.empty()) out << "mtllib " << library.first.filename().string() << "\n";
    std::size_t base = 1;
    for (NodeId node : assembly.instances()) {
      const TriangleMesh& mesh = assembly.meshOf(node);
      const Transform worldFromPart = assembly.worldFromNode(node);
      const bool mirrored = worldFromPart.determinant() < 0;
      out << "o " << objName(assembly.path(node)) << "\n";
      polledLoop(mesh.points().size(), meter, [&](std::size_t i) {
        writePoint(out, worldFromPart.apply(mesh.pointInPart(static_cast<std::uint32_t>(i))));
      });
      for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
        const Surface& surface = mesh.surfaces()[s];
        out << "g face_" << s << (surface.name.empty() ? "" : "_" + groupName(surface.name)) << "\n";
        if (!materials.empty()) {
          const auto colour = shownColour(assembly.node(node), surface);
          out << "usemtl "
              << (colour ? detail::materialName(detail::exportedColour(*colour)) : std::string(uncoloured))
              << "\n";
        }
        polledLoop(surface.triangleCount, meter, [&](std::size_t i) {
          TriangleIndices t = mesh.triangles()[surface.firstTriangle + i];
          if (mirrored) std::swap(t[1], t[2]);  // keeps normals outward
          out << "f " << base + t[0] << " " << base + t[1] << " " << base + t[2] << "\n";
        });
      }
      base += mesh.points().size();
    }
  };
  writeFileAtomically(file, write, progress);
  if (!materials.empty())
    replaceFileAtomically(library.first, library.second,
                          [&](std::ostream& out) { writeLibrary(out, materials); });
}

void writeStl(const std::filesystem::path& file, const Assembly& assembly, const Progress& progress) {
  const WorkMeter meter(progress);
  std::uint64_t count = 0;
  for (const NodeId node : assembly.instances()) count += assembly.meshOf(node).triangleCount();
  if (count > UINT32_MAX) throw InputError(file.string(), "STL", "cannot hold so many triangles");
  const auto write = [&](std::ostream& out) {
    const auto put = [&](auto value) {
      static_assert(std::endian::native == std::endian::little);
      std::array<char, sizeof value> bytes;
      std::memcpy(bytes.data(), &value, sizeof value);
      out.write(bytes.data(), bytes.size());
    };
    const auto putVector = [&](const Vec3& v) {
      for (const double x : {v.x, v.y, v.z}) put(static_cast<float>(x));
    };
    std::array<char, 80> head{};
    const std::string_view title = "binary STL, written by Fitup";
    std::ranges::copy(title, head.begin());
    out.write(head.data(), head.size());
    put(static_cast<std::uint32_t>(count));
    for (const NodeId node : assembly.instances()) {
      const TriangleMesh& mesh = assembly.meshOf(node);
      const Transform worldFromPart = assembly.worldFromNode(node);
      const bool mirrored = worldFromPart.determinant() < 0;
      polledLoop(mesh.triangleCount(), meter, [&](std::size_t i) {
        TriangleIndices t = mesh.triangles()[i];
        if (mirrored) std::swap(t[1], t[2]);  // keeps normals outward
        std::array<Vec3, 3> corners;
        for (std::size_t k = 0; k < 3; ++k) corners[k] = worldFromPart.apply(mesh.pointInPart(t[k]));
        const Vec3 n = cross(corners[1] - corners[0], corners[2] - corners[0]);
        putVector(norm(n) > 0 ? normalized(n) : Vec3{});
        for (const Vec3& p : corners) putVector(p);
        put(std::uint16_t{0});
      });
    }
  };
  writeFileAtomically(file, write, progress);
}

void writeIntersectionLines(const std::filesystem::path& file, const Scene& scene, const Poses& poses,
                            const InterferenceReport& report) {
  const Assembly& assembly = scene.assembly();
  writeFileAtomically(file, [&](std::ostream& out) {
    out << "# unit: " << assembly.unit() << "\n";
    std::size_t next = 1;
    for (const PairInterference& pair : report.pairs) {
      out << "o " << objName(assembly.path(pair.a)) << "_x_" << objName(assembly.path(pair.b)) << "\n";
      for (const IntersectionLine& line :
           intersectionLines(scene.posed(pair.a, poses), scene.posed(pair.b, poses), pair.report)) {
        const std::size_t count = line.common.count;
        for (const Vec3& p : line.common.corners()) writePoint(out, p);
        out << (count == 1 ? "p" : "l");
        for (std::size_t i = 0; i < count; ++i) out << " " << next + i;
        if (count > 2) out << " " << next;
        out << "\n";
        next += count;
      }
    }
  });
}

void writeIntersectionChains(const std::filesystem::path& file, const Scene& scene, const Poses& poses,
                             const InterferenceReport& report) {
  const Assembly& assembly = scene.assembly();
  writeFileAtomically(file, [&](std::ostream& out) {
    out << "# unit: " << assembly.unit() << "\n";
    std::size_t next = 1;
    for (const PairInterference& pair : report.pairs) {
      if (!pair.report.intersects()) continue;
      out << "o " << objName(assembly.path(pair.a)) << "_x_" << objName(assembly.path(pair.b)) << "\n";
      for (const IntersectionChain& chain : intersectionChains(
               scene.posedSolid(pair.a, poses), scene.posedSolid(pair.b, poses), pair.report)) {
        const std::size_t count = chain.points.size();
        const SurfacePair& surfaces = chain.stretches.front().surfaces;
        out << "g face_" << index(surfaces.a) << "_x_face_" << index(surfaces.b) << "\n";
        for (const Vec3& p : chain.points) writePoint(out, p);
        out << (count == 1 ? "p" : "l");
        for (std::size_t i = 0; i < count; ++i) out << " " << next + i;
        if (chain.closed) out << " " << next;
        out << "\n";
        next += count;
      }
    }
  });
}

}  // namespace fitup
