#include <viewer/gui/shown_sweep.h>

#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/io/formats.h>
#include <fitup/io/keep_out.h>
#include <viewer/gui/document.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

ShownSweep::ShownSweep(Document& document) : document_(document) {
  connect(&document_.motion(), &ShownMotion::trackChanged, this, &ShownSweep::follow);
  connect(&document_, &Document::aboutToClose, this, &ShownSweep::follow);
}

void ShownSweep::follow() {
  if (!of_ || document_.motion().track() == of_) return;
  of_.reset();
  swept_.reset();
  isWanted_ = false;
  emit changed();
}

double ShownSweep::usualAccuracy() const {
  constexpr double share = 0.02;  // of the size of what moves; half of it takes four times as long
  const Assembly& assembly = document_.session()->assembly();
  Box box;
  for (const MovedGroup& group : resolve(*document_.motion().track(), assembly, true))
    for (const NodeId node : group.instances) box.extend(assembly.worldBounds(node));
  return box.empty() ? 0 : share * 2 * norm(box.halfExtent());
}

void ShownSweep::show(const std::optional<double>& accuracy) {
  if (accuracy && !(*accuracy > 0)) throw InputError("the accuracy must be above 0");
  const auto track = document_.motion().track();
  if (swept_ && of_ == track && (!accuracy || swept_->asked == *accuracy)) {
    isWanted_ = true;
    emit changed();
    return;
  }
  SweptVolumeOptions options;
  options.accuracy = accuracy ? *accuracy : usualAccuracy();
  if (!(*options.accuracy > 0)) throw InputError("the motion moves nothing that has triangles");
  options.force = true;  // that it was recorded on another model was said when it was opened
  options.threads = allCores;
  auto result = std::make_shared<SweptVolume>();
  document_.startJob(
      tr("Swept volume of %1").arg(shown(track->name)),
      [result, track, options, scene = document_.check().scene()](const Progress& progress) {
        *result = sweptVolume(scene, *track, options, progress);
        if (!result->outer) throw InputError("the motion moves nothing that has triangles");
      },
      [this, result, track] {
        if (document_.motion().track() != track) return;  // an edit or undo has changed it meanwhile
        of_ = track;
        swept_ = std::move(*result);
        isWanted_ = true;
        const LengthUnit unit = document_.lengthUnit();
        constexpr int digits = 4;
        emit made(tr("Swept volume: %1 %2³; everything swept is inside, within %3 %2")
                      .arg(numberText(unit.shownVolume(swept_->outerVolume), 0, digits), unit.name,
                           lengthNumber(swept_->accuracy, unit, leastShown, 2)));
        for (const NodeId node : swept_->open)
          emit document_.warned(tr("%1 is not closed: only its surface is swept.")
                                    .arg(shown(document_.session()->assembly().path(node))));
        emit changed();
      },
      std::make_shared<OverallProgress>(
          std::vector<JobPhase>{{"sweeping", 5}, {"meshing", 1}, {"finding faces and times", 5}}));
}

std::string ShownSweep::extensions(std::string_view between, std::string_view last) {
  return extensionList([](const FileFormat& format) { return format.write != nullptr; }, between, last);
}

void ShownSweep::hide() {
  isWanted_ = false;
  emit changed();
}

void ShownSweep::save(const std::filesystem::path& file) {
  try {
    if (!swept_) throw InputError("there is no swept volume: show it first");
    const FileFormat* const format = formatOf(file);
    if (format == nullptr || format->write == nullptr)
      throw InputError("'" + file.string() + "': a surface can be written as " +
                       ShownSweep::extensions(", ", " or "));
    format->write(file, sweptVolumeModel(document_.session()->assembly(), *swept_), {});
    emit document_.saved(QString::fromStdString(file.string()));
  } catch (const Error& error) {
    emit document_.failed(shown(error.what()));
  }
}

}  // namespace fitup::viewer
