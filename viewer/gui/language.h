#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <QString>
#include <QTranslator>

namespace fitup::viewer {

/// The language of the window's texts. `system`: German where the system's is German, otherwise English.
/// `pseudo` is for translators: each text that can be translated is longer, has accents and stands in ⟦ ⟧, so
/// that one that cannot be, or that does not fit, is seen at once.
enum class Language { system, english, german, pseudo };
inline constexpr std::array allLanguages{Language::system, Language::english, Language::german,
                                         Language::pseudo};
/// "system", "en", "de", "pseudo", and back.
std::string_view name(Language language) noexcept;
std::optional<Language> languageFromName(std::string_view text) noexcept;

/// Returns a text as the pseudo language shows it. Places for values (%1), mnemonics (&), patterns of files
/// (*.step) and tags of rich text stay as they are.
QString pseudoText(const QString& text);

/// Translates all texts, also Qt's own, while it lives. Texts that are already shown stay as they are, so it
/// is made before the first window. Needs the QApplication.
class Translation {
 public:
  explicit Translation(Language language);
  Translation(const Translation&) = delete;
  Translation& operator=(const Translation&) = delete;
  ~Translation();

 private:
  std::vector<std::unique_ptr<QTranslator>> installed_;
};

/// The language that the user chose for the next start; `system` at first. Needs the QApplication.
Language chosenLanguage();
void chooseLanguage(Language language);

}  // namespace fitup::viewer
