#include "scale.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <system_error>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include <fitup/io/model_file.h>
#include <fitup/motion/replay.h>
#include <models/large_assembly.h>

namespace fitup::bench {
namespace {

template <typename Work>
double secondsOf(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A file with a unique name, which is removed at the end in any case.
struct ScratchFile {
  explicit ScratchFile(const std::filesystem::path& folder)
      : path(folder / ("fitup-scale-" + std::to_string(::getpid()) + ".fitup")) {}
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  std::filesystem::path path;
};

void countInto(ScaleResult& result, const Assembly& assembly, const CollisionModels& models) {
  std::size_t meshBytes = 0, hierarchyBytes = 0;
  result.parts = assembly.partCount();
  for (std::uint32_t i = 0; i < assembly.partCount(); ++i) {
    const TriangleMesh& mesh = assembly.part(PartId{i});
    result.surfaces += mesh.surfaces().size();
    result.triangles += mesh.triangleCount();
    meshBytes += mesh.points().size_bytes() + mesh.triangles().size_bytes() +
                 mesh.data().sourceTriangles.span().size_bytes();
    hierarchyBytes += models[i]->hierarchyBytes();
  }
  const auto triangles = static_cast<double>(std::max<std::size_t>(1, result.triangles));
  result.meshBytesPerTriangle = static_cast<double>(meshBytes) / triangles;
  result.hierarchyBytesPerTriangle = static_cast<double>(hierarchyBytes) / triangles;
}

/// Replays the opened model, so that queries run over the mapping.
void replayInto(ScaleResult& result, const Model& model, int rounds) {
  const Track track = models::makeLargeTrack(model.assembly);
  std::vector<std::vector<double>> times(track.steps.size());
  for (int round = 0; round <= rounds; ++round) {
    const ReplayReport report = replay(sceneOf(model), {}, track, {});
    if (round == 0) continue;  // warms up
    result.hitSteps = 0;
    for (const ReplayStep& step : report.steps) {
      times[step.step].push_back(step.interference.milliseconds);
      result.stepMillisecondsWorstSeen =
          std::max(result.stepMillisecondsWorstSeen, step.interference.milliseconds);
      result.hitSteps += step.interference.intersects();
    }
  }
  std::vector<double> steps;
  steps.reserve(times.size());
  for (auto& ofStep : times) steps.push_back(medianInterval(std::move(ofStep)).median);
  result.steps = steps.size();
  for (double ms : steps) result.stepMillisecondsMean += ms / static_cast<double>(steps.size());
  std::sort(steps.begin(), steps.end());
  result.stepMilliseconds95 = steps[steps.size() * 95 / 100];
  result.stepMillisecondsWorst = steps.back();
  result.stepMillisecondsMedian = medianInterval(std::move(steps)).median;
}

}  // namespace

ScaleResult runScale(const ScaleOptions& options) {
  ScaleResult result;
  const ScratchFile file(options.folder);
  {
    Model made;
    result.generateSeconds = secondsOf([&] {
      made.assembly = models::makeLargeAssembly({options.parts, options.triangles});
    });
    result.buildSecondsOneThread =
        secondsOf([&] { made.collisionModels = buildCollisionModels(made.assembly, {}, {}, 1); });
    made.collisionModels.clear();
    result.buildSecondsTwoThreads =
        secondsOf([&] { made.collisionModels = buildCollisionModels(made.assembly, {}, {}, 2); });
    countInto(result, made.assembly, made.collisionModels);
    result.writeSeconds = secondsOf([&] { writeModelFile(file.path, made); });
  }
  result.fileBytes = static_cast<std::size_t>(std::filesystem::file_size(file.path));
  Model model;
  std::vector<double> open;
  for (int round = 0; round <= options.rounds; ++round) {
    model = Model();
    const double seconds = secondsOf([&] { model = readModelFile(file.path); });
    if (round > 0) open.push_back(seconds);
  }
  result.openSeconds = medianInterval(std::move(open));
  replayInto(result, model, options.rounds);
  return result;
}

void print(const ScaleResult& r) {
  const auto line = [](const char* what, const std::string& value) { fmt::print("{:<34}{}\n", what, value); };
  line("parts, surfaces, triangles", fmt::format("{}, {}, {}", r.parts, r.surfaces, r.triangles));
  line("generated", fmt::format("{:.2f} s", r.generateSeconds));
  line("hierarchies built", fmt::format("{:.2f} s on one thread, {:.2f} s on two", r.buildSecondsOneThread,
                                        r.buildSecondsTwoThreads));
  line("memory", fmt::format("{:.1f} bytes per triangle for the mesh, {:.1f} for hierarchies",
                             r.meshBytesPerTriangle, r.hierarchyBytesPerTriangle));
  line("model file", fmt::format("{:.1f} MB, written and flushed in {:.2f} s",
                                 static_cast<double>(r.fileBytes) / 1e6, r.writeSeconds));
  line("opened, warm [95 %]", text(r.openSeconds) + " s");
  line("a step of the dragged spool",
       fmt::format("median {:.4f} ms, mean {:.4f}, 95 % below {:.4f}, worst {:.4f} (once {:.4f})",
                   r.stepMillisecondsMedian, r.stepMillisecondsMean, r.stepMilliseconds95,
                   r.stepMillisecondsWorst, r.stepMillisecondsWorstSeen));
  line("steps that hit", fmt::format("{} of {}", r.hitSteps, r.steps));
}

}  // namespace fitup::bench
