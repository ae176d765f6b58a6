#include "step_reader.h"

#include <Interface_Static.hxx>
#include <STEPCAFControl_ExternFile.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <TDocStd_Document.hxx>
#include <XCAFApp_Application.hxx>
#include <XSControl_WorkSession.hxx>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/io/mapped_file.h>

#include "document_styles.h"
#include "model_filler.h"
#include "occt_failures.h"
#include "occt_progress.h"
#include "part21_file.h"
#include "unread_entities.h"

namespace fitup::importers {
namespace {

/// Notes the files that the source refers to: read ones as companions, others as warnings. The names of the
/// others.
std::string noteExternalFiles(const std::filesystem::path& source, const STEPCAFControl_Reader& reader,
                              Model& model) {
  using Files = NCollection_DataMap<TCollection_AsciiString, Handle(STEPCAFControl_ExternFile)>;
  std::string missing;
  for (Files::Iterator i(reader.ExternFiles()); i.More(); i.Next()) {
    const std::string name = i.Key().ToCString();
    const bool isRead = i.Value()->GetLoadStatus() == IFSelect_RetDone && i.Value()->GetTransferStatus();
    std::error_code ignored;
    if (isRead && std::filesystem::exists(source.parent_path() / name, ignored)) {
      const std::uint64_t hash = blockChecksum(MappedFile::open(source.parent_path() / name)->bytes());
      model.source.companions.push_back({name, hash});
    } else {
      missing += (missing.empty() ? "" : ", ") + validUtf8(name);
      model.warnings.push_back(
          {"external file " + validUtf8(name), "could not be read; its parts are missing", true});
    }
  }
  return missing;
}

/// Compares what the file announces with what arrived: the library drops what it cannot make without an
/// error.
void warnOfMissingGeometry(const Part21File& file, const ModelFiller& filler,
                           std::vector<ImportWarning>& warnings) {
  const auto compare = [&](const char* what, std::size_t expected, std::size_t got) {
    if (got < expected)
      warnings.push_back({"file",
                          "holds " + std::to_string(expected) + " " + what + ", of which " +
                              std::to_string(expected - got) + " did not arrive",
                          true});
  };
  compare(
      "solids",
      file.countOf("MANIFOLD_SOLID_BREP") + file.countOf("BREP_WITH_VOIDS") + file.countOf("FACETED_BREP"),
      filler.solidCount());
  if (file.duplicateId())
    warnings.push_back(
        {"entity " + *file.duplicateId(), "is defined more than once; only one is used", true});
  compare("faces", file.countOf("ADVANCED_FACE"), filler.faceCount());
}

Model readDocument(const std::filesystem::path& path, const Deflection& deflection, ProgressLines& progress) {
  progress.report("checking the file", -1);
  const Part21File file(path);

  STEPCAFControl_Reader reader;
  reader.SetNameMode(Standard_True);
  reader.SetColorMode(Standard_True);
  reader.SetLayerMode(Standard_False);
  reader.SetPropsMode(Standard_False);
  reader.SetGDTMode(Standard_False);
  reader.SetMatMode(Standard_False);
  reader.SetViewMode(Standard_False);
  Interface_Static::SetCVal("xstep.cascade.unit", "MM");
  Interface_Static::SetIVal("read.stepcaf.subshapes.name", 1);

  const auto stream = file.stream([&](double fraction) { progress.report("reading", fraction); });
  // Transferring after a failed read crashes the library.
  if (reader.ChangeReader().ReadStream(path.c_str(), *stream) != IFSelect_RetDone)
    throw InputError("not readable as STEP: syntax error");

  Model model;
  model.assembly = Assembly(validUtf8(path.stem().string()));
  model.source.path = path.string();
  warnOfUnreadEntities(reader.ChangeReader().WS()->Model(), model.warnings);

  Handle(TDocStd_Document) document;
  const Handle(XCAFApp_Application) application = XCAFApp_Application::GetApplication();
  application->NewDocument("MDTV-XCAF", document);
  progress.report("transferring", 0);
  const Handle(OcctProgress) indicator = new OcctProgress(progress, "transferring");
  if (!reader.Transfer(document, indicator->Start()))
    throw InputError("holds no shapes that could be transferred");

  ModelFiller filler(document, deflection, model, progress);
  filler.fill();
  const std::string missing = noteExternalFiles(path, reader, model);
  if (filler.faceCount() == 0)
    throw InputError("holds no solids and no faces" +
                     (missing.empty() ? std::string() : "; missing external files: " + missing));
  if (reader.ExternFiles().IsEmpty()) warnOfMissingGeometry(file, filler, model.warnings);
  return model;
}

}  // namespace

Model readStep(const std::filesystem::path& file, const Deflection& deflection, ProgressLines& progress) {
  return withOcctFailures([&] { return readDocument(file, deflection, progress); });
}

}  // namespace fitup::importers
