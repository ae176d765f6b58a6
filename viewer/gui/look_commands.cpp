#include <viewer/gui/commands.h>

#include <QColorDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>

#include <fitup/base/error.h>
#include <viewer/core/cap_styles.h>

namespace fitup::viewer {
namespace {

constexpr const char *colourLabel = "Colour", *transparencyLabel = "Transparency";

PartLook lookOf(const SessionState& state, NodeId node) {
  const auto found = state.looks.find(node);
  return found == state.looks.end() ? PartLook{} : found->second;
}

/// Changes the looks of what is selected.
template <typename Change>
void changeLooks(SessionState& state, const std::set<NodeId>& selection, const Change& change) {
  for (const NodeId node : selection) {
    PartLook look = lookOf(state, node);
    change(look);
    setLook(state, node, look);
  }
}

/// Asks for a colour, beginning with that of the first selected part.
QColor askColour(MainWindow& w) {
  const Session& session = *w.document().session();
  const Colour now = mainColour(session.assembly(), *w.document().selection().begin(), session.state().looks);
  return QColorDialog::getColor(QColor::fromRgbF(now.red, now.green, now.blue), &w,
                                Commands::tr("Colour of the selected parts"),
                                QColorDialog::DontUseNativeDialog);
}

/// Shows a slider that changes the transparency at once, as one step for undo.
void showTransparency(MainWindow& w) {
  Session& session = *w.document().session();
  const std::set<NodeId> selection = w.document().selection();
  QDialog dialog(&w);
  dialog.setWindowTitle(Commands::tr("Transparency of the selected parts"));
  auto* slider = new QSlider(Qt::Horizontal);
  slider->setRange(0, 100);
  slider->setAccessibleName(dialog.windowTitle());
  slider->setValue(static_cast<int>(lookOf(session.state(), *selection.begin()).transparency));
  auto* percent = new QLabel;
  percent->setAlignment(Qt::AlignCenter);
  const auto showPercent = [=] { percent->setText(Commands::tr("%1 %").arg(slider->value())); };
  showPercent();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  auto* all = new QVBoxLayout(&dialog);
  all->addWidget(slider);
  all->addWidget(percent);
  all->addWidget(buttons);
  dialog.setMinimumWidth(340);
  session.endMerging();
  QObject::connect(slider, &QSlider::valueChanged, &dialog, [&](int value) {
    showPercent();
    session.edit(
        transparencyLabel,
        [&](SessionState& state) {
          changeLooks(state, selection,
                      [&](PartLook& look) { look.transparency = static_cast<unsigned>(value); });
        },
        "transparency");
  });
  dialog.exec();
  session.endMerging();
}

}  // namespace

void Commands::addLooks(MainWindow& w) {
  using enum Command::Needs;
  Document& document = w.document();
  Command& colour = addEdit(
      "colour", {tr("&Colour..."), "Ctrl+G", tr("Colours the selected parts; the model keeps its own")},
      selection, {{"RRGGBB"}}, colourLabel, [&document](SessionState& state, const Words& words) {
        changeLooks(state, document.selection(),
                    [value = colourOf(words[0])](PartLook& look) { look.colour = value; });
      });
  colour.ask = [&w, &colour] {
    const QColor chosen = askColour(w);
    if (chosen.isValid()) colour.execute({chosen.name().toStdString()});
  };
  addEdit(
      "transparency",
      {tr("&Transparency..."), "Shift+G", tr("Shows the slider for the transparency of the selected parts")},
      selection, {{"PERCENT", Parameter::Kind::count}}, transparencyLabel,
      [&document](SessionState& state, const Words& words) {
        const std::size_t percent = countOf(words[0]);
        if (percent > 100) throw InputError("a transparency is at most 100 percent");
        changeLooks(state, document.selection(),
                    [percent](PartLook& look) { look.transparency = static_cast<unsigned>(percent); });
      })
      .ask = [&w] { showTransparency(w); };
  addEdit("colour reset",
          {tr("&Look as in the file"), "Ctrl+Shift+G",
           tr("Brings back the colours and transparency that the selected parts have in their file")},
          selection, {}, "Look as in the file", [&document](SessionState& state, auto&) {
            for (const NodeId node : document.selection()) setLook(state, node, {});
          });
}

}  // namespace fitup::viewer
