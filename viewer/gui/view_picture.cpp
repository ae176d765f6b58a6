#include <viewer/gui/view_picture.h>

#include <algorithm>

#include <QBuffer>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QImageWriter>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <fitup/base/error.h>
#include <fitup/io/atomic_file.h>
#include <viewer/gui/number_field.h>

namespace fitup::viewer {
namespace {

class PictureDialog : public QDialog {
  Q_DECLARE_TR_FUNCTIONS(PictureDialog)

 public:
  PictureDialog(QWidget* parent, const QSize& present) : QDialog(parent), present_(present) {
    setObjectName(QStringLiteral("picture"));
    setWindowTitle(tr("Picture of the view"));
    auto* form = new QFormLayout;
    for (const double factor : {1.0, 2.0, 4.0})
      scale_->addItem(factor == 1 ? tr("as in the window") : tr("%1 times as large").arg(factor), factor);
    scale_->addItem(tr("other"), 0.0);
    scale_->setObjectName(QStringLiteral("scale"));
    form->addRow(tr("Size"), scale_);
    for (CountField* field : {width_, height_}) {
      field->setRange(16, ViewPicture::longest);
      field->setSuffix(tr(" pixels"));
      connect(field, &QSpinBox::valueChanged, this, [this] { refresh(); });
    }
    width_->setObjectName(QStringLiteral("width"));
    height_->setObjectName(QStringLiteral("height"));
    form->addRow(tr("Width"), width_);
    form->addRow(tr("Height"), height_);
    transparent_->setObjectName(QStringLiteral("transparent"));
    form->addRow(transparent_);
    labels_->setChecked(true);
    form->addRow(labels_);
    problem_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    save_ = buttons->button(QDialogButtonBox::Save);
    save_->setText(tr("Save..."));
    copy_ = buttons->addButton(tr("Copy"), QDialogButtonBox::AcceptRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(copy_, &QPushButton::clicked, this, [this] { copies_ = true; });
    connect(scale_, &QComboBox::currentIndexChanged, this, [this] { applyScale(); });
    auto* all = new QVBoxLayout(this);
    all->addLayout(form);
    all->addWidget(problem_);
    all->addWidget(buttons);
    applyScale();
  }

  [[nodiscard]] PictureWish wish() const {
    return {{QSize(width_->value(), height_->value()), transparent_->isChecked(), labels_->isChecked()},
            copies_};
  }

 private:
  void applyScale() {
    const double factor = scale_->currentData().toDouble();
    for (CountField* field : {width_, height_}) field->setEnabled(factor == 0);
    if (factor > 0) {
      width_->setValue(static_cast<int>(factor * present_.width()));
      height_->setValue(static_cast<int>(factor * present_.height()));
    }
    refresh();
  }
  void refresh() {
    const bool isPossible = qint64{width_->value()} * height_->value() <= ViewPicture::mostPixels;
    problem_->setText(isPossible ? QString() : tr("A picture can have at most 40 million pixels."));
    save_->setEnabled(isPossible);
    copy_->setEnabled(isPossible);
  }

  QSize present_;
  QComboBox* scale_ = new QComboBox;
  CountField *width_ = new CountField, *height_ = new CountField;
  QCheckBox* transparent_ = new QCheckBox(tr("Transparent background"));
  QCheckBox* labels_ = new QCheckBox(tr("With measurements and legend"));
  QLabel* problem_ = new QLabel;
  QPushButton *save_ = nullptr, *copy_ = nullptr;
  bool copies_ = false;
};

}  // namespace

QImage clearedOf(const QImage& onBlack, const QImage& onWhite) {
  QImage image(onBlack.size(), QImage::Format_ARGB32_Premultiplied);
  for (int y = 0; y < image.height(); ++y) {
    const auto* black = reinterpret_cast<const QRgb*>(onBlack.constScanLine(y));
    const auto* white = reinterpret_cast<const QRgb*>(onWhite.constScanLine(y));
    auto* pixel = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < image.width(); ++x) {
      const int clear = std::max({qRed(white[x]) - qRed(black[x]), qGreen(white[x]) - qGreen(black[x]),
                                  qBlue(white[x]) - qBlue(black[x]), 0});
      const int alpha = 255 - clear;
      // Rounding may leave a premultiplied colour above its alpha.
      pixel[x] = qRgba(std::min(qRed(black[x]), alpha), std::min(qGreen(black[x]), alpha),
                       std::min(qBlue(black[x]), alpha), alpha);
    }
  }
  return image;
}

std::optional<PictureWish> askForPicture(QWidget* parent, const QSize& present) {
  PictureDialog dialog(parent, present);
  if (dialog.exec() != QDialog::Accepted) return std::nullopt;
  return dialog.wish();
}

void writeImage(const QImage& image, const QString& file) {
  const QByteArray format = QFileInfo(file).suffix().toLatin1().toLower();
  const std::string extension = "extension '" + format.toStdString() + "'";
  if (!QImageWriter::supportedImageFormats().contains(format))
    throw InputError(file.toStdString(), extension,
                     "pictures can be written as .png, .jpg and other image formats");
  if (image.hasAlphaChannel() && (format == "jpg" || format == "jpeg" || format == "bmp" || format == "ppm"))
    throw InputError(file.toStdString(), extension, "cannot be transparent; .png can");
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!image.save(&buffer, format.constData())) throw FileError(file.toStdString() + ": cannot be written");
  writeFileAtomically(file.toStdString(),
                      [&](std::ostream& out) { out.write(bytes.constData(), bytes.size()); });
}

}  // namespace fitup::viewer
