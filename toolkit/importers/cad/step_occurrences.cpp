#include "step_occurrences.h"

#include <Interface_InterfaceModel.hxx>
#include <NCollection_DataMap.hxx>
#include <STEPCAFControl_ExternFile.hxx>
#include <STEPConstruct_Tool.hxx>
#include <StepRepr_NextAssemblyUsageOccurrence.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_WorkSession.hxx>

#include <vector>

#include "document_labels.h"

namespace fitup::importers {

std::set<std::string> occurrencesIn(STEPCAFControl_Reader& reader,
                                    const Handle(TDocStd_Document) & document) {
  const Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
  std::vector<Handle(XSControl_WorkSession)> sessions{reader.Reader().WS()};
  const auto& files = reader.ExternFiles();
  for (NCollection_DataMap<TCollection_AsciiString, Handle(STEPCAFControl_ExternFile)>::Iterator file(files);
       file.More(); file.Next())
    if (!file.Value()->GetWS().IsNull()) sessions.push_back(file.Value()->GetWS());
  std::set<std::string> entries;
  for (const Handle(XSControl_WorkSession) & session : sessions) {
    const Handle(Interface_InterfaceModel) data = session->Model();
    if (data.IsNull()) continue;
    const STEPConstruct_Tool tool(session);
    for (int i = 1; i <= data->NbEntities(); ++i) {
      const auto occurrence = Handle(StepRepr_NextAssemblyUsageOccurrence)::DownCast(data->Value(i));
      if (occurrence.IsNull()) continue;
      const TDF_Label label =
          STEPCAFControl_Reader::FindInstance(occurrence, shapes, tool, reader.GetShapeLabelMap());
      if (!label.IsNull()) entries.insert(entryOf(label));
    }
  }
  return entries;
}

}  // namespace fitup::importers
