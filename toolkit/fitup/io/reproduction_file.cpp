#include <fitup/io/reproduction_file.h>

#include <charconv>
#include <cmath>

#include <fitup/io/atomic_file.h>

namespace fitup {
namespace {

/// Hexadecimal, as strtod and C++ literals accept it.
std::string exact(double value) {
  char text[40];
  char* end = std::to_chars(text, text + sizeof text, value < 0 ? -value : value, std::chars_format::hex).ptr;
  return (std::signbit(value) ? "-0x" : "0x") + std::string(text, end);
}

std::string exact(const Vec3& p) { return exact(p.x) + " " + exact(p.y) + " " + exact(p.z); }

void writePart(std::ostream& out, const char* name, const TriangleMesh& mesh, const Transform& pose) {
  out << "\n" << name << ": part '" << mesh.name() << "', " << mesh.triangleCount() << " triangles\n";
  out << "world from part, rows and translation:\n";
  for (const auto& row : pose.m) out << "  " << exact(Vec3{row[0], row[1], row[2]}) << "\n";
  out << "  " << exact(pose.t) << "\n";
  out << "origin of the local coordinates: " << exact(mesh.origin()) << "\n";
  out << "triangle (index in the source, surface) and its corners in local coordinates:\n";
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const TriangleId id{i};
    out << "  " << i << " (" << mesh.sourceTriangle(id) << ", " << index(mesh.surfaceOf(id)) << ")";
    for (const Vec3& v : mesh.triangle(id).v) out << "  " << exact(v);
    out << "\n";
  }
}

}  // namespace

Model reproductionModel(const Reproduction& reproduction, const std::string& unit) {
  Model model;
  model.assembly = Assembly("reproduction");
  model.assembly.setUnit(unit);
  model.assembly.addNode("a", reproduction.worldFromFirst, {}, model.assembly.addPart(reproduction.first));
  model.assembly.addNode("b", reproduction.worldFromSecond, {}, model.assembly.addPart(reproduction.second));
  model.collisionModels = buildCollisionModels(model.assembly);
  return model;
}

std::vector<std::filesystem::path> writeReproduction(const std::filesystem::path& prefix,
                                                     const Reproduction& reproduction,
                                                     const ReproductionNotes& notes) {
  const std::filesystem::path modelFile = prefix.string() + ".fitup", textFile = prefix.string() + ".txt";
  writeModelFile(modelFile, reproductionModel(reproduction, notes.unit));
  writeFileAtomically(textFile, [&](std::ostream& out) {
    out << notes.program << ": an answer differs from that of the oracle\n\n";
    out << "question:  " << notes.question << "\n";
    out << "model:     " << notes.model << "\n";
    out << "a:         " << notes.a << "\nb:         " << notes.b << "\n";
    out << "unit:      " << notes.unit << "\n";
    out << "problem:   " << reproduction.discrepancy.problem << "\n";
    for (const TrianglePair& p : reproduction.discrepancy.triangles)
      out << "           triangles " << index(p.a) << " of a, " << index(p.b) << " of b\n";
    std::string command = notes.command;
    if (const std::size_t at = command.find("{}"); at != std::string::npos)
      command.replace(at, 2, modelFile.filename().string());
    out << "shown by:  " << command << "\n";
    if (!reproduction.comesBack)
      out << "It did not recur when the same two parts were checked again with new hierarchies; both parts "
             "are given whole.\n";
    else if (reproduction.status == ReportStatus::complete)
      out << "If any one of these triangles is removed, the difference disappears (" << reproduction.checks
          << " tries).\n";
    else
      out << "The reduction was not completed (" << reproduction.checks << " tries).\n";
    writePart(out, "a", *reproduction.first, reproduction.worldFromFirst);
    writePart(out, "b", *reproduction.second, reproduction.worldFromSecond);
  });
  return {modelFile, textFile};
}

}  // namespace fitup
