#include <fitup/io/mesh_export.h>

#include <algorithm>

#include <fitup/base/detail/number_text.h>
#include <fitup/base/work_meter.h>
#include <fitup/io/atomic_file.h>
#include <fitup/query/intersection_chains.h>
#include <fitup/query/intersection_lines.h>

namespace fitup {
namespace {

void writePoint(std::ostream& out, const Vec3& p) {
  out << "v";
  for (double c : {p.x, p.y, p.z}) out << " " << detail::numberText(c);
  out << "\n";
}

/// The name of an object is the rest of its line.
std::string objName(std::string_view name) {
  std::string result(name);
  for (char& c : result)
    if (c == '\t' || c == '\n' || c == '\r') c = '_';
  if (result.ends_with('\\')) result.back() = '_';  // would join the next line
  return result;
}

/// Of groups there may be several on a line.
std::string groupName(std::string_view name) {
  std::string result = objName(name);
  std::replace(result.begin(), result.end(), ' ', '_');
  return result;
}

}  // namespace

void writeObj(const std::filesystem::path& file, const Assembly& assembly, const Progress& progress) {
  const WorkMeter meter(progress);
  const auto write = [&](std::ostream& out) {
    out << "# unit: " << assembly.unit() << "\n";
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
        polledLoop(surface.triangleCount, meter, [&](std::size_t i) {
          TriangleIndices t = mesh.triangles()[surface.firstTriangle + i];
          if (mirrored) std::swap(t[1], t[2]);  // keeps outsides outside
          out << "f " << base + t[0] << " " << base + t[1] << " " << base + t[2] << "\n";
        });
      }
      base += mesh.points().size();
    }
  };
  writeFileAtomically(file, write, progress);
}

void writeIntersectionLines(const std::filesystem::path& file, const Assembly& assembly,
                            const CollisionModels& models, const InterferenceReport& report) {
  writeFileAtomically(file, [&](std::ostream& out) {
    out << "# unit: " << assembly.unit() << "\n";
    std::size_t next = 1;
    const auto posed = [&](NodeId node) {
      return PosedModel{*models.at(index(assembly.partOf(node))), assembly.worldFromNode(node)};
    };
    for (const PairInterference& pair : report.pairs) {
      out << "o " << objName(assembly.path(pair.a)) << "_x_" << objName(assembly.path(pair.b)) << "\n";
      for (const IntersectionLine& line : intersectionLines(posed(pair.a), posed(pair.b), pair.report)) {
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

void writeIntersectionChains(const std::filesystem::path& file, const Assembly& assembly,
                             const CollisionModels& models, const InterferenceReport& report) {
  const BodyModels bodies = buildBodyModels(models);
  writeFileAtomically(file, [&](std::ostream& out) {
    out << "# unit: " << assembly.unit() << "\n";
    std::size_t next = 1;
    const auto posed = [&](NodeId node) {
      return PosedBody{*bodies.at(index(assembly.partOf(node))), assembly.worldFromNode(node)};
    };
    for (const PairInterference& pair : report.pairs) {
      if (!pair.report.intersects()) continue;
      out << "o " << objName(assembly.path(pair.a)) << "_x_" << objName(assembly.path(pair.b)) << "\n";
      for (const IntersectionChain& chain : intersectionChains(posed(pair.a), posed(pair.b), pair.report)) {
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
