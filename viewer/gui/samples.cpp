#include <viewer/gui/samples.h>

#include <algorithm>

#include <QStandardPaths>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/io/model_file.h>
#include <fitup/io/track_file.h>
#include <models/model_list.h>
#include <viewer/gui/main_window.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

/// A part of the hall that opens in a second, and that a machine without a graphics card turns smoothly.
constexpr std::size_t hallParts = 200, hallTriangles = 200'000;

Assembly makeSample(const std::string& name) {
  if (name == "hall") return models::generate("large", {.triangles = hallTriangles, .parts = hallParts});
  return models::generate(name);
}

std::filesystem::path trackOf(std::filesystem::path model) { return model.replace_extension(".track.json"); }

void writeSample(const std::string& name, const Progress& progress) {
  const std::filesystem::path file = sampleFile(name);
  std::filesystem::create_directories(file.parent_path());
  Model model;
  model.assembly = makeSample(name);
  model.collisionModels = buildCollisionModels(model.assembly, {}, progress, allCores);
  const auto track = models::recordedTrack(name == "hall" ? "large" : name, model.assembly);
  writeModelFile(file, model, progress);
  if (track) writeTrack(trackOf(file), *track);
}

}  // namespace

std::vector<Sample> samples() {
  return {
      {"plant", tr("Process plant"), tr("8 parts, and the way of a pipe spool out of the plant")},
      {"hall", tr("Stored parts"), tr("201 parts on the lowest shelves of a store")}};
}

std::filesystem::path sampleFile(const std::string& name) {
  return std::filesystem::path(
             QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation).toStdString()) /
         "samples" / (name + ".fitup");
}

void openSample(MainWindow& window, const std::string& name, bool alone) {
  const std::vector<Sample> known = samples();
  const auto sample =
      std::find_if(known.begin(), known.end(), [&](const Sample& s) { return s.name == name; });
  if (sample == known.end()) throw InputError("there is no sample '" + name + "'");
  window.document().startJob(
      tr("Making %1").arg(sample->title), [name](const Progress& progress) { writeSample(name, progress); },
      [&window, name, alone] {
        // After the end of this job; opening is another one.
        QMetaObject::invokeMethod(
            &window,
            [&window, name, alone] {
              std::vector<std::filesystem::path> files{sampleFile(name)};
              if (!alone) files.push_back(trackOf(files.front()));
              if (window.isInteractive()) return window.open(files);
              window.document().openAll(files);  // asks nothing
            },
            Qt::QueuedConnection);
      });
}

}  // namespace fitup::viewer
