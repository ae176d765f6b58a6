#include <viewer/gui/start_page.h>

#include <QAbstractButton>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <viewer/gui/commands.h>
#include <viewer/gui/file_commands.h>
#include <viewer/gui/samples.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/thumbnails.h>

// In a static library, they must be asked for.
static void initPictures() { Q_INIT_RESOURCE(pictures); }

namespace fitup::viewer {
namespace {

constexpr QSize pictureSize(144, 108);
constexpr int cardWidth = 164;

/// A sheet in place of a picture that does not exist yet.
QPixmap sheet(const QPalette& palette, const QString& text, double ratio) {
  QPixmap pixmap(pictureSize * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(palette.color(QPalette::AlternateBase));
  QPainter painter(&pixmap);
  QColor pen = palette.color(QPalette::Text);
  pen.setAlphaF(0.55F);
  painter.setPen(pen);
  QFont font = painter.font();
  font.setPixelSize(20);
  painter.setFont(font);
  painter.drawText(QRect({}, pictureSize), Qt::AlignCenter, text);
  pen.setAlphaF(0.3F);
  painter.setPen(pen);
  painter.drawRect(QRectF(0.5, 0.5, pictureSize.width() - 1, pictureSize.height() - 1));
  return pixmap;
}

QLabel* heading(const QString& text) {
  auto* label = new QLabel(text);
  QFont font = label->font();
  font.setBold(true);
  label->setFont(font);
  return label;
}

/// A dashed frame, into which files are dropped: the window takes them.
class DropTarget : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor colour = palette().color(QPalette::Text);
    colour.setAlphaF(0.35F);
    painter.setPen(QPen(colour, 1.5, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
  }
};

QPushButton* buttonOf(const Commands& commands, const char* id, const QString& text) {
  QAction& action = commands.action(id);
  auto* button = new QPushButton(text);
  button->setObjectName(QString::fromLatin1(id));
  button->setToolTip(action.toolTip());
  QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
  return button;
}

}  // namespace

StartPage::StartPage(MainWindow& window, QWidget& view)
    : QScrollArea(&view), window_(window), recent_(new FlowLayout(8)), samples_(new FlowLayout(8)) {
  initPictures();
  setObjectName(QStringLiteral("start"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAttribute(Qt::WA_NoMousePropagation);
  setAccessibleName(tr("Start page"));
  viewport()->setBackgroundRole(QPalette::Base);
  auto* page = new QWidget;
  page->setBackgroundRole(QPalette::Base);
  auto* all = new QVBoxLayout(page);
  all->setContentsMargins(20, 16, 20, 16);
  all->setSpacing(8);
  all->addWidget(makeHead());
  recentTitle_ = heading(tr("Recent files"));
  recentCards_ = new QWidget;
  recentCards_->setLayout(recent_);
  auto* sampleCards = new QWidget;
  sampleCards->setLayout(samples_);
  all->addWidget(recentTitle_);
  all->addWidget(recentCards_);
  all->addWidget(heading(tr("Samples")));
  all->addWidget(sampleCards);
  all->addStretch(1);
  setWidget(page);
  view.installEventFilter(this);
  setGeometry(view.rect());
  fill();
}

QWidget* StartPage::makeHead() {
  const Commands& commands = window_.commands();
  auto* name = new QLabel(tr("Fitup"));
  QFont large = name->font();
  large.setPointSizeF(1.7 * large.pointSizeF());
  large.setBold(true);
  name->setFont(large);
  auto* hint = new QLabel(tr("Drop models, a project or motions here, or open them."));
  hint->setWordWrap(true);
  QPushButton* open = buttonOf(commands, "open", tr("&Open..."));
  open->setDefault(true);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(open);
  buttons->addWidget(buttonOf(commands, "tour", tr("Take the tour")));
  buttons->addWidget(buttonOf(commands, "keys", tr("Keys and mouse")));
  buttons->addStretch(1);
  auto* head = new DropTarget;
  auto* layout = new QVBoxLayout(head);
  layout->setContentsMargins(16, 10, 16, 12);
  layout->addWidget(name);
  layout->addWidget(hint);
  layout->addLayout(buttons);
  return head;
}

void StartPage::fill() {
  for (FlowLayout* cards : {recent_, samples_})
    while (QLayoutItem* item = cards->takeAt(0)) {
      item->widget()->deleteLater();
      delete item;
    }
  const Thumbnails thumbnails;
  for (const RecentFile& recent : window_.files().recent()) {
    const std::filesystem::path& first = recent.files.front();
    QString name = shown(first.filename().string());
    if (recent.files.size() > 1)
      name = tr("%1 and %2 more").arg(name, QString::number(recent.files.size() - 1));
    addCard(*recent_, name, recent.text, thumbnails.of(recent.key),
            [this, files = recent.files] { window_.open(files); });
  }
  recentTitle_->setVisible(recent_->count() > 0);
  recentCards_->setVisible(recent_->count() > 0);
  for (const Sample& sample : samples()) {
    const QImage picture(QStringLiteral(":/samples/%1.jpg").arg(QString::fromStdString(sample.name)));
    addCard(*samples_, sample.title, sample.tip, picture,
            [this, name = sample.name] { openSample(window_, name); });
  }
}

void StartPage::addCard(FlowLayout& cards, const QString& title, const QString& tip, const QImage& picture,
                        const std::function<void()>& open) {
  auto* card = new QToolButton;
  card->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  card->setAutoRaise(true);
  card->setFocusPolicy(Qt::StrongFocus);
  card->setIconSize(pictureSize);
  const double ratio = devicePixelRatioF();
  QPixmap pixmap;
  if (picture.isNull()) {
    const qsizetype dot = title.lastIndexOf(QLatin1Char('.'));
    pixmap = sheet(palette(), dot < 0 ? title.left(1) : title.mid(dot).left(8), ratio);
  } else {
    pixmap = QPixmap::fromImage(
        picture.scaled(pictureSize * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation));
    pixmap.setDevicePixelRatio(ratio);
  }
  card->setIcon(pixmap);
  card->setFixedWidth(cardWidth);
  card->setText(menuText(card->fontMetrics().elidedText(title, Qt::ElideMiddle, cardWidth - 12)));
  card->setAccessibleName(title);
  card->setToolTip(tipOf(tip));
  // Deferred, because the page may be filled anew while the file opens.
  connect(card, &QToolButton::clicked, this, open, Qt::QueuedConnection);
  cards.addWidget(card);
}

bool StartPage::eventFilter(QObject* object, QEvent* event) {
  if (object == parentWidget() && event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
  return QScrollArea::eventFilter(object, event);
}

void StartPage::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  // The sheets have the colours of the theme.
  if (event->type() == QEvent::PaletteChange && widget() != nullptr) fill();
}

void StartPage::keyPressEvent(QKeyEvent* event) {
  // Buttons take the space key only.
  auto* button = qobject_cast<QAbstractButton*>(window_.focusWidget());
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isReturn && button != nullptr && isAncestorOf(button)) return button->click();
  QScrollArea::keyPressEvent(event);
}

}  // namespace fitup::viewer
