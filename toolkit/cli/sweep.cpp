#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/formats.h>
#include <fitup/io/keep_out.h>
#include <fitup/io/model_file.h>
#include <fitup/io/swept_volume_json.h>
#include <fitup/planning/swept_volume.h>

#include "commands.h"
#include "console.h"
#include "match_track.h"
#include "options.h"
#include "output_files.h"
#include "wording.h"

namespace fitup::cli {
namespace {

struct SweepArguments {
  InputOptions input;
  std::string track, output, inner, json, relativeTo;
  std::vector<std::string> parts;
  SweptVolumeOptions request;
};

/// ".fitup, .obj, .stl or .glb"
std::string surfaceExtensions() {
  return extensionList([](const FileFormat& format) { return format.write != nullptr; }, ", ", " or ");
}

const FileFormat& formatToWrite(const NamedFile& output) {
  const std::filesystem::path file = output.file;
  const FileFormat* const format = formatOf(file);
  if (format == nullptr || format->write == nullptr)
    throw InputError(output.file, output.option, "a surface can be written as " + surfaceExtensions());
  return *format;
}

/// "moves nothing that has triangles", and how to ask otherwise.
std::string nothingSweptText(const SweepArguments& asked) {
  std::string text = "moves nothing";
  if (!asked.parts.empty()) text += " of --of";
  if (!asked.relativeTo.empty()) text += " relative to '" + asked.relativeTo + "'";
  text += " that has triangles";
  if (!asked.relativeTo.empty() && asked.parts.empty()) text += "; --of names parts that rest";
  return text;
}

void printSwept(const Assembly& assembly, const SweptVolume& swept) {
  const std::string& unit = assembly.unit();
  for (const NodeId node : swept.open)
    say("{} is not closed: only its surface is swept\n", assembly.path(node));
  const Box box = swept.outer->boundsInPart();
  if (swept.relativeTo) say("seen from {}, in its design placement\n", assembly.path(*swept.relativeTo));
  say("swept volume: {:.6g} {}^3, {} from {} faces\n", swept.outerVolume, unit,
      countText(swept.outer->triangleCount(), "triangle"), swept.patches.size());
  say("bounds: {} to {}\n", pointText(box.min), pointText(box.max));
  say("accuracy: everything swept is inside, and the surface is within {:.4g} {} of it (asked for: {:.4g})\n",
      swept.accuracy, unit, swept.asked);
  say("time: {:.1f} s\n", swept.milliseconds / 1000);
}

/// Prints and writes the inner surface that was asked for, or says why there is none.
void writeInner(const Assembly& assembly, const InnerVolume& inner, const FileFormat& format,
                const std::string& file, const Progress& progress) {
  const std::string& unit = assembly.unit();
  if (inner.missing == InnerMissing::notClosed) {
    say("inner surface: none, because no moved part is closed; {} is not written\n", file);
  } else if (inner.missing == InnerMissing::tooThin) {
    say("inner surface: none, because what is swept is too thin: nothing is deeper than {:.4g} {}; {} is not "
        "written\n",
        inner.depth, unit, file);
  } else {
    say("inner surface: {:.6g} {}^3, {}: all of it is swept, and everything that is deeper than {:.4g} {} is "
        "inside\n",
        inner.volume, unit, countText(inner.mesh->triangleCount(), "triangle"), inner.depth, unit);
    Model model;
    model.assembly = Assembly("within the swept volume");
    model.assembly.setUnit(unit);
    model.assembly.setUpAxis(assembly.upAxis());
    model.assembly.addNode("within the swept volume", {}, {}, model.assembly.addPart(inner.mesh));
    format.write(file, model, progress);
    say("inner surface: {}\n", file);
  }
}

}  // namespace

Command addSweep(CLI::App& app) {
  auto options = std::make_shared<SweepArguments>();
  options->request.threads = allCores;
  CLI::App* command = app.add_subcommand(
      "sweep",
      "Make the envelope of a recorded motion: a surface around everything that the moved parts reach");
  options->input.addTo(*command, false);
  addTrackOption(*command, options->track);
  command->callback([options] { requireTrack(options->input, options->track); });
  command
      ->add_option("-o,--output", options->output,
                   "Write the surface: " + surfaceExtensions() +
                       ". A .fitup file is a model of one part, whose faces are named\nby what makes them; "
                       "'fitup check --keep-out' takes it")
      ->required();
  command
      ->add_option(
          "--accuracy", options->request.accuracy,
          "How far the surface may lie outside of what is swept, in the model's unit (default: 1/200 "
          "of the size of\nthe moved parts)")
      ->check(numberAbove0());
  command->add_option(
      "--inner", options->inner,
      "Also write a surface that lies certainly within what closed parts sweep: " + surfaceExtensions() +
          ". It is\nnot written if there is none: if no part is closed, or all is too thin");
  command->add_option(
      "--json", options->json,
      "Write figures, and for each face and each triangle of the surface the part, its face and "
      "the time that come\nnearest to it: .json");
  command->add_option("--relative-to", options->relativeTo,
                      "Path of an instance: make the envelope that is seen from it, in its design placement, "
                      "also if the track\nmoves it. What moves together with it is left out");
  oneEachTime(command->add_option(
      "--of", options->parts,
      "Path of an instance or subassembly that sweeps (default: all that the track moves). May be given more "
      "than\nonce. With --relative-to, also what rests"));
  command->add_flag("--force", options->request.force, "Accept a track that was recorded on another model");
  command
      ->add_option("--threads", options->request.threads,
                   "Number of threads (0: one for each core); does not affect the result")
      ->check(wholeNumber())
      ->capture_default_str();
  command->footer(
      "The motion counts with everything between its steps. Parts that are not closed sweep with their "
      "surface "
      "only.\nExit codes: 0 done, 2 error, 3 cancelled, geometry is missing, or there is no inner "
      "surface.\nExamples:\n  fitup sweep "
      "plant.fitup removal.track.json -o envelope.stl\n  fitup sweep plant.fitup removal.track.json -o "
      "envelope.fitup --accuracy 2 --json envelope.json");
  return [options] {
    SweptVolumeOptions request = options->request;
    const NamedFile output{"-o", options->output}, json{"--json", options->json},
        innerOutput{"--inner", options->inner};
    if (!hasSweptVolumes())
      throw NotBuiltError("sweep: this program was built without OpenVDB, which swept volumes need");
    const FileFormat& format = formatToWrite(output);
    request.inner = !options->inner.empty();
    const FileFormat& innerFormat = request.inner ? formatToWrite(innerOutput) : format;
    requireExtension(json, ".json");
    std::vector<NamedFile> inputs = options->input.named();
    inputs.push_back({"TRACK", options->track});
    requireSafeOutputs(inputs, {output, innerOutput, json});
    Console console(options->input.quiet);
    const ProjectModel read = options->input.loadProject(console.progress());
    const Model& model = read.model;
    MatchedTrack matched = matchTrackToModel(options->track, options->input, read, request.force);
    request.force = true;  // checked with the file's name
    const Scene scene = sceneOf(model);
    if (!options->relativeTo.empty()) request.relativeTo = model.assembly.at(options->relativeTo);
    for (const std::string& path : options->parts) request.parts.push_back(model.assembly.at(path));
    const SweptVolume swept = sweptVolume(scene, matched.track, request, console.progress());
    console.clear();
    const bool incomplete = printWarnings(model, options->input.verbose);
    printTrackWarnings(matched.track, matched.source);
    if (!swept.outer) throw InputError(matched.source, "track", nothingSweptText(*options));
    printSwept(model.assembly, swept);
    format.write(output.file, sweptVolumeModel(model.assembly, swept), console.progress());
    say("surface: {}\n", output.file);
    if (swept.inner)
      writeInner(model.assembly, *swept.inner, innerFormat, innerOutput.file, console.progress());
    if (!json.file.empty())
      writeFileAtomically(json.file, [&](std::ostream& out) {
        out << sweptVolumeJsonText(programName(), options->input.fileList(), matched.source, model.assembly,
                                   swept);
      });
    const bool isMissing = swept.inner && !swept.inner->mesh;
    return incomplete || isMissing ? exitIncomplete : exitNothingFound;
  };
}

}  // namespace fitup::cli
