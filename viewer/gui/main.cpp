// The window: fitup-viewer [FILE...] [TRACK...]
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <optional>

#include <QApplication>
#include <QCommandLineParser>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QTimer>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <fitup/base/version.h>
#include <fitup/io/formats.h>
#include <fitup/io/track_file.h>
#include <viewer/gui/command_script.h>
#include <viewer/gui/end_signals.h>
#include <viewer/gui/language.h>
#include <viewer/gui/main_window.h>
#include <viewer/gui/opening.h>
#include <viewer/gui/remembered_settings.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/script_words.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/theme.h>

using namespace fitup::viewer;

namespace {

std::optional<QSize> sizeFrom(const QString& text) {
  const QStringList sides = text.split('x');
  bool widthIsNumber = false, heightIsNumber = false;
  if (sides.size() != 2) return std::nullopt;
  const QSize size(sides[0].toInt(&widthIsNumber), sides[1].toInt(&heightIsNumber));
  if (!widthIsNumber || !heightIsNumber || size.width() < 200 || size.height() < 200) return std::nullopt;
  return size;
}

/// Returns the longest side, in pixels, of a picture that OpenGL can draw here.
int longestSide() {
  QOffscreenSurface surface;
  surface.create();
  QOpenGLContext context;
  if (!context.create() || !context.makeCurrent(&surface))
    return 4096;  // unknown; this size works everywhere
  GLint texture = 0, buffer = 0, viewport[2] = {};
  context.functions()->glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
  context.functions()->glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &buffer);
  context.functions()->glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  return std::min({texture, buffer, viewport[0], viewport[1]});
}

/// Returns why a size of the window is impossible; empty if it is possible. Buffers of larger sizes cannot be
/// made: pictures are blank, or the program ends.
QString problemOf(const QSize& size, double pixelRatio) {
  // Each pixel takes some 120 bytes: several samples of colour and depth, copies in the window and the
  // picture.
  constexpr double mostPixels = 40e6;
  const double longest = longestSide(), width = size.width() * pixelRatio,
               height = size.height() * pixelRatio;
  if (std::max(width, height) > longest)
    return QStringLiteral("at most %1 pixels per side can be drawn here").arg(longest, 0, 'f', 0);
  if (width * height > mostPixels)
    return QStringLiteral("at most %1 million pixels can be drawn").arg(mostPixels / 1e6, 0, 'f', 0);
  return {};
}

int fail(const QString& message) {
  std::fprintf(stderr, "fitup-viewer: %s\n", fitup::escapedLines(message.toStdString()).c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of file sizes becomes an error of the write
  QCoreApplication::setOrganizationName("fitup");
  QCoreApplication::setApplicationName("fitup-viewer");
  QCoreApplication::setApplicationVersion(QString::fromStdString(std::string(fitup::version)));

  QCommandLineParser parser;
  parser.setApplicationDescription("Move parts of an assembly and see what they hit.");
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument("file",
                               shown("Model (" + fitup::extensionList([](const fitup::FileFormat& format) {
                                       return format.isModel();
                                     }) +
                                     "), or several as one, or project (.fitup-project)."),
                               "[FILE...]");
  parser.addPositionalArgument("track", shown("Motions to replay: " + fitup::trackExtensions() + '.'),
                               "[TRACK...]");
  const QCommandLineOption screenshot("screenshot", "Write a picture of the window and exit.", "FILE");
  const QCommandLineOption size("size", "Size of the window, such as 1280x800.", "WxH");
  const QCommandLineOption script("script", "Run the commands of a file and exit.", "FILE");
  const QCommandLineOption root(
      "root", "Folder that files referred to must be in (default: each file's own folder).", "DIR");
  const QCommandLineOption language(
      "language",
      "Language of the window: system, en, de, or pseudo, which shows texts that cannot be translated.",
      "LANGUAGE");
  parser.addOptions({screenshot, size, script, root, language});
  QStringList given;
  for (int i = 0; i < argc; ++i) given.append(QString::fromLocal8Bit(argv[i]));
  // Options that only print need no display. Help comes from this program alone; Qt's own options are errors
  // here.
  if (parser.parse(given) && (parser.isSet("help") || parser.isSet("help-all") || parser.isSet("version"))) {
    const QCoreApplication headless(argc, argv);
    parser.process(headless);
  }
  SceneView::prepareApplication();
  QApplication app(argc, argv);
  parser.process(app);

  std::vector<std::string> opening, lines;
  std::vector<std::filesystem::path> files;
  std::string source = "command line";
  const bool runsScript = parser.isSet(script) || parser.isSet(screenshot);
  for (const QString& file : parser.positionalArguments()) files.emplace_back(file.toStdString());
  if (runsScript && !files.empty()) {
    std::string line = "open";
    for (const std::filesystem::path& file : files) line += " " + quotedWord(file.string());
    opening.push_back(std::move(line));
  }
  try {
    if (parser.isSet(script)) {
      source = parser.value(script).toStdString();
      lines = CommandScript::read(source);
    }
  } catch (const fitup::Error& error) {
    return fail(error.what());
  }
  if (parser.isSet(screenshot))
    lines.push_back("screenshot " + quotedWord(parser.value(screenshot).toStdString()));

  // Scripts and their pictures do not depend on who runs them.
  Language wanted = runsScript ? Language::english : recalledLanguage();
  if (parser.isSet(language)) {
    const std::string word = parser.value(language).toStdString();
    const std::optional<Language> named = languageFromName(word);
    if (!named) return fail("--language " + shown(word) + ": expected system, en, de or pseudo");
    wanted = *named;
  }
  const Translation translation(wanted);
  prepareTheme();
  MainWindow window(!runsScript);
  if (parser.isSet(root)) window.document().setRoot(parser.value(root).toStdString());
  std::optional<QSize> wantedSize;
  if (parser.isSet(size)) {
    wantedSize = sizeFrom(parser.value(size));
    if (!wantedSize)
      return fail("--size " + parser.value(size) + ": expected WIDTHxHEIGHT, at least 200x200");
    if (const QString problem = problemOf(*wantedSize, app.devicePixelRatio()); !problem.isEmpty())
      return fail("--size " + parser.value(size) + ": " + problem);
    window.resize(*wantedSize);
  }
  window.show();
  if (const QSize is = window.size(); wantedSize && is != *wantedSize)
    std::fprintf(stderr, "fitup-viewer: --size %s: the window is %dx%d because its panels need this size\n",
                 qUtf8Printable(parser.value(size)), is.width(), is.height());
  CommandScript commands(window, opening, lines, source);
  int exitCode = 0;
  QObject::connect(&commands, &CommandScript::finished, &app, [&](const QString& error) {
    if (!runsScript) return;
    if (!error.isEmpty()) exitCode = fail(error);
    QApplication::exit(exitCode);
  });
  if (runsScript)
    commands.start();
  else
    QTimer::singleShot(0, &window, [&] {
      // Who names a file wants to see it, so nothing is asked first.
      if (files.empty()) {
        window.offerRestore();
      } else {
        window.open(files);
        window.tellOfLeftovers();
      }
    });
  EndSignals ends;
  QObject::connect(&ends, &EndSignals::received, &app, [&](int signal) {
    window.endWithoutAsking();
    exitCode = 128 + signal;  // as shells report it
    QApplication::exit(exitCode);
  });
  const int code = QApplication::exec();
  return exitCode != 0 ? exitCode : code;
}
