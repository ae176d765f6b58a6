#include <viewer/gui/language.h>

#include <cstring>

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QVariant>

#include <viewer/core/named.h>

#ifdef FITUP_HAS_TRANSLATIONS
// The linker drops resources of a static library that nothing names. The macro must be outside of namespaces.
static void loadTexts() { Q_INIT_RESOURCE(translations); }
#else
static void loadTexts() {}
#endif

namespace fitup::viewer {
namespace {

// Kept at the application, so that it ends with it.
const char* const chosenProperty = "fitup language";

/// The window's texts in German. The file of texts has no contexts: a text means the same everywhere.
class OwnTexts : public QTranslator {
 public:
  QString translate(const char* context, const char* text, const char*, int) const override {
    constexpr const char* ours = "fitup::viewer";
    return std::strncmp(context, ours, std::strlen(ours)) == 0 ? QTranslator::translate("", text) : QString();
  }
};

class PseudoTexts : public QTranslator {
 public:
  QString translate(const char*, const char* text, const char*, int) const override {
    return pseudoText(QString::fromUtf8(text));
  }
  [[nodiscard]] bool isEmpty() const override { return false; }
};

QChar accented(QChar letter) {
  static const QString plain = QStringLiteral("AaCcDdEeGgIiLlNnOoRrSsTtUuYyZz"),
                       accents = QStringLiteral("ÅáÇçĎďÉéĞğÎîĹĺÑñÖöŘřŠšŢťÛûÝýŽž");
  const qsizetype at = plain.indexOf(letter);
  return at < 0 ? letter : accents[at];
}

}  // namespace

std::string_view name(Language language) noexcept {
  switch (language) {
    case Language::system:
      return "system";
    case Language::english:
      return "en";
    case Language::german:
      return "de";
    case Language::pseudo:
      return "pseudo";
  }
  return {};
}

std::optional<Language> languageFromName(std::string_view text) noexcept { return named(allLanguages, text); }

QString pseudoText(const QString& text) {
  if (text.trimmed().isEmpty()) return text;
  static const QRegularExpression kept(QStringLiteral("%L?[0-9n]+|\\*\\.\\w+|<[^>]*>|&\\w+;"));
  QString changed;
  qsizetype done = 0, letters = 0;
  const auto change = [&](qsizetype end) {
    for (; done < end; ++done) {
      if (text[done].isLetter()) ++letters;
      changed += accented(text[done]);
    }
  };
  for (auto matches = kept.globalMatch(text); matches.hasNext();) {
    const QRegularExpressionMatch match = matches.next();
    change(match.capturedStart());
    changed += match.captured();
    done = match.capturedEnd();
  }
  change(text.size());
  // German takes about a third more room than English.
  return QChar(u'⟦') + changed + QString((letters + 2) / 3, QLatin1Char('~')) + QChar(u'⟧');
}

Translation::Translation(Language language) {
  if (language == Language::system)
    language = QLocale::system().language() == QLocale::German ? Language::german : Language::english;
  if (language == Language::pseudo) installed_.push_back(std::make_unique<PseudoTexts>());
  if (language == Language::german) {
    auto ofQt = std::make_unique<QTranslator>();
    if (ofQt->load(QStringLiteral("qtbase_de"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
      installed_.push_back(std::move(ofQt));
    loadTexts();
    auto own = std::make_unique<OwnTexts>();
    if (own->load(QStringLiteral(":/translations/de.qm"))) installed_.push_back(std::move(own));
  }
  for (const auto& each : installed_) QCoreApplication::installTranslator(each.get());
}

Translation::~Translation() {
  for (const auto& each : installed_) QCoreApplication::removeTranslator(each.get());
}

Language chosenLanguage() { return static_cast<Language>(qApp->property(chosenProperty).toInt()); }

void chooseLanguage(Language language) { qApp->setProperty(chosenProperty, static_cast<int>(language)); }

}  // namespace fitup::viewer
