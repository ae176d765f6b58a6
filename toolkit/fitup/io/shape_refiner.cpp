#include <fitup/io/shape_refiner.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <fitup/io/import_folder.h>
#include <fitup/io/importer_process.h>

namespace fitup {
namespace {

/// A kept importer, with the folder to which it writes its answers.
struct Server {
  ImportFolder folder;
  RunningImporter importer;
  std::set<PartId> known;  ///< the parts whose shapes it has

  explicit Server(ImporterCommand command)
      : importer([&] {
          command.arguments = {"--refine", folder.path().string()};
          return std::move(command);
        }()) {}
};

/// The largest chord error of a mesh.
double largestError(const TriangleMesh& mesh) {
  double largest = mesh.deflection() ? mesh.deflection()->linear : 0;
  for (const Surface& surface : mesh.surfaces()) largest = std::max(largest, surface.chordError.value_or(0));
  return largest;
}

Box boxOf(const TriangleMesh& mesh, const Surface& surface) {
  Box box;
  for (std::uint32_t i = 0; i < surface.triangleCount; ++i)
    for (const std::uint32_t point : mesh.triangles()[surface.firstTriangle + i])
      box.extend(mesh.pointInPart(point));
  return box;
}

/// Why a mesh cannot be one of the same shape; empty if it can.
std::string difference(const TriangleMesh& coarse, const TriangleMesh& fine) {
  if (coarse.surfaces().size() != fine.surfaces().size()) return "it has another number of faces";
  const double most =
      largestError(coarse) + largestError(fine) +
      std::sqrt(3.0) * (coarse.validation().largestRounding + fine.validation().largestRounding);
  for (std::size_t i = 0; i < coarse.surfaces().size(); ++i) {
    const Box a = boxOf(coarse, coarse.surfaces()[i]), b = boxOf(fine, fine.surfaces()[i]);
    if (a.empty() != b.empty()) return "face " + std::to_string(i) + " has no triangles";
    for (int k = 0; k < 3 && !a.empty(); ++k)
      if (!(std::abs(a.min[k] - b.min[k]) <= most && std::abs(a.max[k] - b.max[k]) <= most))
        return "face " + std::to_string(i) + " has another box";
  }
  return {};
}

/// Whether Open CASCADE divides faces of this kind in both directions. Those whose kind does not say it may
/// be cylinders in another form.
enum class Growth { inOneDirection, inBoth, unknown };
Growth growthOf(const Surface& surface) {
  switch (surface.description ? surface.description->kind : SurfaceKind::unknown) {
    case SurfaceKind::plane:
    case SurfaceKind::cylinder:
    case SurfaceKind::extrusion:
      return Growth::inOneDirection;
    case SurfaceKind::cone:
    case SurfaceKind::sphere:
    case SurfaceKind::torus:
      return Growth::inBoth;
    default:
      return Growth::unknown;
  }
}

/// About the number of triangles of some faces at another chord error, by what the mesh has. Faces of unknown
/// growth count as curved in both directions, unless `least`.
double expectedTriangles(const TriangleMesh& mesh, std::span<const SurfaceId> faces, double chordError,
                         bool least) {
  double sum = 0;
  for (const SurfaceId face : faces) {
    const Surface& surface = mesh.surfaces()[index(face)];
    const double finer = std::max(1.0, mesh.chordErrorOf(face).value_or(0) / chordError);
    const Growth growth = growthOf(surface);
    const bool isInBoth = growth == Growth::inBoth || (growth == Growth::unknown && !least);
    sum += surface.triangleCount * (isInBoth ? finer : std::sqrt(finer));
  }
  return sum;
}

void requireFew(double triangles) {
  if (triangles > ShapeRefiner::mostTriangles)
    throw ImportError("more than " + std::to_string(ShapeRefiner::mostTriangles) +
                      " triangles would be needed; a larger tolerance would decide it");
}

}  // namespace

struct ShapeRefiner::State {
  std::vector<std::shared_ptr<const TriangleMesh>> meshes;
  std::vector<ExactShape> shapes;
  ImporterCommand command;
  std::optional<std::filesystem::path> importerFolder;
  std::mutex mutex;
  std::vector<std::unique_ptr<Server>> idle;

  std::unique_ptr<Server> take() {
    {
      const std::lock_guard lock(mutex);
      if (command.program.empty()) command.program = importerProgram(FileFamily::cad, importerFolder);
      if (!idle.empty()) {
        std::unique_ptr<Server> server = std::move(idle.back());
        idle.pop_back();
        return server;
      }
    }
    return std::make_unique<Server>(command);
  }
  void giveBack(std::unique_ptr<Server> server) {
    if (!server->importer.isRunning()) return;
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(server));
  }
};

ShapeRefiner::ShapeRefiner(const Model& model, const ReadOptions& options)
    : state_(std::make_unique<State>()) {
  for (std::uint32_t i = 0; i < model.assembly.partCount(); ++i)
    state_->meshes.push_back(model.assembly.sharedPart(PartId(i)));
  state_->shapes = model.exactShapes;
  state_->command.memoryLimit = options.importerMemoryLimit;
  state_->command.noProgressLimit = options.noProgressLimit;
  state_->importerFolder = options.importerFolder;
}

ShapeRefiner::~ShapeRefiner() = default;

bool ShapeRefiner::canRefine(PartId part) const {
  return index(part) < state_->shapes.size() && !state_->shapes[index(part)].empty() &&
         state_->meshes[index(part)]->deflection();
}

const TriangleMesh* ShapeRefiner::coarseMesh(PartId part) const {
  return index(part) < state_->meshes.size() ? state_->meshes[index(part)].get() : nullptr;
}

std::shared_ptr<const TriangleMesh> ShapeRefiner::refine(PartId part, std::span<const SurfaceId> faces,
                                                         double chordError, const Progress& progress) {
  const TriangleMesh& coarse = *state_->meshes[index(part)];
  requireFew(expectedTriangles(coarse, faces, chordError, true));
  if (expectedTriangles(coarse, faces, chordError, false) > mostTriangles) {
    // A mesh in between shows how the number grows.
    constexpr double between = 16;
    const auto probe = make(part, faces, between * chordError, progress);
    double triangles = 0;
    for (const SurfaceId face : faces) {
      const double before = coarse.surfaces()[index(face)].triangleCount,
                   after = probe->surfaces()[index(face)].triangleCount,
                   finer = coarse.chordErrorOf(face).value_or(0) / (between * chordError);
      const double growth = finer > 2 && after > before ? std::log(after / before) / std::log(finer) : 1;
      triangles += after * std::pow(between, std::clamp(growth, 0.5, 1.0));
    }
    requireFew(triangles);
  }
  return make(part, faces, chordError, progress);
}

std::shared_ptr<const TriangleMesh> ShapeRefiner::make(PartId part, std::span<const SurfaceId> faces,
                                                       double chordError, const Progress& progress) {
  const TriangleMesh& coarse = *state_->meshes[index(part)];
  const Progress onlyCancel(progress.stopToken());  // refining is a small part of the caller's work
  std::unique_ptr<Server> server = state_->take();
  std::string request;
  if (server->known.insert(part).second) {
    const std::span<const std::byte> bytes = state_->shapes[index(part)].span();
    request = "shape " + std::to_string(index(part)) + ' ' + std::to_string(bytes.size()) + '\n';
    request.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    server->importer.ask(request, onlyCancel);
  }
  request = "refine " + std::to_string(index(part));
  for (const double length : {coarse.deflection()->linear, coarse.deflection()->angular, chordError})
    request += ' ' + numberText(length);
  for (const SurfaceId face : faces)
    request += (face == faces.front() ? " " : ",") + std::to_string(index(face));
  request += '\n';
  server->importer.ask(request, onlyCancel);
  const Model answer = readModelFile(server->folder.openModel(), onlyCancel);
  state_->giveBack(std::move(server));
  if (answer.assembly.partCount() != 1) throw ImportError("the importer made no mesh");
  for (const ImportWarning& warning : answer.warnings)
    if (warning.incomplete)
      throw ImportError("part '" + coarse.name() + "'" + warning.element + " " + warning.message);
  const TriangleMesh& fine = answer.assembly.part(PartId(0));
  if (const std::string problem = difference(coarse, fine); !problem.empty())
    throw ImportError("the exact shape of part '" + coarse.name() + "' is not that of its mesh: " + problem);
  // The importer knows shapes, not names.
  TriangleMesh::Data data = fine.data();
  data.name = coarse.name();
  for (std::size_t i = 0; i < data.surfaces.size(); ++i) data.surfaces[i].name = coarse.surfaces()[i].name;
  return std::make_shared<const TriangleMesh>(std::move(data));
}

}  // namespace fitup
