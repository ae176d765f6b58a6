#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <QObject>

#include <fitup/planning/swept_volume.h>

namespace fitup::viewer {

class Document;

/// The surface around everything that the motion of the time line reaches. It goes with the motion. Functions
/// and signals are for the GUI thread.
class ShownSweep : public QObject {
  Q_OBJECT

 public:
  explicit ShownSweep(Document& document);

  /// The accuracy that is taken unless another one is asked for, in the model's unit: a surface for the eye.
  /// Precondition: there is a motion.
  [[nodiscard]] double usualAccuracy() const;
  /// Shows the surface of the present motion; it is made in the background if there is none of this accuracy.
  /// Precondition: there is a motion. Throws InputError for an accuracy that is not above 0.
  void show(const std::optional<double>& accuracy = {});
  void hide();
  [[nodiscard]] bool isShown() const noexcept { return isWanted_ && swept_; }
  /// Null if none was made for the present motion.
  [[nodiscard]] const SweptVolume* swept() const noexcept { return swept_ ? &*swept_ : nullptr; }
  /// Writes the surface as a model, by the file's extension. Reports by `failed` and `saved` of the document.
  void save(const std::filesystem::path& file);
  /// Those of the formats in which it can be saved, as `extensionList`.
  [[nodiscard]] static std::string extensions(std::string_view between, std::string_view last);

 signals:
  void changed();
  void made(const QString& text);  ///< a surface was made: its volume and accuracy

 private:
  void follow();

  Document& document_;
  std::shared_ptr<const Track> of_;
  std::optional<SweptVolume> swept_;
  bool isWanted_ = false;
};

}  // namespace fitup::viewer
