#include <viewer/gui/import_dialog.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <span>
#include <string_view>

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <viewer/gui/number_field.h>

namespace fitup::viewer {
namespace {

constexpr double degree = std::numbers::pi / 180;

class ImportDialog : public QDialog {
  Q_DECLARE_TR_FUNCTIONS(fitup::viewer::ImportDialog)

 public:
  ImportDialog(QWidget* parent, const std::vector<std::filesystem::path>& files,
               const ImportSettings& settings)
      : QDialog(parent), before_(settings) {
    setWindowTitle(tr("Import settings"));
    setObjectName(QStringLiteral("importSettings"));
    const auto any = [&](FileFamily family) {
      return std::any_of(files.begin(), files.end(),
                         [&](const auto& f) { return fileFamilyOf(f) == family; });
    };
    const bool cad = any(FileFamily::cad), mesh = any(FileFamily::mesh), osg = any(FileFamily::osg);
    auto* all = new QVBoxLayout(this);
    all->addWidget(new QLabel(
        cad || mesh || osg
            ? tr("The model is read again. Your work on it is kept, but earlier changes cannot be undone.")
            : tr("A model file (.fitup) keeps the settings it was made with. To change them, open its "
                 "source.")));
    all->addWidget(cadBox(cad));
    all->addWidget(meshBox(mesh || osg, mesh, osg));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Read again"));
    buttons->button(QDialogButtonBox::Ok)->setEnabled(cad || mesh || osg);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    all->addWidget(buttons);
    linearShown_ = linear_->value();
    relativeShown_ = relative_->value();
    angularShown_ = angular_->value();
    patchesShown_ = patches_->value();
    recogniseShown_ = recognise_->value();
  }

  [[nodiscard]] ImportSettings settings() const {
    ImportSettings settings = before_;
    // The shown values are rounded, so only those that the user changed are taken.
    if (linear_->value() != linearShown_) settings.linearDeflection = linear_->value();
    if (relative_->value() != relativeShown_) settings.relativeDeflection = relative_->value() / 100;
    if (angular_->value() != angularShown_) settings.angularDeflection = angular_->value() * degree;
    settings.mergeSolids = !solids_->isChecked();
    settings.encoding =
        encoding_->currentIndex() > 0 ? encoding_->currentText().toStdString() : std::string();
    settings.unit = unit_->currentText().toStdString();
    settings.upAxis = upAxisFromName(up_->currentText().toStdString()).value_or(before_.upAxis);
    settings.sceneSurfaces = static_cast<SceneSurfaces>(scene_->currentIndex());
    if (recognise_->value() != recogniseShown_)
      settings.recogniseWithin = recognise_->value() > 0 ? std::optional(recognise_->value()) : std::nullopt;
    if (!split_->isChecked() && settings.sceneSurfaces != SceneSurfaces::smoothPatches)
      settings.segmentationAngle.reset();
    else if (!before_.segmentationAngle || patches_->value() != patchesShown_)
      settings.segmentationAngle = patches_->value();
    return settings;
  }

 private:
  QWidget* cadBox(bool matters) {
    auto* box = new QGroupBox(tr("STEP, IGES"));
    auto* form = new QFormLayout(box);
    linear_ = spin(form, tr("Chord error"), QStringLiteral(" mm"), 0.0001, 1000, 4, before_.linearDeflection);
    linear_->setObjectName(QStringLiteral("linear"));
    linear_->setToolTip(
        tr("Largest distance between triangles and the surface. Smaller: finer meshes, slower checks"));
    relative_ = spin(form, tr("Chord error, share of a part's size"), QStringLiteral(" %"), 0, 100, 3,
                     before_.relativeDeflection * 100);
    relative_->setObjectName(QStringLiteral("relative"));
    relative_->setToolTip(tr(
        "Makes small parts finer: the smaller of the two chord errors applies; 0: the same for all parts"));
    angular_ = spin(form, tr("Angle between facets"), QStringLiteral(" °"), 0.1, 180, 2,
                    before_.angularDeflection / degree);
    angular_->setObjectName(QStringLiteral("angular"));
    solids_ = new QCheckBox(tr("One part for each solid of a product"));
    solids_->setObjectName(QStringLiteral("solids"));
    solids_->setToolTip(tr("If off, interference between the solids of a product is not checked"));
    solids_->setChecked(!before_.mergeSolids);
    form->addRow(solids_);
    std::vector<std::string_view> encodings{"automatic"};
    encodings.insert(encodings.end(), textEncodings.begin(), textEncodings.end());
    encoding_ = choice(form, tr("Encoding of names"), encodings,
                       before_.encoding.empty() ? encodings.front() : before_.encoding);
    encoding_->setObjectName(QStringLiteral("encoding"));
    box->setEnabled(matters);
    return box;
  }
  QWidget* meshBox(bool matters, bool mayBeSplit, bool isScene) {
    auto* box = new QGroupBox(tr("Meshes, OpenSceneGraph files"));
    auto* form = new QFormLayout(box);
    unit_ = choice(form, tr("Unit of the file"), lengthUnits, before_.unit);
    unit_->setObjectName(QStringLiteral("unit"));
    unit_->setToolTip(tr("glTF is always in metres"));
    up_ = choice(form, tr("Axis that points up"),
                 std::array{name(UpAxis::x), name(UpAxis::y), name(UpAxis::z)}, name(before_.upAxis));
    up_->setObjectName(QStringLiteral("up"));
    split_ = new QCheckBox(tr("Split meshes into smooth faces"));
    split_->setObjectName(QStringLiteral("split"));
    split_->setChecked(before_.segmentationAngle.has_value());
    split_->setEnabled(mayBeSplit);
    form->addRow(split_);
    scene_ = new QComboBox;
    scene_->setObjectName(QStringLiteral("scene"));
    scene_->addItems({tr("drawables"), tr("primitive sets"), tr("smooth patches of drawables")});
    scene_->setCurrentIndex(static_cast<int>(before_.sceneSurfaces));
    scene_->setEnabled(isScene);
    form->addRow(tr("Faces of scenes"), scene_);
    patches_ = spin(form, tr("Largest angle within a face"), QStringLiteral(" °"), 0, 180, 2,
                    before_.segmentationAngle.value_or(*ImportSettings{}.segmentationAngle));
    patches_->setObjectName(QStringLiteral("segment"));
    recognise_ = spin(form, tr("Recognise shapes within"), QStringLiteral(" mm"), 0, 1000, 4,
                      before_.recogniseWithin.value_or(0));
    recognise_->setObjectName(QStringLiteral("recognise"));
    recognise_->setSpecialValueText(tr("off"));
    recognise_->setToolTip(
        tr("Takes faces that are planes, cylinders, cones or spheres within this distance for these shapes, "
           "so that tolerances can be far below the size of their facets"));
    const auto enable = [this, mayBeSplit, isScene] {
      patches_->setEnabled(
          (mayBeSplit && split_->isChecked()) ||
          (isScene && scene_->currentIndex() == static_cast<int>(SceneSurfaces::smoothPatches)));
    };
    enable();
    connect(split_, &QCheckBox::toggled, this, enable);
    connect(scene_, &QComboBox::currentIndexChanged, this, enable);
    box->setEnabled(matters);
    return box;
  }
  static NumberField* spin(QFormLayout* form, const QString& label, const QString& suffix, double least,
                           double most, int decimals, double value) {
    auto* box = new NumberField;
    box->setDecimals(decimals);
    box->setRange(least, most);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setSuffix(suffix);
    box->setValue(value);
    form->addRow(label, box);
    return box;
  }
  static QComboBox* choice(QFormLayout* form, const QString& label, std::span<const std::string_view> names,
                           std::string_view chosen) {
    const auto text = [](std::string_view name) {
      return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    };
    auto* box = new QComboBox;
    for (const std::string_view name : names) box->addItem(text(name));
    box->setCurrentText(text(chosen));
    form->addRow(label, box);
    return box;
  }

  ImportSettings before_;
  NumberField *linear_ = nullptr, *relative_ = nullptr, *angular_ = nullptr, *patches_ = nullptr,
              *recognise_ = nullptr;
  QComboBox *encoding_ = nullptr, *unit_ = nullptr, *up_ = nullptr, *scene_ = nullptr;
  QCheckBox *solids_ = nullptr, *split_ = nullptr;
  double linearShown_ = 0, relativeShown_ = 0, angularShown_ = 0, patchesShown_ = 0, recogniseShown_ = 0;
};

}  // namespace

std::optional<ImportSettings> askImportSettings(QWidget* parent,
                                                const std::vector<std::filesystem::path>& files,
                                                ImportSettings settings) {
  ImportDialog dialog(parent, files, settings);
  if (dialog.exec() != QDialog::Accepted || dialog.settings() == settings) return std::nullopt;
  return dialog.settings();
}

}  // namespace fitup::viewer
