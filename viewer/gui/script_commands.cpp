#include <viewer/gui/script_commands.h>

#include <cmath>
#include <cstdio>
#include <sstream>

#include <QDockWidget>

#include <fitup/base/error.h>
#include <fitup_field/field_kinds.h>
#include <viewer/core/check_scope.h>
#include <viewer/gui/expert_panel.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/latency.h>
#include <viewer/gui/measure_panel.h>
#include <viewer/gui/placement_panel.h>
#include <viewer/gui/properties_panel.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/time_line.h>

namespace fitup::viewer {

Session& sessionOf(MainWindow& window) {
  if (window.document().session() == nullptr) throw InputError("no model is open");
  return *window.document().session();
}

Words wordsOf(const std::string& line) {
  Words words;
  std::string word;
  bool inQuotes = false, any = false;
  const auto end = [&] {
    if (any) words.push_back(word);
    word.clear();
    any = false;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (inQuotes && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      word += line[++i];
    } else if (c == '"') {
      inQuotes = !inQuotes;
      any = true;
    } else if (!inQuotes && (c == ' ' || c == '\t' || c == '\r')) {
      end();
    } else if (!inQuotes && !any && c == '#') {
      break;
    } else {
      word += c;
      any = true;
    }
  }
  if (inQuotes) throw InputError("a quotation mark is not closed");
  end();
  return words;
}

std::string quotedWord(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

double numberOf(const std::string& text) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  double value = 0;
  if (!(stream >> value) || !stream.eof()) throw InputError("'" + text + "' is no number");
  return value;
}

std::size_t countOf(const std::string& text) {
  const double value = numberOf(text);
  constexpr double most = 1e15;
  if (!(value >= 0 && value <= most) || value != static_cast<double>(static_cast<std::size_t>(value)))
    throw InputError("'" + text + "' is no count");
  return static_cast<std::size_t>(value);
}

void expectWords(const Words& words, std::size_t least, std::size_t most) {
  if (words.size() < least + 1 || words.size() > most + 1)
    throw InputError("'" + words.front() + "' has " + std::to_string(words.size() - 1) + " arguments");
}

namespace {

template <typename Value>
Value oneOf(const std::string& text, const std::map<std::string, Value>& choices) {
  const auto found = choices.find(text);
  if (found != choices.end()) return found->second;
  std::string all;
  for (const auto& [name, value] : choices) all += (all.empty() ? "" : ", ") + name;
  throw InputError("'" + text + "' is none of " + all);
}

bool isOn(const std::string& text) { return oneOf<bool>(text, {{"on", true}, {"off", false}}); }

const std::set<NodeId>& selectionOf(MainWindow& window) {
  sessionOf(window);
  if (window.document().selection().empty()) throw InputError("nothing is selected");
  return window.document().selection();
}

std::shared_ptr<const Track> trackOf(MainWindow& window) {
  sessionOf(window);
  auto track = window.document().motion().track();
  if (!track) throw InputError("there is no motion");
  return track;
}

ShownMotion& motionOf(MainWindow& window) {
  trackOf(window);
  return window.document().motion();
}

void move(MainWindow& window, const Words& words) {
  selectionOf(window);
  Vec3 shift, turn;
  for (std::size_t i = 1; i < words.size(); ++i)
    (i <= 3 ? shift : turn)[static_cast<int>((i - 1) % 3)] = numberOf(words[i]);
  window.placement().moveBy(shift, turn);
}

void deleteStep(MainWindow& window, const Words&) {
  if (trackOf(window)->steps.size() < 2) throw InputError("a motion keeps one step at least");
  window.document().motion().removeStep();
}

void moveStep(MainWindow& window, const Words& words) {
  const int by = oneOf<int>(words[1], {{"earlier", -1}, {"later", 1}});
  ShownMotion& motion = motionOf(window);
  if (by < 0 ? motion.step() == 0 : motion.step() + 1 >= motion.track()->steps.size())
    throw InputError(by < 0 ? "the first step cannot be moved earlier"
                            : "the last step cannot be moved later");
  motion.moveStep(by);
}

void record(MainWindow& window, const Words& words) {
  const bool on = isOn(words[1]);
  if (on == window.drag().isRecording()) return;
  if (on) selectionOf(window);
  const std::size_t tracks = sessionOf(window).state().tracks.size();
  window.timeLine().toggleRecording();
  if (!on && sessionOf(window).state().tracks.size() == tracks)
    throw InputError("no motion was recorded: nothing was moved");
}

void showContactMap(MainWindow& window, const Words& words) {
  const bool on = isOn(words[1]);
  if (on) trackOf(window);
  window.document().motion().showMap(on);
}

void undo(MainWindow& window, const Words&) {
  if (!sessionOf(window).history().canUndo()) throw InputError("there is nothing to undo");
  sessionOf(window).undo();
}

void redo(MainWindow& window, const Words&) {
  if (!sessionOf(window).history().canRedo()) throw InputError("there is nothing to redo");
  sessionOf(window).redo();
}

void setMeasuring(MainWindow& window, const Words& words) {
  const bool on = isOn(words[1]);
  if (on) sessionOf(window);
  window.measure().setActive(on);
}

void lookAtNextFinding(MainWindow& window, const Words&) {
  if (window.table().view().model()->rowCount() == 0) throw InputError("the table lists no findings");
  window.table().step(1);
}

void setTolerance(MainWindow& window, const Words& words) {
  const double tolerance = numberOf(words[1]);
  if (!(tolerance >= 0)) throw InputError("the tolerance must not be below 0");
  sessionOf(window).edit("Tolerance", [&](SessionState& state) { state.tolerance = tolerance; });
}

void saveProject(MainWindow& window, const Words& words) {
  sessionOf(window);
  window.document().saveProject(words[1], window.view().camera().viewpoint());
}

void setSection(MainWindow& window, const Words& words) {
  SectionPlane plane;
  expectWords(words, words[1] == "off" ? 1 : 2, words[1] == "off" ? 1 : 2);
  if (words[1] != "off") {
    plane.normal = oneOf<Vec3>(words[1], {{"x", {1, 0, 0}},
                                          {"y", {0, 1, 0}},
                                          {"z", {0, 0, 1}},
                                          {"-x", {-1, 0, 0}},
                                          {"-y", {0, -1, 0}},
                                          {"-z", {0, 0, -1}}});
    if (!(std::abs(numberOf(words[2])) <= farthestMoved))
      throw InputError("'" + words[2] + "' is farther than 1e9 from the origin");
    plane.offset = numberOf(words[2]) * (words[1].front() == '-' ? -1 : 1);
    plane.enabled = true;
  }
  sessionOf(window).edit("Section", [&](SessionState& state) { state.section = plane; });
}

void raisePanel(MainWindow& window, const Words& words) {
  auto* dock = window.findChild<QDockWidget*>(QString::fromStdString(words[1]));
  if (dock == nullptr) throw InputError("there is no panel '" + words[1] + "'");
  dock->show();
  dock->raise();
}

void checkOnly(MainWindow& window, const Words& words) {
  Session& session = sessionOf(window);
  std::optional<CheckSets> sets;
  if (words[1] != "off")
    sets = checkSetsOf(session.assembly(), selectionOf(window),
                       oneOf<CheckScope>(words[1], {{"with", CheckScope::withSelected},
                                                    {"among", CheckScope::amongSelected}}));
  session.edit("Check these parts only", [&](SessionState& state) { state.rules.check = sets; });
}

void setSnap(MainWindow& window, const Words& words) {
  GizmoSteps steps = window.drag().steps();
  if (words.size() > 2) steps.distance = numberOf(words[2]);
  if (words.size() > 3) steps.degrees = numberOf(words[3]);
  // What the panel can show.
  if (!steps.isChoosable())
    throw InputError(QStringLiteral("steps have to be from %1 to %2, and from %3 to %4 degrees")
                         .arg(GizmoSteps::leastDistance)
                         .arg(GizmoSteps::mostDistance)
                         .arg(GizmoSteps::leastDegrees)
                         .arg(GizmoSteps::mostDegrees)
                         .toStdString());
  window.drag().setSteps(steps, isOn(words[1]));
}

void select(MainWindow& window, const Words& words) {
  std::set<NodeId> nodes;
  const Assembly& assembly = sessionOf(window).assembly();
  for (std::size_t i = 1; i < words.size(); ++i)
    for (const NodeId node : assembly.instancesBelow(assembly.at(words[i]))) nodes.insert(node);
  window.document().select(std::move(nodes));
}

NodeId instanceAt(const Assembly& assembly, const std::string& path) {
  const NodeId node = assembly.at(path);
  if (!assembly.node(node).part) throw InputError("'" + path + "' is a subassembly");
  return node;
}

SurfaceId faceOf(const Assembly& assembly, NodeId instance, const std::string& text) {
  const std::size_t face = countOf(text);
  if (face >= assembly.meshOf(instance).surfaces().size())
    throw InputError("'" + assembly.path(instance) + "' has no face " + text);
  return SurfaceId{static_cast<std::uint32_t>(face)};
}

void selectFace(MainWindow& window, const Words& words) {
  const Assembly& assembly = sessionOf(window).assembly();
  const NodeId node = instanceAt(assembly, words[1]);
  window.document().select({node}, faceOf(assembly, node, words[2]));
}

void takeMeasured(MainWindow& window, const Words& words) {
  const Assembly& assembly = sessionOf(window).assembly();
  MeasureTarget target{instanceAt(assembly, words[1])};
  if (words.size() > 2) target.surface = faceOf(assembly, target.instance, words[2]);
  window.measure().take(target);
}

void printProperties(MainWindow& window, const Words&) {
  sessionOf(window);
  if (!window.properties().isInFront()) throw InputError("the panel 'Properties' is not in front");
  std::fputs(window.properties().text().toUtf8().constData(), stdout);
}

void readAgain(MainWindow& window, const Words& words) {
  ImportSettings settings = sessionOf(window).importSettings();
  if (words.size() % 2 == 0) throw InputError("'" + words.back() + "' has no value");
  const auto within = [](const std::string& text, double least, double most) {
    const double value = numberOf(text);
    if (!(value >= least && value <= most)) throw InputError("'" + text + "' is out of range");
    return value;
  };
  for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
    const std::string &key = words[i], &value = words[i + 1];
    if (key == "linear")
      settings.linearDeflection = within(value, 1e-9, 1e9);
    else if (key == "relative")
      settings.relativeDeflection = within(value, 0, 1);
    else if (key == "angular")
      settings.angularDeflection = within(value, 1e-9, 4);
    else if (key == "solids" && (value == "split" || value == "merge"))
      settings.mergeSolids = value == "merge";
    else if (key == "encoding" && (value == "auto" || isTextEncoding(value)))
      settings.encoding = value == "auto" ? std::string() : value;
    else if (key == "unit" && isLengthUnit(value))
      settings.unit = value;
    else if (key == "up" && upAxisFromName(value))
      settings.upAxis = *upAxisFromName(value);
    else if (key == "segment")
      setSegmentation(settings, key, value);
    else
      throw InputError(
          "'" + key + " " + value +
          "' is none of: linear MM, relative SHARE, angular RADIANS, solids split|merge, encoding NAME|auto, "
          "unit mm|cm|m|in|ft, up x|y|z, segment "
          "DEGREES|smooth|primitives|none");
  }
  window.document().readAgain(settings);
}

void expectFindings(MainWindow& window, std::size_t expected) {
  sessionOf(window);
  const int rows = window.table().view().model()->rowCount();
  if (static_cast<std::size_t>(rows) != expected)
    throw InputError(std::to_string(rows) + " findings instead of " + std::to_string(expected));
}

void sortFindings(MainWindow& window, const Words& words) {
  const InterferenceModel& model = window.table().model();
  std::map<std::string, int> columns;
  for (int i = 0; i < InterferenceModel::columns; ++i)
    columns[model.headerData(i, Qt::Horizontal, Qt::DisplayRole).toString().toLower().toStdString()] = i;
  window.table().view().sortByColumn(oneOf<int>(words[1], columns), Qt::AscendingOrder);
}

void print(const char* what, const char* times, const std::vector<double>& milliseconds) {
  std::printf("%s: %zu events, %s: median %.3f ms, p95 %.3f ms\n", what, milliseconds.size(), times,
              quantile(milliseconds, 0.5), quantile(milliseconds, 0.95));
}

/// How often, and the seed, of a command that measures.
std::pair<std::size_t, std::uint32_t> repetitions(const Words& words) {
  return {words.size() > 1 ? countOf(words[1]) : 500,
          static_cast<std::uint32_t>(words.size() > 2 ? countOf(words[2]) : 1)};
}

void runMeasureDrag(MainWindow& window, const Words& words) {
  sessionOf(window);
  const auto [events, seed] = repetitions(words);
  const Latencies latencies = measureDrag(window, events, seed);
  print("drag", "from event to highlight and table", latencies.whole);
  print("drag", "check and distance", latencies.answer);
  print("drag", "detection", latencies.detection);
}

void runMeasureHover(MainWindow& window, const Words& words) {
  sessionOf(window);
  const auto [events, seed] = repetitions(words);
  print("hover", "from event to preselected face", measureHover(window, events, seed).whole);
}

}  // namespace

const std::map<std::string, ScriptCommand>& scriptCommands() {
  static const std::map<std::string, ScriptCommand> all{
      {"open",
       {1, 1000,
        [](MainWindow& w, const Words& a) {
          w.document().openAll(std::vector<std::filesystem::path>(a.begin() + 1, a.end()));
        }}},
      {"read-again", {2, 10, readAgain}},
      {"select", {0, 1000, select}},
      {"select-face", {2, 2, selectFace}},
      {"properties", {0, 0, printProperties}},
      {"measure", {1, 2, takeMeasured}},
      {"measurements",
       {0, 0,
        [](MainWindow& w, const Words&) {
          sessionOf(w);
          std::fputs(w.measurements().text().toUtf8().constData(), stdout);
        }}},
      {"measuring", {1, 1, setMeasuring}},
      {"navigation",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          const auto preset = navigationPresetFromName(a[1]);
          if (!preset) throw InputError("'" + a[1] + "' is none of cad, solidworks, blender");
          w.view().setNavigation(*preset);
        }}},
      {"mode",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          w.drag().setMode(oneOf<DragMode>(
              a[1],
              {{"off", DragMode::off}, {"detect", DragMode::detect}, {"stop", DragMode::stopAtContact}}));
        }}},
      {"move", {3, 6, move}},
      {"view",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          sessionOf(w);
          w.view().look(oneOf<StandardView>(a[1], {{"isometric", StandardView::isometric},
                                                   {"front", StandardView::front},
                                                   {"back", StandardView::back},
                                                   {"left", StandardView::left},
                                                   {"right", StandardView::right},
                                                   {"top", StandardView::top},
                                                   {"bottom", StandardView::bottom}}));
        }}},
      {"frame",
       {0, 1,
        [](MainWindow& w, const Words& a) {
          sessionOf(w);
          if (a.size() > 1 && oneOf<bool>(a[1], {{"selection", true}, {"all", false}}))
            w.view().frameSelection();
          else
            w.view().frameAll();
        }}},
      {"dim", {1, 1, [](MainWindow& w, const Words& a) { w.setDimOthers(isOn(a[1])); }}},
      {"verdicts",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          CheckSettings settings = w.document().check().settings();
          settings.verdicts = isOn(a[1]);
          w.document().check().setSettings(settings);
        }}},
      {"tolerance", {1, 1, setTolerance}},
      {"section", {1, 2, setSection}},
      {"hierarchy",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          const auto kind = field::hierarchyKindFromName(a[1]);
          if (!kind) throw InputError("'" + a[1] + "' is none of " + field::hierarchyKindNames());
          w.expert().chooseHierarchy(*kind);
        }}},
      {"overlap-box",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          CheckSettings settings = w.document().check().settings();
          settings.overlapBox = oneOf<OverlapBoxSetting>(a[1], {{"on", OverlapBoxSetting::on},
                                                                {"off", OverlapBoxSetting::off},
                                                                {"classical", OverlapBoxSetting::classical}});
          w.document().check().setSettings(settings);
        }}},
      {"boxes",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          sessionOf(w);
          const auto level = a[1] == "off" ? std::nullopt : std::optional(countOf(a[1]));
          if (level > ExpertPanel::deepestLevel) throw InputError("levels are 0 to 99");
          w.expert().showBoxes(level);
        }}},
      {"panel", {1, 1, raisePanel}},
      {"join",
       {0, 0,
        [](MainWindow& w, const Words&) {
          if (w.mates().current() == nullptr) throw InputError("no mate is offered");
          w.mates().accept();
        }}},
      {"snap", {1, 3, setSnap}},
      {"check-only", {1, 1, checkOnly}},
      {"hide",
       {0, 0,
        [](MainWindow& w, const Words&) {
          selectionOf(w);
          w.tree().toggleHidden();
        }}},
      {"isolate",
       {0, 0,
        [](MainWindow& w, const Words&) {
          selectionOf(w);
          w.tree().isolate();
        }}},
      {"ghost",
       {0, 0,
        [](MainWindow& w, const Words&) {
          selectionOf(w);
          w.tree().toggleGhosts();
        }}},
      {"show-all",
       {0, 0,
        [](MainWindow& w, const Words&) {
          sessionOf(w);
          w.tree().showAll();
        }}},
      {"finding", {0, 0, lookAtNextFinding}},
      {"step",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          if (countOf(a[1]) >= trackOf(w)->steps.size()) throw InputError("there is no step " + a[1]);
          w.document().motion().goTo(countOf(a[1]));
        }}},
      {"find-clashes", {0, 0, [](MainWindow& w, const Words&) { motionOf(w).check(); }}},
      {"contact-map", {1, 1, showContactMap}},
      {"save-contact-map",
       {1, 1, [](MainWindow& w, const Words& a) { w.document().motion().saveMap(a[1]); }}},
      {"insert-step", {0, 0, [](MainWindow& w, const Words&) { motionOf(w).insertPose(); }}},
      {"delete-step", {0, 0, deleteStep}},
      {"move-step", {1, 1, moveStep}},
      {"reverse", {0, 0, [](MainWindow& w, const Words&) { motionOf(w).reverse(); }}},
      {"record", {1, 1, record}},
      {"undo", {0, 0, undo}},
      {"redo", {0, 0, redo}},
      {"save", {1, 1, saveProject}},
      {"save-track", {1, 1, [](MainWindow& w, const Words& a) { motionOf(w).save(a[1]); }}},
      {"report",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          sessionOf(w);
          w.document().exportReport(a[1]);
        }}},
      {"screenshot",
       {1, 1, [](MainWindow& w, const Words& a) { w.writePicture(QString::fromStdString(a[1])); }}},
      {"measure-drag", {0, 2, runMeasureDrag}},
      {"measure-hover", {0, 2, runMeasureHover}},
      {"search",
       {0, 1,
        [](MainWindow& w, const Words& a) {
          w.table().search(a.size() > 1 ? QString::fromStdString(a[1]) : QString());
        }}},
      {"sort", {1, 1, sortFindings}},
      {"expect-findings", {1, 1, [](MainWindow& w, const Words& a) { expectFindings(w, countOf(a[1])); }}},
  };
  return all;
}

}  // namespace fitup::viewer
