#include <viewer/gui/thumbnails.h>

#include <QBuffer>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QImageReader>
#include <QStandardPaths>

#include <fitup/base/error.h>
#include <fitup/io/atomic_file.h>

namespace fitup::viewer {

QString Thumbnails::userFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
         QStringLiteral("/fitup-viewer/thumbnails");
}

QString Thumbnails::fileOf(const QString& key) const {
  const QByteArray digest = QCryptographicHash::hash(key.toUtf8(), QCryptographicHash::Sha256).toHex();
  return folder_ + '/' + QString::fromLatin1(digest) + QStringLiteral(".png");
}

void Thumbnails::keep(const QString& key, const QImage& picture) const {
  if (picture.isNull() || !QDir().mkpath(folder_)) return;
  // Models are not everyone's business.
  QFile::setPermissions(folder_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  const QImage large =
      picture.scaled(width, height, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
  QImage small = large.copy((large.width() - width) / 2, (large.height() - height) / 2, width, height);
  small.setDevicePixelRatio(1);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!small.save(&buffer, "png")) return;
  try {
    writeFileAtomically(fileOf(key).toStdString(),
                        [&](std::ostream& out) { out.write(bytes.constData(), bytes.size()); });
  } catch (const Error&) {
    // The start page shows a sheet in its place.
  }
}

QImage Thumbnails::of(const QString& key) const {
  QImageReader reader(fileOf(key), "png");
  // Nothing else was stored.
  return reader.size() == QSize(width, height) ? reader.read() : QImage();
}

void Thumbnails::keepOnly(const QStringList& keys) const {
  QStringList kept;
  for (const QString& key : keys) kept.append(QDir(folder_).relativeFilePath(fileOf(key)));
  QDir folder(folder_);
  for (const QString& file : folder.entryList({QStringLiteral("*.png")}, QDir::Files))
    if (!kept.contains(file)) folder.remove(file);
}

}  // namespace fitup::viewer
