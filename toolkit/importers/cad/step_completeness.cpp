#include "step_completeness.h"

#include <StepData_StepModel.hxx>
#include <StepRepr_RepresentationContext.hxx>
#include <StepShape_ShapeRepresentation.hxx>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string_view>

#include "lost_shapes.h"
#include "unread_entities.h"

namespace fitup::importers {
namespace {

constexpr std::size_t listedEntities = 20, listedFaces = 3;

/// Whether the type describes something beside shapes: their appearance, authors or measurements.
bool carriesNoShape(std::string_view type) {
  constexpr std::array<std::string_view, 20> words{
      "TEXT",       "CALLOUT",   "STYLE",       "STYLED",   "COLOUR",       "PRESENTATION", "LAYER",
      "DOCUMENT",   "PERSON",    "DATE",        "APPROVAL", "ORGANIZATION", "SECURITY",     "DRAUGHTING",
      "ANNOTATION", "TOLERANCE", "DIMENSIONAL", "PROPERTY", "MATERIAL",     "CERTIFICATION"};
  while (!type.empty()) {
    const std::size_t end = std::min(type.find('_'), type.size());
    if (std::find(words.begin(), words.end(), type.substr(0, end)) != words.end()) return true;
    type.remove_prefix(std::min(end + 1, type.size()));
  }
  return false;
}

std::string facesText(const Part21Entities& entities, std::uint64_t id) {
  const std::vector<std::uint64_t> faces = entities.facesOf(id);
  std::string text;
  for (std::size_t i = 0; i < faces.size() && i < listedFaces; ++i)
    text += (i == 0 ? "; part of face #" : ", #") + std::to_string(faces[i]);
  if (faces.size() > listedFaces) text += " and " + std::to_string(faces.size() - listedFaces) + " more";
  return text;
}

class DamageReport {
 public:
  DamageReport(const StepSource& source, std::vector<ImportWarning>& warnings)
      : entities_(*source.entities),
        session_(source.session),
        tessellatedItems_(source.tessellatedItems),
        prefix_(source.name.empty() ? std::string() : source.name + ": "),
        warnings_(warnings) {}

  void writeText() {
    writeDangling();
    writeDuplicates();
    writeMisplaced();
  }

  void writeUnread() {
    std::vector<ImportWarning> unread;
    warnOfUnreadEntities(session_->Model(), unread);
    for (ImportWarning& warning : unread) {
      constexpr std::string_view start = "entity #";
      std::uint64_t id = 0;
      if (warning.element.starts_with(start)) {
        const char* end = warning.element.data() + warning.element.size();
        std::from_chars(warning.element.data() + start.size(), end, id);
        if (std::any_of(entities_.dangling().begin(), entities_.dangling().end(),
                        [&](const auto& dangling) { return dangling.entity == id; }))
          continue;
        warning.message += facesText(entities_, id);
      }
      warning.element = prefix_ + warning.element;
      warnings_.push_back(std::move(warning));
    }
  }

  void writeLeftOutItems() {
    const auto data = Handle(StepData_StepModel)::DownCast(session_->Model());
    std::size_t more = 0;
    for (int i = 1; !data.IsNull() && i <= data->NbEntities(); ++i) {
      const auto representation = Handle(StepShape_ShapeRepresentation)::DownCast(data->Value(i));
      if (representation.IsNull()) continue;
      std::set<int> known;
      if (const auto context = representation->ContextOfItems(); !context.IsNull())
        known.insert(data->IdentLabel(context));
      for (int k = 1; !representation->Items().IsNull() && k <= representation->NbItems(); ++k)
        if (const auto item = representation->ItemsValue(k); !item.IsNull())
          known.insert(data->IdentLabel(item));
      const auto id = static_cast<std::uint64_t>(data->IdentLabel(representation));
      for (const std::uint64_t reference : entities_.referencesOf(id)) {
        const std::string_view type = entities_.typeOf(reference);
        if (known.contains(static_cast<int>(reference)) || type.empty() || carriesNoShape(type) ||
            std::binary_search(tessellatedItems_.begin(), tessellatedItems_.end(), reference))
          continue;
        if (++listed_ > listedEntities)
          ++more;
        else
          warnings_.push_back(
              {element(reference), std::string(type) + " is not supported; it is missing", true});
      }
    }
    writeMore(more, "items of shapes are not supported; they are missing");
  }

 private:
  std::string element(std::uint64_t id) const { return prefix_ + "entity #" + std::to_string(id); }

  void writeDangling() {
    std::size_t more = 0;
    for (const auto& [entity, reference] : entities_.dangling()) {
      if (carriesNoShape(entities_.typeOf(entity))) continue;
      if (++listed_ > listedEntities)
        ++more;
      else
        warnings_.push_back(
            {element(entity),
             (entities_.typeOf(entity).ends_with("_SHELL") ? "refers to face #" : "refers to #") +
                 std::to_string(reference) + ", which is not in the file; shapes that use it may be missing" +
                 facesText(entities_, entity),
             true});
    }
    writeMore(more, "references to entities that are not in the file; shapes that use them may be missing");
  }

  void writeDuplicates() {
    const auto& duplicates = entities_.duplicates();
    for (std::size_t i = 0; i < duplicates.size() && i < listedEntities; ++i)
      warnings_.push_back({element(duplicates[i]),
                           "is defined more than once; only one is used, which may be the wrong one" +
                               facesText(entities_, duplicates[i]),
                           true});
    writeMore(duplicates.size() - std::min(duplicates.size(), listedEntities),
              "numbers are given more than once; the wrong one may be used");
  }

  /// The schema allows any item here; the library treats everything except placements as the identity.
  void writeMisplaced() {
    for (const std::uint64_t id : entities_.instancesOf("ITEM_DEFINED_TRANSFORMATION"))
      for (const std::uint64_t reference : entities_.referencesOf(id)) {
        const std::string_view type = entities_.typeOf(reference);
        if (!type.empty() && !type.starts_with("AXIS2_PLACEMENT") &&
            !type.starts_with("CARTESIAN_TRANSFORMATION"))
          warnings_.push_back({element(id),
                               "places a part by #" + std::to_string(reference) +
                                   ", which is not a placement; the part may be in the wrong place",
                               true});
      }
  }

  void writeMore(std::size_t count, const char* what) {
    if (count > 0) warnings_.push_back({prefix_ + "file", std::to_string(count) + " more " + what, true});
  }

  const Part21Entities& entities_;
  const Handle(XSControl_WorkSession) & session_;
  const std::vector<std::uint64_t>& tessellatedItems_;
  std::string prefix_;
  std::vector<ImportWarning>& warnings_;
  std::size_t listed_ = 0;
};

}  // namespace

void warnOfTextDamage(const StepSource& source, std::vector<ImportWarning>& warnings) {
  DamageReport(source, warnings).writeText();
}

void warnOfUnread(const StepSource& source, std::vector<ImportWarning>& warnings) {
  if (!source.session.IsNull()) DamageReport(source, warnings).writeUnread();
}

void warnOfLeftOutItems(const StepSource& source, std::vector<ImportWarning>& warnings) {
  if (!source.session.IsNull()) DamageReport(source, warnings).writeLeftOutItems();
}

void warnOfLostGeometry(const std::vector<StepSource>& sources, const ArrivedShapes& arrived,
                        std::vector<ImportWarning>& warnings) {
  for (const StepSource& source : sources)
    if (!source.session.IsNull()) warnOfLostShapes(source.session, source.name, warnings);
  const auto compare = [&](const char* what, std::initializer_list<std::string_view> types, std::size_t got) {
    std::size_t expected = 0;
    for (const StepSource& source : sources)
      for (const std::string_view type : types) expected += source.entities->countOf(type);
    warnOfLoss(what, expected, got, warnings);
  };
  compare("solids", {"MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS", "FACETED_BREP"}, arrived.solids);
  compare("faces", {"ADVANCED_FACE"}, arrived.faces);
  compare("occurrences of parts", {"NEXT_ASSEMBLY_USAGE_OCCURRENCE"}, arrived.occurrences);
}

}  // namespace fitup::importers
