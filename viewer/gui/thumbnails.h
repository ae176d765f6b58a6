#pragma once

#include <QImage>
#include <QString>
#include <QStringList>

namespace fitup::viewer {

/// Small pictures of files that were open, in the user's cache folder; never beside the files. A picture's
/// name is a digest of the file's path. Whoever removes the folder loses only pictures.
class Thumbnails {
 public:
  static constexpr int width = 256, height = 192;

  /// The folder of this user.
  static QString userFolder();
  explicit Thumbnails(QString folder = userFolder()) : folder_(std::move(folder)) {}

  /// Stores the middle of a picture. `key` as in `RecentFile`. Pictures are no reason to fail: nothing
  /// happens if the folder cannot be written.
  void keep(const QString& key, const QImage& picture) const;
  /// Null if there is none.
  [[nodiscard]] QImage of(const QString& key) const;
  /// Removes the pictures of all other keys.
  void keepOnly(const QStringList& keys) const;
  [[nodiscard]] QString fileOf(const QString& key) const;

 private:
  QString folder_;
};

}  // namespace fitup::viewer
