#include <viewer/gui/about_dialog.h>

#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

#include <boost/version.hpp>
#include <osg/Version>

#include <fitup/base/version.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

struct Library {
  QString name, version, purpose, licence;
};

QString boostVersion() {
  return QStringLiteral("%1.%2.%3")
      .arg(BOOST_VERSION / 100000)
      .arg(BOOST_VERSION / 100 % 1000)
      .arg(BOOST_VERSION % 100);
}

/// Libraries whose version is not known here have none: importers are programs of their own.
std::vector<Library> libraries() {
#ifdef FITUP_OPENCASCADE_VERSION
  const QString openCascade = QStringLiteral(FITUP_OPENCASCADE_VERSION);
#else
  const QString openCascade;
#endif
  return {{QStringLiteral("Qt"), QString::fromLatin1(qVersion()), tr("the window"), tr("LGPL 3")},
          {QStringLiteral("OpenSceneGraph"), QString::fromLatin1(osgGetVersion()), tr("the view"),
           tr("OSGPL (LGPL with exceptions)")},
          {QStringLiteral("Open CASCADE"), openCascade, tr("STEP, IGES and BREP files"),
           tr("LGPL 2.1 with an exception")},
          {QStringLiteral("Assimp"), {}, tr("other mesh files"), tr("BSD, 3 clauses")},
          {QStringLiteral("Boost"), boostVersion(), tr("arithmetic"), tr("Boost Software License 1.0")},
          {QStringLiteral("oneTBB"), {}, tr("threads"), tr("Apache 2.0")},
          {QStringLiteral("Highway"), {}, tr("vector instructions"), tr("Apache 2.0")},
          {QStringLiteral("Qhull"), {}, tr("convex hulls"), tr("Qhull licence")},
          {QStringLiteral("OpenSSL"), {}, tr("digests of files"), tr("Apache 2.0")},
          {QStringLiteral("JSON for Modern C++"), {}, tr("projects and reports"), tr("MIT")},
          {QStringLiteral("Embree"), {}, tr("pictures of reports"), tr("Apache 2.0")},
          {QStringLiteral("libjpeg-turbo"), {}, tr("pictures of reports"), tr("BSD, 3 clauses, and IJG")}};
}

QTableWidget* makeTable() {
  const std::vector<Library> all = libraries();
  auto* table = new QTableWidget(static_cast<int>(all.size()), 4);
  table->setHorizontalHeaderLabels({tr("Library"), tr("Version"), tr("For"), tr("Licence")});
  table->setAccessibleName(tr("Libraries and their licences"));
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setShowGrid(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  table->setFocusPolicy(Qt::ClickFocus);
  for (int row = 0; row < table->rowCount(); ++row) {
    const Library& library = all[static_cast<std::size_t>(row)];
    int column = 0;
    for (const QString& text : {library.name, library.version, library.purpose, library.licence})
      table->setItem(row, column++, new QTableWidgetItem(text));
  }
  table->resizeColumnsToContents();
  table->horizontalHeader()->setStretchLastSection(true);
  return table;
}

}  // namespace

void showAbout(QWidget* parent) {
  QDialog dialog(parent);
  dialog.setObjectName(QStringLiteral("about"));
  dialog.setWindowTitle(tr("About Fitup"));
  dialog.resize(620, 480);
  auto* name = new QLabel(tr("Fitup %1").arg(QString::fromStdString(std::string(version))));
  QFont large = name->font();
  large.setPointSizeF(1.6 * large.pointSizeF());
  large.setBold(true);
  name->setFont(large);
  auto* about = new QLabel(
      tr("Moves the parts of an assembly and shows what they hit.\nLicence of Fitup: MIT. It uses these "
         "libraries, as far as they were there when it was built:"));
  about->setWordWrap(true);
  for (QLabel* label : {name, about}) label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  auto* all = new QVBoxLayout(&dialog);
  all->addWidget(name);
  all->addWidget(about);
  all->addWidget(makeTable(), 1);
  all->addWidget(buttons);
  dialog.exec();
}

}  // namespace fitup::viewer
