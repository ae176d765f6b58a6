#include <viewer/gui/properties_panel.h>

#include <algorithm>

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <fitup/io/report_build.h>
#include <viewer/core/placed_surface.h>
#include <viewer/gui/library_texts.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

QString qt(const std::string& utf8) { return shown(utf8); }

ValueList::Line colourLine(const QString& group, const Colour& colour) {
  const QColor rgb = QColor::fromRgbF(colour.red, colour.green, colour.blue);
  return {group, PropertiesPanel::tr("Colour"),
          colour.alpha < 1
              ? PropertiesPanel::tr("%1, opacity %2").arg(rgb.name()).arg(colour.alpha, 0, 'g', 2)
              : rgb.name(),
          rgb};
}

}  // namespace

PropertiesPanel::PropertiesPanel(Document& document, DragController& drag, SceneView& view, QWidget* parent)
    : QWidget(parent),
      document_(document),
      drag_(drag),
      view_(view),
      nothing_(new QLabel(
          tr("Select a part or a finding to see its properties; a click on a part also chooses a face."))),
      list_(new ValueList),
      face_(new CountField),
      faceLine_(new QWidget) {
  nothing_->setWordWrap(true);
  nothing_->setMargin(6);
  list_->setAccessibleName(tr("Properties"));
  list_->setToolTip(tr("Ctrl+C copies the chosen lines"));
  face_->setSpecialValueText(tr("none"));
  face_->setMinimum(-1);
  face_->setValue(-1);
  face_->setAccessibleName(tr("Face"));
  face_->setToolTip(tr("The face described below; a click in the view also chooses one"));
  auto* line = new QHBoxLayout(faceLine_);
  line->setContentsMargins(0, 0, 0, 0);
  auto* label = new QLabel(tr("&Face"));
  label->setBuddy(face_);
  line->addWidget(label);
  line->addWidget(face_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->addWidget(nothing_);
  layout->addWidget(faceLine_);
  layout->addWidget(list_, 1);

  connect(face_, &CountField::valueChanged, this, &PropertiesPanel::chooseFace);
  connect(&document_, &Document::selectionChanged, this, [this] {
    isFindingLast_ = false;
    follow();
  });
  connect(&document_, &Document::faceChanged, this, [this] { show(); });
  connect(&document_, &Document::lengthUnitChanged, this, [this] { show(); });
  connect(&document_, &Document::opened, this, &PropertiesPanel::follow);
  connect(&document_, &Document::aboutToClose, this, [this] {
    worker_.cancel();
    answered_ = asked_;
  });
  connect(&document_, &Document::stateChanged, this, &PropertiesPanel::followPlaces);
  connect(&drag_, &DragController::moved, this, &PropertiesPanel::followPlaces);
  connect(&drag_, &DragController::ended, this, &PropertiesPanel::followPlaces);
  follow();
}

PropertiesPanel::~PropertiesPanel() = default;

void PropertiesPanel::setInFront(bool inFront) {
  if (inFront == inFront_) return;
  inFront_ = inFront;
  follow();
  showFace();
}

// ---- the chosen finding ----

bool PropertiesPanel::showsFinding() const {
  return finding_ && document_.session() != nullptr && (isFindingLast_ || document_.selection().empty());
}

void PropertiesPanel::showFinding(std::optional<FindingDetails> details) {
  isFindingLast_ = details.has_value();
  updateFinding(std::move(details));
}

void PropertiesPanel::updateFinding(std::optional<FindingDetails> details) {
  finding_ = std::move(details);
  // The face of the selected part stays; while a model closes, the view does not know it any more.
  showLines();
}

// ---- questions ----

std::optional<NodeId> PropertiesPanel::single() const {
  return document_.session() != nullptr && document_.selection().size() == 1
             ? std::optional(*document_.selection().begin())
             : std::nullopt;
}

void PropertiesPanel::follow() {
  solid_.reset();
  quick_ = {};
  answered_ = asked_;
  worker_.cancel();
  if (!inFront_) return;
  if (document_.session() != nullptr) {
    const Session& session = *document_.session();
    quick_ = factsOf(session.scene(), document_.selection());
    ask();
  }
  show();
}

void PropertiesPanel::followPlaces() {
  if (!inFront_ || document_.session() == nullptr || document_.selection().empty()) return;
  ask();
  show();
}

void PropertiesPanel::ask() {
  if (document_.selection().empty()) return;
  const Session& session = *document_.session();
  std::vector<PlacedPart> parts;
  for (const NodeId node : document_.selection())
    parts.push_back(
        {session.assembly().sharedPart(session.assembly().partOf(node)), drag_.worldFromPart(node)});
  asked_ = worker_.hand([this, parts = std::move(parts)](std::uint64_t ticket, const Progress& progress) {
    std::optional<SolidFacts> facts;
    try {
      facts = finder_.find(parts, progress);
    } catch (const std::exception&) {
      // No facts are shown then.
    }
    QMetaObject::invokeMethod(
        this, [this, ticket, facts] { receive(ticket, facts); }, Qt::QueuedConnection);
  });
}

void PropertiesPanel::receive(std::uint64_t ticket, const std::optional<SolidFacts>& facts) {
  // An answer about the previous placement is better than none.
  if (ticket <= answered_ || !facts) return;
  answered_ = ticket;
  solid_ = facts;
  show();
}

// ---- display ----

void PropertiesPanel::addGeneral(std::vector<Line>& lines, const LengthUnit& unit) const {
  const Session& session = *document_.session();
  const Assembly& assembly = session.assembly();
  const QString group = tr("General");
  const auto one = single();
  if (quick_.node) {
    lines.push_back({group, tr("Name"), qt(assembly.node(*quick_.node).name)});
    lines.push_back({group, tr("Path"), qt(assembly.path(*quick_.node))});
  }
  lines.push_back({group, tr("Kind"),
                   one           ? tr("part")
                   : quick_.node ? tr("subassembly of %1 parts").arg(quick_.instances)
                                 : tr("%1 parts").arg(quick_.instances)});
  if (!one)
    lines.push_back({group, tr("Distinct parts"), numberText(static_cast<double>(quick_.distinctParts))});
  // A generated model has no source; the source of a model made of several files is the list of them.
  const ModelSource& source = session.model().source;
  const std::string file = !source.importOptions.empty()
                               ? std::filesystem::path(source.path).filename().string()
                           : quick_.node ? session.modelFileOf(*quick_.node).filename().string()
                                         : shortName(session.modelFiles());
  lines.push_back({group, tr("File"), qt(file)});
  lines.push_back({group, tr("Unit"), qt(assembly.unit())});
  if (!one) return;
  const AssemblyNode& node = assembly.node(*one);
  const TriangleMesh& mesh = assembly.part(*node.part);
  if (const auto& deflection = mesh.deflection())
    lines.push_back(
        {group, tr("Chord error"),
         tr("%1 %2, %3")
             .arg(lengthNumber(deflection->linear, unit), unit.name, angleText(deflection->angular))});
  else
    lines.push_back({group, tr("Chord error"), tr("not known")});
  std::optional<Colour> colour = node.colour;
  if (!colour && !mesh.surfaces().empty()) colour = mesh.surfaces().front().colour;
  if (colour) lines.push_back(colourLine(group, *colour));
  QStringList layers;
  for (std::optional<NodeId> at = one; at; at = assembly.node(*at).parent)
    for (const std::string& layer : assembly.node(*at).layers)
      if (!layers.contains(qt(layer))) layers.append(qt(layer));
  if (!layers.isEmpty()) lines.push_back({group, tr("Layers"), layers.join(QStringLiteral(", "))});
}

void PropertiesPanel::addGeometry(std::vector<Line>& lines, const LengthUnit& unit) const {
  const QString group = tr("Geometry");
  const auto count = [](std::size_t n) { return QString::number(n); };
  lines.push_back(
      {group, tr("Faces"),
       quick_.untessellated > 0
           ? tr("%1, of these %2 without triangles").arg(quick_.surfaces).arg(quick_.untessellated)
           : count(quick_.surfaces)});
  lines.push_back({group, tr("Triangles"),
                   quick_.degenerate > 0
                       ? tr("%1, of these %2 degenerate").arg(quick_.triangles).arg(quick_.degenerate)
                       : count(quick_.triangles)});
  const QString waiting = tr("...");
  lines.push_back({group, tr("Area"),
                   solid_ ? tr("%1 %2²").arg(numberText(unit.shownArea(solid_->area)), unit.name) : waiting});
  QString volume = waiting, closed = waiting;
  if (solid_) {
    volume = solid_->volume ? tr("%1 %2³").arg(numberText(unit.shownVolume(*solid_->volume)), unit.name)
                            : tr("none: not closed");
    closed = solid_->parts == 1 ? translated(solid_->watertightness)
                                : tr("%1 of %2 parts").arg(solid_->closedParts).arg(solid_->parts);
  }
  lines.push_back({group, tr("Volume"), volume});
  lines.push_back({group, tr("Closed"), closed});
  lines.push_back({group, tr("Hierarchies"), bytesText(quick_.hierarchyBytes)});
  const auto addBox = [&](const QString& name, const std::optional<Box>& box) {
    const QString boxGroup = tr("%1, in %2").arg(name, unitAfterIn(unit));
    const bool known = box && !box->empty();
    lines.push_back({boxGroup, tr("Size"), known ? placeText(box->max - box->min, unit) : waiting});
    lines.push_back({boxGroup, tr("From"), known ? placeText(box->min, unit) : waiting});
    lines.push_back({boxGroup, tr("To"), known ? placeText(box->max, unit) : waiting});
  };
  addBox(tr("Box in the world"), solid_ ? std::optional(solid_->bounds) : std::nullopt);
  if (const auto one = single()) {
    const Assembly& assembly = document_.session()->assembly();
    addBox(tr("Box in the part's frame"), assembly.meshOf(*one).boundsInPart());
  }
}

void PropertiesPanel::addPlacement(std::vector<Line>& lines, NodeId instance, const LengthUnit& unit) const {
  const Session& session = *document_.session();
  const QString group = tr("Placement in the world, in %1").arg(unitAfterIn(unit));
  const Transform world = drag_.worldFromPart(instance);
  lines.push_back({group, tr("Origin"), placeText(world.t, unit)});
  lines.push_back({group, tr("Turned"), orientationText(world)});
  const Transform fromDesign = world * session.assembly().worldFromNode(instance).inverse();
  const bool moved = world != session.assembly().worldFromNode(instance);
  lines.push_back({group, tr("From design"),
                   moved ? tr("origin %1; %2")
                               .arg(placeText(world.t - session.assembly().worldFromNode(instance).t, unit),
                                    orientationText(fromDesign))
                         : tr("as designed")});
}

void PropertiesPanel::addFace(std::vector<Line>& lines, NodeId instance, SurfaceId surface,
                              const LengthUnit& unit) const {
  const Assembly& assembly = document_.session()->assembly();
  const TriangleMesh& mesh = assembly.meshOf(instance);
  const Surface& face = mesh.surfaces()[index(surface)];
  const QString group = tr("Face %1, in the world").arg(index(surface));
  const PlacedSurface found = placedSurface(mesh, surface, drag_.worldFromPart(instance));
  const auto length = [&](double value) {
    return lengthText(value, {std::nullopt, found.accuracy.length}, unit);
  };
  if (!face.name.empty()) lines.push_back({group, tr("Name"), qt(face.name)});
  if (found.shape) {
    const SurfaceDescription& shape = *found.shape;
    const QString kind = translated(name(shape.kind));
    lines.push_back({group, tr("Shape"), found.recognised ? tr("%1, recognised").arg(kind) : kind});
    const bool isRound = shape.kind != SurfaceKind::plane;
    if (isRound) {
      lines.push_back({group, tr("Radius"), length(shape.radius)});
      lines.push_back({group, tr("Diameter"), length(2 * shape.radius)});
    }
    if (shape.kind == SurfaceKind::torus)
      lines.push_back({group, tr("Minor radius"), length(shape.secondRadius)});
    if (shape.kind == SurfaceKind::cone)
      lines.push_back({group, tr("Half angle"), angleText(shape.halfAngle, found.accuracy.angle)});
    if (shape.kind != SurfaceKind::sphere)
      lines.push_back(
          {group, isRound ? tr("Axis") : tr("Normal"), pointText(shape.axis, found.accuracy.angle)});
    lines.push_back({group,
                     shape.kind == SurfaceKind::sphere || shape.kind == SurfaceKind::torus ? tr("Centre")
                     : isRound ? tr("Point of axis")
                               : tr("Point"),
                     placeText(shape.point, unit, found.accuracy.length)});
  } else {
    lines.push_back(
        {group, tr("Shape"),
         face.description ? translated(name(face.description->kind)) : tr("neither plane nor cylinder")});
  }
  lines.push_back({group, tr("Area"), tr("%1 %2²").arg(numberText(unit.shownArea(found.area)), unit.name)});
  lines.push_back({group, tr("Centroid"), placeText(found.centroid, unit)});
  lines.push_back({group, tr("Triangles"), QString::number(face.triangleCount)});
  if (face.colour) lines.push_back(colourLine(group, *face.colour));
}

std::vector<PropertiesPanel::Line> PropertiesPanel::lines() const {
  return document_.session() != nullptr ? lines(document_.lengthUnit()) : std::vector<Line>();
}

std::vector<PropertiesPanel::Line> PropertiesPanel::lines(const LengthUnit& unit) const {
  if (showsFinding()) {
    const LiveAnswer& answer = document_.check().answer();
    return linesOf(*document_.session(), *finding_, answer.options ? answer.options->rules : Rules{}, unit);
  }
  std::vector<Line> lines;
  if (document_.session() == nullptr || quick_.instances == 0) return lines;
  const auto one = single();
  if (one && document_.face()) addFace(lines, *one, *document_.face(), unit);
  addGeneral(lines, unit);
  addGeometry(lines, unit);
  if (one) addPlacement(lines, *one, unit);
  return lines;
}

void PropertiesPanel::show() {
  showLines();
  if (inFront_) showFace();
}

void PropertiesPanel::showLines() {
  if (!inFront_) return;
  const auto one = single();
  faceLine_->setVisible(one && !showsFinding());
  if (one) {
    const Assembly& assembly = document_.session()->assembly();
    const QSignalBlocker blocker(face_);
    face_->setMaximum(static_cast<int>(assembly.meshOf(*one).surfaces().size()) - 1);
    face_->setValue(document_.face() ? static_cast<int>(index(*document_.face())) : -1);
  }
  const std::vector<Line> all = lines();
  nothing_->setVisible(all.empty());
  list_->setVisible(!all.empty());
  list_->show(all);
}

void PropertiesPanel::showFace() {
  const auto one = single();
  const bool shows = inFront_ && one && document_.face();
  view_.showFace(shows ? std::optional(std::pair(*one, *document_.face())) : std::nullopt);
}

void PropertiesPanel::chooseFace(int number) {
  if (const auto one = single())
    document_.select(
        {*one}, number < 0 ? std::nullopt : std::optional(SurfaceId{static_cast<std::uint32_t>(number)}));
}

QString PropertiesPanel::value(const QString& group, const QString& name) const {
  for (const Line& line : lines())
    if (line.group == group && line.name == name) return line.value;
  return {};
}

QString PropertiesPanel::text() const {
  return document_.session() != nullptr ? ValueList::text(lines(modelUnitOf(*document_.session())))
                                        : QString();
}

}  // namespace fitup::viewer
