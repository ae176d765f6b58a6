#include "step_reader.h"

#include <Interface_Static.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <TDocStd_Document.hxx>
#include <XCAFApp_Application.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>

#include <cstdio>
#include <set>
#include <utility>

#include <fitup/base/error.h>

#include "document_layers.h"
#include "document_styles.h"
#include "early_tessellation.h"
#include "model_filler.h"
#include "occt_failures.h"
#include "occt_progress.h"
#include "part21_file.h"
#include "pmi.h"
#include "step_completeness.h"
#include "step_external_files.h"
#include "step_occurrences.h"
#include "step_operators.h"
#include "tessellated_labels.h"
#include "tessellated_products.h"
#include "unread_items.h"

namespace fitup::importers {
namespace {

/// Warns about referenced files that did not arrive. Returns their names.
std::string warnOfMissingFiles(const std::vector<StepExternalFile>& files, Model& model) {
  std::string missing;
  for (const StepExternalFile& file : files) {
    if (file.isRead) continue;
    const bool isOutside = file.leadsTo.result == SourceFile::Reference::Result::outside;
    missing += (missing.empty() ? "" : ", ") + validUtf8(file.name);
    model.warnings.push_back(
        {"external file " + validUtf8(file.name),
         (isOutside ? file.leadsTo.problem : "could not be read") + "; its parts are missing", true});
  }
  return missing;
}

/// Returns the first reasons, to follow the message that the file holds nothing.
std::string causesIn(const std::vector<ImportWarning>& warnings) {
  constexpr std::size_t fewCauses = 3;
  std::string causes;
  std::size_t count = 0;
  for (const ImportWarning& warning : warnings)
    if (warning.incomplete && ++count <= fewCauses) causes += "; " + warning.element + " " + warning.message;
  return causes;
}

/// Prints the warnings before work in which damage sometimes crashes the library or keeps it busy forever.
/// The caller then has them as the last output of the program.
void sayLastWords(const std::vector<ImportWarning>& warnings, std::size_t first) {
  constexpr std::size_t fewLines = 3;
  for (std::size_t i = first; i < warnings.size() && i < first + fewLines; ++i)
    if (warnings[i].incomplete)
      std::fputs((warnings[i].element + " " + warnings[i].message + "\n").c_str(), stderr);
}

/// Returns the source and those of its referenced files that arrived.
std::vector<StepSource> sourcesOf(const StepSource& source, const std::vector<StepExternalFile>& files,
                                  std::vector<ImportWarning>& warnings) {
  std::vector<StepSource> sources{source};
  for (const StepExternalFile& external : files) {
    if (external.session.IsNull()) continue;
    try {
      const Part21File file(external.leadsTo.bytes);
      sources.push_back(
          {validUtf8(external.name), std::make_shared<Part21Entities>(file.text()), external.session});
      warnOfTextDamage(sources.back(), warnings);
      if (!readTessellation(file.text(), *sources.back().entities).products.empty())
        warnings.push_back(
            {"external file " + sources.back().name,
             "has tessellated products, which are read only from the main file; they are missing", true});
      warnOfUnread(sources.back(), warnings);
    } catch (const Error& error) {
      warnings.push_back({"external file " + validUtf8(external.name), error.what(), true});
    }
  }
  return sources;
}

DocumentLayers layersOf(const StepSource& source, const std::vector<StepExternalFile>& files,
                        std::vector<ImportWarning>& warnings) {
  DocumentLayers layers;
  addStepLayers(source.session, layers);
  for (const StepExternalFile& file : files) addStepLayers(file.session, layers);
  layers.settle(warnings);
  return layers;
}

Model readDocument(SourceFile& origin, const CadOptions& options, ProgressLines& progress) {
  progress.report("checking the file", -1);
  const std::filesystem::path& path = origin.bytes();
  const Part21File file(path, options.encoding);
  const auto entities = std::make_shared<const Part21Entities>(file.text());

  Model model;
  model.assembly = Assembly(validUtf8(origin.name().stem().string()));
  model.source.path = origin.name().string();
  if (file.encodingWarning()) model.warnings.push_back(*file.encodingWarning());
  StepSource source{{}, entities, {}};
  warnOfTextDamage(source, model.warnings);
  warnOfPmi(file.text(), *entities, model.warnings);
  sayLastWords(model.warnings, 0);
  StepTessellation tessellation = readTessellation(file.text(), *entities);
  source.tessellatedItems = tessellation.items;

  leaveOutUnreadItems();
  STEPCAFControl_Reader reader;
  reader.SetNameMode(Standard_True);
  reader.SetColorMode(Standard_True);
  reader.SetLayerMode(Standard_False);  // `layersOf` reads them, also those of shapes that have no label
  reader.SetPropsMode(Standard_False);
  reader.SetGDTMode(Standard_False);
  reader.SetMatMode(Standard_False);
  reader.SetViewMode(Standard_False);
  Interface_Static::SetCVal("xstep.cascade.unit", "MM");
  Interface_Static::SetIVal("read.stepcaf.subshapes.name", 1);

  const auto stream = file.stream([&](double fraction) { progress.report("reading", fraction); },
                                  std::move(tessellation.hidden));
  // Transferring after a failed read crashes the library.
  if (reader.ChangeReader().ReadStream(path.c_str(), *stream) != IFSelect_RetDone)
    throw InputError("not readable as STEP: syntax error");
  source.session = reader.ChangeReader().WS();
  const std::size_t said = model.warnings.size();
  warnOfUnread(source, model.warnings);
  sayLastWords(model.warnings, said);

  fetchExternalFiles(origin, reader, options.encoding, model.warnings);
  Handle(TDocStd_Document) document;
  const Handle(XCAFApp_Application) application = XCAFApp_Application::GetApplication();
  application->NewDocument("MDTV-XCAF", document);
  progress.report("transferring", 0);
  EarlyTessellation early(options);
  const Handle(OcctProgress) indicator = new OcctProgress([&](double fraction) {
    progress.report("transferring", fraction);
    const Handle(Transfer_TransientProcess)& transfers = source.session->TransferReader()->TransientProcess();
    if (!transfers.IsNull()) early.take(*transfers);
  });
  if (!reader.Transfer(document, indicator->Start()))
    throw InputError("holds no shapes that could be transferred" + causesIn(tessellation.warnings));
  early.stop();

  ModelFiller filler(document, options, model, progress);
  filler.use(early);
  const std::vector<StepExternalFile> externalFiles = externalFilesOf(origin, reader);
  filler.setLayers(layersOf(source, externalFiles, model.warnings));
  filler.place(mirroredAndScaled(reader, document, model.warnings));
  const std::set<std::string> occurrences = occurrencesIn(reader, document);
  filler.setTessellated(labelled(std::move(tessellation), reader, occurrences, model.warnings));
  filler.setOccurrences(occurrences);
  filler.fill();
  model.source.referencedFiles = origin.referencedFiles();
  const std::string missing = warnOfMissingFiles(externalFiles, model);
  if (const std::size_t count = filler.tessellatedCount(); count > 0)
    model.warnings.push_back(
        {"file",
         "has " + std::to_string(count) + (count == 1 ? " part" : " parts") +
             " stored as triangles, with unknown chord errors: verdicts need a tolerance",
         false});
  if (filler.faceCount() + filler.tessellatedCount() == 0)
    throw InputError("holds no solids and no faces" +
                     (missing.empty() ? causesIn(model.warnings) : "; missing external files: " + missing));
  const std::vector<StepSource> sources = sourcesOf(source, externalFiles, model.warnings);
  for (const StepSource& each : sources) warnOfLeftOutItems(each, model.warnings);
  warnOfLostGeometry(sources, {filler.solidCount(), filler.faceCount(), filler.occurrenceCount()},
                     model.warnings);
  return model;
}

}  // namespace

Model readStep(SourceFile& source, const CadOptions& options, ProgressLines& progress) {
  return withOcctFailures([&] { return readDocument(source, options, progress); });
}

}  // namespace fitup::importers
