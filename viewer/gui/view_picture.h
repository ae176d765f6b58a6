#pragma once

#include <optional>

#include <QImage>
#include <QSize>
#include <QString>

namespace fitup::viewer {

/// A picture of the view to be saved or copied.
struct ViewPicture {
  QSize size;                ///< in pixels; empty: that of the view
  bool transparent = false;  ///< where there is no part
  bool labels = true;        ///< measurements and the legend of colours
  /// The largest number of pixels, and the longest side, which OpenGL in software can draw.
  static constexpr int mostPixels = 40'000'000, longest = 16'384;
};

/// Makes a picture with transparency from one in front of black and the same in front of white: what is alike
/// in both is opaque, and the difference is how much shines through.
QImage clearedOf(const QImage& onBlack, const QImage& onWhite);

/// Writes a picture atomically. Throws InputError for an extension that is not that of a picture, or of one
/// that cannot be transparent while the picture is, and FileError.
void writeImage(const QImage& image, const QString& file);

/// What the user wants to do with a picture.
struct PictureWish {
  ViewPicture picture;
  bool copies = false;  ///< to the clipboard; otherwise to a file
};
/// Asks for the size and the background of a picture; `present` is the size of the view in pixels. Returns
/// nothing if the user cancels.
std::optional<PictureWish> askForPicture(QWidget* parent, const QSize& present);

}  // namespace fitup::viewer
