#include <viewer/gui/icons.h>

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

// The linker drops resources of a static library that nothing names. The macro must be outside of namespaces.
static void loadIcons() { Q_INIT_RESOURCE(icons); }

namespace fitup::viewer {
namespace {

QColor inkOf(QIcon::Mode mode) {
  const QPalette palette = QGuiApplication::palette();
  if (mode == QIcon::Disabled) return palette.color(QPalette::Disabled, QPalette::ButtonText);
  return palette.color(mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::ButtonText);
}

/// Draws an SVG file whose one colour is "currentColor".
class SvgIcon : public QIconEngine {
 public:
  explicit SvgIcon(QString file) : file_(std::move(file)) {}

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State /*state*/) override {
    const QColor ink = inkOf(mode);
    const QString key =
        QStringLiteral("%1 %2 %3 %4").arg(file_).arg(size.width()).arg(size.height()).arg(ink.rgba(), 0, 16);
    QPixmap picture;
    if (QPixmapCache::find(key, &picture)) return picture;
    QFile file(file_);
    if (!file.open(QIODevice::ReadOnly)) return {};
    QSvgRenderer svg(file.readAll().replace("currentColor", ink.name().toLatin1()));
    svg.setAspectRatioMode(Qt::KeepAspectRatio);
    picture = QPixmap(size);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    svg.render(&painter);
    painter.end();
    QPixmapCache::insert(key, picture);
    return picture;
  }

  void paint(QPainter* painter, const QRect& area, QIcon::Mode mode, QIcon::State state) override {
    painter->drawPixmap(area, pixmap(area.size() * painter->device()->devicePixelRatioF(), mode, state));
  }

  [[nodiscard]] QIconEngine* clone() const override { return new SvgIcon(file_); }

 private:
  QString file_;
};

}  // namespace

QIcon commandIcon(const std::string& id) {
  loadIcons();
  const QString file = QStringLiteral(":/icons/%1.svg")
                           .arg(QString::fromStdString(id).replace(QLatin1Char(' '), QLatin1Char('-')));
  return QFile::exists(file) ? QIcon(new SvgIcon(file)) : QIcon();
}

}  // namespace fitup::viewer
