#include <viewer/gui/file_commands.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

#include <QClipboard>
#include <QDateTime>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include <fitup/base/error.h>
#include <fitup/io/formats.h>
#include <fitup/io/project_file.h>
#include <fitup/io/report_file.h>
#include <fitup/io/track_file.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/file_dialogs.h>
#include <viewer/gui/import_dialog.h>
#include <viewer/gui/library_texts.h>
#include <viewer/gui/main_window.h>
#include <viewer/gui/opening.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/status_line.h>
#include <viewer/gui/thumbnails.h>
#include <viewer/gui/view_picture.h>

namespace fitup::viewer {
namespace {

/// The last changes that are not saved, at most three; those of the view only if there are no others.
QStringList lastChanges(const Session& session) {
  static const std::set<std::string_view> ofView{"Section",
                                                 "Show",
                                                 "Show all",
                                                 "Hide",
                                                 "Isolate",
                                                 "Ghost",
                                                 "Colour",
                                                 "Transparency",
                                                 "Save a view",
                                                 "Look as in the file",
                                                 "Go to a step of the motion"};
  std::vector<std::string> labels = session.history().unsavedLabels(std::numeric_limits<std::size_t>::max());
  std::ranges::stable_partition(labels, [&](const std::string& label) { return !ofView.contains(label); });
  constexpr std::size_t most = 3;
  if (labels.size() > most) labels.resize(most);
  QStringList changes;
  for (const std::string& label : labels) changes << translated(label);
  return changes;
}

constexpr int mostRecent = 10;
/// Separates files that were opened together in their entry of recent files.
constexpr QChar betweenNames('\n');
const char* const projectEnding = ".fitup-project";

/// Returns the name of the project, or of the model without a project.
QString nameOf(const Leftover& leftover) {
  if (!leftover.original.empty()) return shown(leftover.original.string());
  try {
    return FileCommands::tr("unsaved work on %1").arg(shown(joinedNames(readProject(leftover.file).models)));
  } catch (const Error&) {
    return FileCommands::tr("work that had not been saved");
  }
}

/// Returns the entry of files that were opened together.
QString keyOf(std::span<const std::filesystem::path> files) {
  QStringList names;
  for (const std::filesystem::path& file : files) names.append(QString::fromStdString(file.string()));
  return names.join(betweenNames);
}

/// Returns "work-2.fitup-project" for work.fitup-project, or the first higher number that no file has.
std::filesystem::path nameBeside(const std::filesystem::path& file) {
  std::error_code ignored;
  for (int number = 2;; ++number) {
    std::filesystem::path other = file;
    other.replace_filename(file.stem().string() + "-" + std::to_string(number) + projectEnding);
    if (!std::filesystem::exists(other, ignored)) return other;
  }
}

/// Returns the settings changed by keys and values, as in a script.
ImportSettings importSettingsFrom(ImportSettings settings, const Words& words) {
  if (words.size() % 2 != 0) throw InputError("'" + words.back() + "' has no value");
  const auto within = [](const std::string& text, double least, double most) {
    const double value = numberOf(text);
    if (!(value >= least && value <= most)) throw InputError("'" + text + "' is out of range");
    return value;
  };
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
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
    else if (key == "recognise")
      settings.recogniseWithin = value == "off" ? std::nullopt : std::optional(within(value, 1e-9, 1e9));
    else if (key == "segment")
      setSegmentation(settings, key, value);
    else
      throw InputError("'" + key + " " + value +
                       "' is not one of: linear MM, relative SHARE, angular RADIANS, solids split|merge, "
                       "encoding NAME|auto, "
                       "unit mm|cm|m|in|ft, up x|y|z, segment "
                       "DEGREES|smooth|primitives|none, recognise MM|off");
  }
  return settings;
}

/// The size of a picture and what it shows, as scripts say it.
ViewPicture pictureFrom(std::span<const std::string> words) {
  ViewPicture picture;
  for (const std::string& word : words) {
    const std::size_t by = word.find('x');
    if (word == "transparent") {
      picture.transparent = true;
    } else if (word == "bare") {
      picture.labels = false;
    } else if (by != std::string::npos) {
      constexpr std::size_t longest = ViewPicture::longest;
      const std::size_t width = countOf(word.substr(0, by)), height = countOf(word.substr(by + 1));
      if (width == 0 || height == 0 || width > longest || height > longest)
        throw InputError("'" + word + "': a side of a picture is 1 to " + std::to_string(longest) +
                         " pixels");
      picture.size = QSize(static_cast<int>(width), static_cast<int>(height));
    } else {
      throw InputError("'" + word + "': expected a size such as 1600x1000, 'transparent' or 'bare'");
    }
  }
  return picture;
}

}  // namespace

FileCommands::FileCommands(MainWindow& window, bool remembers)
    : QObject(&window), window_(window), document_(window.document()), remembers_(remembers) {
  document_.setMayReplace([this] { return mayClose(); });
  connect(&document_, &Document::opened, this, [this] { remember(openFiles()); });
  connect(&document_, &Document::aboutToReplace, this, &FileCommands::keepThumbnail);
  connect(&document_, &Document::saved, this, [this](const QString& file) {
    const std::filesystem::path project = file.toStdString();
    if (!isProjectFile(project)) return;
    remember({&project, 1});
    keepThumbnail();
  });
}

void FileCommands::addTo(Commands& commands) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  using Times = Parameter::Times;
  commands
      .add("open", {tr("&Open..."), "Ctrl+O", tr("A model, several models as one, a project, or motions")},
           nothing, {{"FILE", file}, {"FILE", file, Times::anyNumber}},
           [this](const Words& words) {
             document_.openAll({words.begin(), words.end()});
           })
      .ask = [this] { askOpen(); };
  commands
      .add("read-again",
           {tr("&Import settings..."), "Ctrl+I", tr("How finely and in which unit the model is read")}, model,
           {{"KEY"}, {"VALUE", text, Times::once}, {"KEY VALUE", text, Times::anyNumber}},
           [this](const Words& words) {
             document_.readAgain(importSettingsFrom(document_.session()->importSettings(), words));
           })
      .ask = [this] { askImportSettings(); };
  commands
      .add("save", {tr("&Save project"), "Ctrl+S", tr("Saves placements, rules, motions, reviews and views")},
           model, {{"FILE", file}},
           [this](const Words& words) {
             document_.saveProject(words[0], window_.view().camera().viewpoint());
           })
      .ask = [this] { save(false); };
  commands
      .add("save-as", {tr("Save project &as..."), "Ctrl+Shift+S", tr("Saves the project under another name")},
           model, {}, {})
      .ask = [this] { save(true); };
  commands
      .add("report",
           {tr("&Export report..."), "Ctrl+E", tr("Exports findings and reviews as HTML, JSON or CSV")},
           model, {{"FILE", file}}, [this](const Words& words) { document_.exportReport(words[0]); })
      .ask = [this] { exportReport(); };
  commands
      .add("picture",
           {tr("Save a &picture..."), "Ctrl+P",
            tr("Saves or copies a picture of the view, in any size, also with a transparent background")},
           nothing, {{"FILE", file}, {"WxH|transparent|bare", text, Times::anyNumber}},
           [this](const Words& words) {
             const QImage image = window_.view().picture(pictureFrom(std::span(words).subspan(1)));
             writeImage(image, QString::fromStdString(words[0]));
           })
      .ask = [this] { savePicture(); };
  commands.add("copy-picture",
               {tr("&Copy the picture"), "Ctrl+Alt+C", tr("Copies what the view shows to the clipboard")},
               nothing, {},
               [this](auto&) { QGuiApplication::clipboard()->setImage(window_.view().picture({})); });
  commands.add("screenshot", {}, nothing, {{"FILE", file}},
               [this](const Words& words) { window_.writePicture(QString::fromStdString(words[0])); });
  commands
      .add("restore",
           {tr("Restore &work..."), "Ctrl+Shift+O",
            tr("Opens the unsaved work of a session that ended unexpectedly")},
           nothing, {}, {})
      .ask = [this] {
    if (document_.leftovers().empty())
      window_.statusLine().tellBriefly(tr("There is no unsaved work of an earlier session."));
    else if (mayClose())
      offerRestore();
  };
  // In a script, it only ends the script.
  commands
      .add("quit", {tr("&Quit"), "Ctrl+Q", tr("Asks first if there is unsaved work")}, nothing, {},
           [](auto&) {})
      .ask = [this] { window_.close(); };
}

void FileCommands::listRecentIn(QMenu& menu) {
  connect(&menu, &QMenu::aboutToShow, this, [this, &menu] { fillRecent(menu); });
}

void FileCommands::askOpen() {
  std::vector<std::filesystem::path> files;
  const QString filter =
      fileFilter(tr("Models, projects, motions"), extensionList([](const FileFormat&) { return true; })) +
      tr(";;All files (*)");
  for (const QString& file : askWhatFilesToOpen(&window_, tr("Open"), filter))
    files.emplace_back(file.toStdString());
  open(std::move(files));
}

void FileCommands::askImportSettings() {
  // The running job may replace the model that the question is about.
  if (document_.hasJob())
    return window_.tell(tr("The import settings cannot change while another task is running."));
  const Session& session = *document_.session();
  if (const auto settings =
          viewer::askImportSettings(&window_, session.modelFiles(), session.importSettings()))
    document_.readAgain(*settings);
}

void FileCommands::open(std::vector<std::filesystem::path> files) {
  const bool replaces = !std::all_of(files.begin(), files.end(), isTrackFile);
  if (!replaces || document_.hasJob()) return document_.openAll(std::move(files));
  if (!mayClose()) return;
  const auto project = std::find_if(files.begin(), files.end(), isProjectFile);
  if (project == files.end()) return document_.openAll(std::move(files));
  if (auto located = locateModels(*project, std::filesystem::absolute(*project).parent_path()))
    document_.openAll(std::move(files), std::move(*located));
}

std::optional<std::vector<std::filesystem::path>> FileCommands::locateModels(
    const std::filesystem::path& project, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> models;
  try {
    models = readProject(project).models;
  } catch (const Error&) {
    return models;  // opening it reports the error
  }
  const auto isThere = [](const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::exists(file, ignored);
  };
  bool anyMissing = false;
  for (std::filesystem::path& model : models) {
    if (isThere(model)) continue;
    anyMissing = true;
    const QString name = shown(model.string());
    const std::filesystem::path beside = folder / model.filename();
    QMessageBox box(QMessageBox::Question, tr("Open"),
                    tr("The model of this project no longer exists:\n%1").arg(name), QMessageBox::Cancel,
                    &window_);
    box.setTextFormat(Qt::PlainText);
    QPushButton* takeBeside =
        !folder.empty() && isThere(beside)
            ? box.addButton(tr("Use the one beside the project"), QMessageBox::AcceptRole)
            : nullptr;
    QPushButton* locate = box.addButton(tr("Locate..."), QMessageBox::ActionRole);
    box.setDefaultButton(takeBeside != nullptr ? takeBeside : locate);
    box.exec();
    if (takeBeside != nullptr && box.clickedButton() == takeBeside) {
      model = beside;
    } else if (box.clickedButton() == locate) {
      const QString file =
          askWhatToOpen(&window_, tr("Locate %1").arg(name), {}, QString::fromStdString(folder.string()));
      if (file.isEmpty()) return std::nullopt;
      model = file.toStdString();
    } else {
      return std::nullopt;
    }
  }
  if (!anyMissing) models.clear();
  return models;
}

bool FileCommands::save(bool underNewName) {
  if (document_.session() == nullptr) return false;
  std::filesystem::path file = document_.projectFile();
  if (underNewName || file.empty()) {
    file = document_.session()->modelFiles().front();
    file = askProjectName(file.replace_extension(projectEnding));
  }
  return !file.empty() && save(file, document_.knownVersion(file));
}

std::filesystem::path FileCommands::askProjectName(const std::filesystem::path& proposed) {
  // The user is asked later whether to replace an existing file.
  return askWhereToSave(&window_, tr("Save the project"), QString::fromStdString(proposed.string()),
                        fileFilter(tr("Projects"), projectEnding), QString(projectEnding).mid(1),
                        Replacing::asksCaller)
      .toStdString();
}

bool FileCommands::save(const std::filesystem::path& file, const FileVersion& expected) {
  try {
    document_.saveProjectOver(file, window_.view().camera().viewpoint(), expected);
    return true;
  } catch (const FileChangedError& change) {
    return saveInSpiteOf(file, expected, change.found());
  } catch (const Error& error) {
    window_.tell(shown(error.what()));
    return false;
  }
}

bool FileCommands::saveInSpiteOf(const std::filesystem::path& file, const FileVersion& expected,
                                 const FileVersion& found) {
  const QString name = shown(file.string());
  const QString what = !found.hash ? tr("This project no longer exists; it was moved or deleted:\n%1")
                       : expected.hash
                           ? tr("Another program has changed this project since you opened or saved it:\n%1")
                           : tr("A project of this name already exists:\n%1");
  QMessageBox box(QMessageBox::Warning, tr("Save"), what.arg(name), QMessageBox::Cancel, &window_);
  box.setTextFormat(Qt::PlainText);
  QPushButton* both =
      box.addButton(found.hash ? tr("Keep both...") : tr("Save elsewhere..."), QMessageBox::ActionRole);
  QPushButton* replace =
      box.addButton(found.hash ? tr("Replace it") : tr("Save it there"), QMessageBox::DestructiveRole);
  if (found.hash) box.setInformativeText(tr("If you replace it, its contents are lost."));
  box.setDefaultButton(both);
  box.exec();
  // Only over the version that was found, not over a later one.
  if (box.clickedButton() == replace) return save(file, found);
  if (box.clickedButton() != both) return false;
  const std::filesystem::path other = askProjectName(nameBeside(file));
  return !other.empty() && save(other, document_.knownVersion(other));
}

void FileCommands::exportReport() {
  const QString file =
      askWhereToSave(&window_, tr("Export the report"), QStringLiteral("report.html"),
                     fileFilter(tr("Reports"), reportExtensions(" ", " ")), QStringLiteral("html"));
  if (!file.isEmpty()) document_.exportReport(file.toStdString());
}

void FileCommands::savePicture() {
  const auto wish = askForPicture(&window_, window_.view().pictureSize());
  if (!wish) return;
  const QImage image = window_.view().picture(wish->picture);
  if (wish->copies) return QGuiApplication::clipboard()->setImage(image);
  const QString file = askWhereToSave(&window_, tr("Save a picture"), QStringLiteral("fitup.png"),
                                      tr("Pictures (*.png *.jpg)"), QStringLiteral("png"));
  if (!file.isEmpty()) writeImage(image, file);
}

std::vector<std::filesystem::path> FileCommands::openFiles() const {
  const std::filesystem::path& project = document_.projectFile();
  return project.empty() ? document_.session()->modelFiles() : std::vector{project};
}

void FileCommands::remember(std::span<const std::filesystem::path> files) {
  if (!remembers_) return;
  const QString entry = keyOf(files);
  QSettings settings;
  QStringList entries = settings.value("recent").toStringList();
  entries.removeAll(entry);
  entries.prepend(entry);
  settings.setValue("recent", QStringList(entries.mid(0, mostRecent)));
}

void FileCommands::keepThumbnail() {
  if (!remembers_ || document_.session() == nullptr) return;
  const Thumbnails thumbnails;
  thumbnails.keep(keyOf(openFiles()), window_.view().grabFramebuffer());
  thumbnails.keepOnly(QSettings().value("recent").toStringList());
}

std::vector<RecentFile> FileCommands::recent() const {
  std::vector<RecentFile> found;
  if (!remembers_) return found;
  for (const QString& entry : QSettings().value("recent").toStringList()) {
    const QStringList names = entry.split(betweenNames);
    RecentFile& recent = found.emplace_back();
    recent.key = entry;
    for (const QString& name : names) recent.files.emplace_back(name.toStdString());
    const QString first = shown(names.front().toStdString());
    recent.text =
        names.size() == 1 ? first : tr("%1 and %2 more").arg(first, QString::number(names.size() - 1));
  }
  return found;
}

void FileCommands::fillRecent(QMenu& menu) {
  menu.clear();
  for (const RecentFile& recent : this->recent())
    menu.addAction(menuText(recent.text), this, [this, files = recent.files] { open(files); })
        ->setToolTip(tipOf(recent.text));
  if (menu.isEmpty()) menu.addAction(tr("(none)"))->setEnabled(false);
}

bool FileCommands::offerRestore() {
  for (const Leftover& leftover : document_.leftovers()) {
    const QString time = QLocale().toString(
        QFileInfo(QString::fromStdString(leftover.file.string())).lastModified(), QLocale::ShortFormat);
    QMessageBox box(QMessageBox::Question, tr("Restore"),
                    tr("The last session ended unexpectedly. Restore the autosaved state of %1 (%2)?")
                        .arg(nameOf(leftover), time),
                    QMessageBox::NoButton, &window_);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(tr(
        "If you discard it, what you changed since you last saved is lost. Later, File > Restore work asks "
        "again."));
    QPushButton* restore = box.addButton(tr("&Restore"), QMessageBox::AcceptRole);
    QPushButton* discard = box.addButton(tr("&Discard the autosaved state"), QMessageBox::DestructiveRole);
    QPushButton* later = box.addButton(tr("&Later"), QMessageBox::RejectRole);
    box.setDefaultButton(restore);
    box.setEscapeButton(later);  // closing the question decides nothing
    box.exec();
    if (box.clickedButton() == restore) {
      auto located = locateModels(leftover.file, leftover.original.parent_path());
      if (!located) continue;
      document_.restore(leftover, std::move(*located));
      return true;
    }
    if (box.clickedButton() == discard) Autosave::remove(leftover);
  }
  return false;
}

void FileCommands::tellOfLeftovers() {
  // Opening a model clears earlier messages.
  if (document_.hasJob()) {
    connect(&document_, &Document::jobEnded, this, &FileCommands::tellOfLeftovers, Qt::SingleShotConnection);
    return;
  }
  if (document_.leftovers().empty()) return;
  const QString before = window_.errorText();
  window_.tell((before.isEmpty() ? QString() : before + QLatin1Char('\n')) +
               tr("An earlier session ended unexpectedly. File > Restore work opens what it had not saved."));
}

bool FileCommands::mayClose() {
  if (!document_.isModified()) return true;
  const Session& session = *document_.session();
  const std::filesystem::path& project = document_.projectFile();
  QStringList lines;
  const QStringList changes = lastChanges(session);
  if (!changes.isEmpty()) lines << tr("The last changes: %1.").arg(changes.join(tr(", ")));
  lines << (project.empty() ? tr("You are asked for the name of a project; the model itself is not changed.")
                            : tr("They would be saved in %1").arg(shown(project.string())));
  QMessageBox box(
      QMessageBox::Question, tr("Save?"),
      tr("Save your changes to %1?")
          .arg(shown(project.empty() ? shortName(session.modelFiles()) : project.filename().string())),
      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
  box.setTextFormat(Qt::PlainText);
  box.setInformativeText(lines.join(QLatin1Char('\n')));
  box.button(QMessageBox::Discard)->setText(tr("&Discard the changes"));
  box.setDefaultButton(QMessageBox::Save);
  box.exec();
  const QMessageBox::StandardButton answer = box.standardButton(box.clickedButton());
  return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save(false));
}

}  // namespace fitup::viewer
