#include "step_reader.h"

#include <Interface_Check.hxx>
#include <Interface_InterfaceModel.hxx>
#include <Interface_ReportEntity.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <STEPCAFControl_ExternFile.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>
#include <StepShape_SolidModel.hxx>
#include <StepShape_TopologicalRepresentationItem.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDF_Tool.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_WorkSession.hxx>

#include <algorithm>
#include <map>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/io/mapped_file.h>

#include "document_styles.h"
#include "occt_progress.h"
#include "part21_file.h"
#include "tessellate.h"

namespace fitup::importers {
namespace {

constexpr int deepestTree = 500;
constexpr std::size_t listedFailures = 20;

Transform transformOf(const TopLoc_Location& location) {
  const gp_Trsf& trsf = location.Transformation();
  Transform result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      result.m[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
          trsf.Value(row + 1, column + 1);
    result.t[row] = trsf.Value(row + 1, 4);
  }
  return result;
}

std::string entryOf(const TDF_Label& label) {
  TCollection_AsciiString entry;
  TDF_Tool::Entry(label, entry);
  return entry.ToCString();
}

/// True for names that a writer made up for an occurrence, which say less than the name of its part.
bool isMadeUp(const std::string& name) {
  if (name.empty() || name.starts_with("=>[")) return true;
  std::string_view rest = name;
  if (rest.starts_with("NAUO")) rest.remove_prefix(4);
  return rest.find_first_not_of("0123456789") == std::string_view::npos;
}

std::size_t countOf(const TopoDS_Shape& shape, TopAbs_ShapeEnum type) {
  TopTools_IndexedMapOfShape map;
  TopExp::MapShapes(shape, type, map);
  return static_cast<std::size_t>(map.Extent());
}

/// Walks the document's tree and fills the model.
class ModelFiller {
 public:
  ModelFiller(const Handle(TDocStd_Document) & document, const Deflection& deflection, Model& model,
              ProgressLines& progress)
      : shapes_(XCAFDoc_DocumentTool::ShapeTool(document->Main())),
        styles_(document),
        deflection_(deflection),
        model_(model),
        progress_(progress) {}

  void fill() {
    TDF_LabelSequence roots;
    shapes_->GetFreeShapes(roots);
    for (const TDF_Label& root : roots) countParts(root, 0);
    for (const TDF_Label& root : roots) addOccurrence(root, std::nullopt, 0);
  }
  /// Of the distinct parts.
  [[nodiscard]] std::size_t faceCount() const noexcept { return faceCount_; }
  [[nodiscard]] std::size_t solidCount() const noexcept { return solidCount_; }

 private:
  struct Part {
    std::optional<PartId> id;  ///< not yet tessellated if unset
    TopLoc_Location location;  ///< of the label's shape
  };

  static TDF_Label referredTo(const TDF_Label& label) {
    TDF_Label target;
    return XCAFDoc_ShapeTool::GetReferredShape(label, target) ? target : label;
  }

  void countParts(const TDF_Label& label, int depth) {
    if (depth > deepestTree)
      throw InputError("assembly", "'" + styles_.nameOf(label) + "'", "contains itself");
    const TDF_Label target = referredTo(label);
    if (!seen_.emplace(entryOf(target), Part{}).second) return;
    TDF_LabelSequence components;
    if (!XCAFDoc_ShapeTool::GetComponents(target, components)) ++partCount_;
    for (const TDF_Label& component : components) countParts(component, depth + 1);
  }

  void addOccurrence(const TDF_Label& label, std::optional<NodeId> parent, int depth) {
    if (depth > deepestTree)
      throw InputError("assembly", "'" + styles_.nameOf(label) + "'", "contains itself");
    const TDF_Label target = referredTo(label);
    const bool isReference = !target.IsEqual(label);
    const std::string productName = styles_.nameOf(target);
    std::string name = isReference ? styles_.nameOf(label) : productName;
    if (isMadeUp(name)) name = productName.empty() ? "unnamed" : productName;
    const TopLoc_Location placement = isReference ? XCAFDoc_ShapeTool::GetLocation(label) : TopLoc_Location();
    const std::optional<Colour> colour = isReference ? styles_.colourOf(label) : std::nullopt;

    TDF_LabelSequence components;
    if (XCAFDoc_ShapeTool::IsAssembly(target)) XCAFDoc_ShapeTool::GetComponents(target, components);
    if (!XCAFDoc_ShapeTool::IsAssembly(target)) {
      const Part& part = partOf(target, productName.empty() ? name : productName);
      model_.assembly.addNode(name, transformOf(placement * part.location), parent, part.id, colour);
      return;
    }
    const NodeId node = model_.assembly.addNode(name, transformOf(placement), parent, std::nullopt, colour);
    for (const TDF_Label& component : components) addOccurrence(component, node, depth + 1);
  }

  const Part& partOf(const TDF_Label& label, const std::string& name) {
    Part& part = seen_[entryOf(label)];
    if (part.id) return part;
    const TopoDS_Shape located = XCAFDoc_ShapeTool::GetShape(label);
    PartShape shape;
    shape.name = name;
    if (!located.IsNull()) {
      part.location = located.Location();
      shape.shape = located.Located(TopLoc_Location());
      TopExp::MapShapes(shape.shape, TopAbs_FACE, shape.faces);
      shape.styles = styles_.facesOf(label, located, shape.faces);
      const std::size_t solids = countOf(shape.shape, TopAbs_SOLID);
      solidCount_ += solids;
      if (solids > 1) warn(name, std::to_string(solids) + " solids in one part");
    }
    faceCount_ += static_cast<std::size_t>(shape.faces.Extent());
    if (shape.faces.IsEmpty()) warn(name, "has no faces");
    const std::string phase = "tessellating part " + std::to_string(model_.assembly.partCount() + 1) +
                              " of " + std::to_string(partCount_);
    progress_.report(phase, 0);
    auto mesh = std::make_shared<const TriangleMesh>(
        tessellate(shape, deflection_, model_.warnings, progress_, phase));
    part.id = model_.assembly.addPart(std::move(mesh));
    return part;
  }

  void warn(const std::string& element, const std::string& message) {
    model_.warnings.push_back({element, message, false});
  }

  Handle(XCAFDoc_ShapeTool) shapes_;
  DocumentStyles styles_;
  Deflection deflection_;
  Model& model_;
  ProgressLines& progress_;
  std::map<std::string, Part> seen_;  ///< by the entry of the product's label
  std::size_t partCount_ = 0, faceCount_ = 0, solidCount_ = 0;
};

/// Entities that the library could not read as their schema says; it goes on without them and says nothing by
/// itself.
void warnOfUnreadEntities(const Handle(Interface_InterfaceModel) & data,
                          std::vector<ImportWarning>& warnings) {
  std::size_t geometric = 0, other = 0;
  std::string firstOther;
  for (int i = 1; i <= data->NbEntities(); ++i) {
    if (!data->IsErrorEntity(i)) continue;
    const Handle(Standard_Transient) entity = data->Value(i);
    const Handle(Interface_Check) check = data->ReportEntity(i)->Check();
    const std::string problem = validUtf8(check->NbFails() > 0 ? check->CFail(1) : "not readable");
    const std::string element = std::string("entity ") + data->StringLabel(entity)->ToCString();
    // Many writers leave names out where the schema wants them; shapes do not depend on those.
    const std::string_view type = entity->DynamicType()->Name();
    const bool isGeometry = (type.starts_with("StepGeom_") ||
                             entity->IsKind(STANDARD_TYPE(StepShape_TopologicalRepresentationItem)) ||
                             entity->IsKind(STANDARD_TYPE(StepShape_SolidModel))) &&
                            problem.find("(name)") == std::string::npos;
    if (!isGeometry) {
      if (other++ == 0) firstOther = element + ": " + problem;
    } else if (++geometric <= listedFailures) {
      warnings.push_back({element, problem + "; geometry may be missing or wrong", true});
    }
  }
  if (geometric > listedFailures)
    warnings.push_back(
        {"file", std::to_string(geometric - listedFailures) + " more entities could not be read", true});
  if (other > 0)
    warnings.push_back(
        {"file",
         std::to_string(other) + " entities that carry no shape could not be read, the first: " + firstOther,
         false});
}

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
  // The library's messages would stand among the protocol's lines.
  Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_Printer));
  try {
    return readDocument(file, deflection, progress);
  } catch (const Standard_OutOfMemory&) {
    throw std::bad_alloc();
  } catch (const Standard_Failure& failure) {
    throw InputError(std::string("Open CASCADE: ") + failure.DynamicType()->Name() + ": " +
                     failure.GetMessageString());
  }
}

}  // namespace fitup::importers
