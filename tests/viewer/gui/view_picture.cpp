// Tests pictures of the view: their size, transparency and labels, in files and on the clipboard.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QImage>
#include <QPushButton>

#include <viewer/gui/commands.h>
#include <viewer/gui/scene_view.h>

#include "support/placements.h"
#include "viewer/gui/window_session.h"

namespace view_picture_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

struct Bench : TwoBoxes {
  Bench() : TwoBoxes({}, shift(10, 0, 0)) {
    view().look(StandardView::front);
    gui.settle();
  }
  std::string file(const char* name) { return "\"" + (folder / name).string() + "\""; }
  QImage saved(const char* name) { return QImage(QString::fromStdString((folder / name).string())); }
  /// The pixel of a picture at a point of the world.
  static QColor at(const QImage& picture, const SceneView& view, const Vec3& world) {
    const QPointF point = view.widgetPoint(world).value();
    return picture.pixelColor(qRound(point.x() * picture.width() / view.width()),
                              qRound(point.y() * picture.height() / view.height()));
  }
};

const Vec3 onPart{0.5, -2, 0.5}, beside{5, -2, 0.5}, onOther{10.5, -2, 0.5};

}  // namespace

TEST_CASE("a picture of the view has the size that is asked for, and shows the same", "[gui][pictures]") {
  Bench bench;
  const QImage shown = bench.view().grabFramebuffer().convertToFormat(QImage::Format_RGB32);
  CHECK(bench.view().picture({}) == shown);
  const int width = 2 * bench.view().width(), height = 2 * bench.view().height();
  REQUIRE(bench.gui
              .run({}, {"picture " + bench.file("large.png") + " " + std::to_string(width) + "x" +
                        std::to_string(height)})
              .empty());
  const QImage large = bench.saved("large.png");
  CHECK(large.size() == QSize(width, height));
  for (const Vec3& point : {onPart, beside, onOther})
    CHECK(Bench::at(large, bench.view(), point) == Bench::at(shown, bench.view(), point));
  // A wide picture has more beside.
  const QImage wide = bench.view().picture({QSize(3 * bench.view().height(), bench.view().height())});
  CHECK(wide.pixelColor(3, wide.height() / 2) == Bench::at(shown, bench.view(), beside));
  // The view is as before.
  CHECK(bench.view().grabFramebuffer().convertToFormat(QImage::Format_RGB32) == shown);
}

TEST_CASE("a transparent picture is clear beside the parts and through them", "[gui][pictures]") {
  Bench bench;
  REQUIRE(bench.gui.run({}, {"select b", "transparency 60", "select"}).empty());
  const QImage shown = bench.view().grabFramebuffer();
  REQUIRE(bench.gui.run({}, {"picture " + bench.file("clear.png") + " transparent"}).empty());
  const QImage clear = bench.saved("clear.png");
  CHECK(clear.size() == shown.size());
  CHECK(Bench::at(clear, bench.view(), beside).alpha() == 0);
  CHECK(Bench::at(clear, bench.view(), onPart).alpha() == 255);
  const int through = Bench::at(clear, bench.view(), onOther).alpha();
  CHECK(through > 60);  // of the front and the back face
  CHECK(through < 230);
  // In front of the background of the view, it looks as the view does.
  const QColor back = Bench::at(shown, bench.view(), beside), now = Bench::at(shown, bench.view(), onOther),
               front = Bench::at(clear, bench.view(), onOther);
  const double mixed = front.red() * front.alphaF() + back.red() * (1 - front.alphaF());
  CHECK(std::abs(mixed - now.red()) < 3);
  CHECK(bench.view().grabFramebuffer() == shown);
}

TEST_CASE("a picture has the measurements of the view, unless it is bare", "[gui][pictures]") {
  Bench bench;
  REQUIRE(bench.gui.run({}, {"measure a", "measure b"}).empty());
  bench.gui.settle();
  REQUIRE(bench.view().measuredNumbers().size() == 1);
  REQUIRE(bench.gui
              .run({}, {"picture " + bench.file("all.png"), "picture " + bench.file("bare.png") + " bare",
                        "picture " + bench.file("large.png") + " 2000x1600"})
              .empty());
  CHECK(bench.saved("bare.png") == bench.view().grabFramebuffer().convertToFormat(QImage::Format_RGB32));
  CHECK(bench.saved("all.png") != bench.saved("bare.png"));
  CHECK_FALSE(bench.saved("large.png").isNull());
}

TEST_CASE("the picture is copied to the clipboard, also by its dialog", "[gui][pictures]") {
  Bench bench;
  QGuiApplication::clipboard()->clear();
  bench.gui.key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
  CHECK(QGuiApplication::clipboard()->image().size() == bench.view().pictureSize());
  whenAsked(
      [&](QDialog& dialog) {
        dialog.findChild<QComboBox*>("scale")->setCurrentIndex(1);
        for (auto* button : dialog.findChildren<QPushButton*>())
          if (button->text() == "Copy") return button->click();
        FAIL("no button copies");
      },
      [&] { bench.gui.window.commands().action("picture").trigger(); });
  CHECK(QGuiApplication::clipboard()->image().size() == 2 * bench.view().pictureSize());
}

TEST_CASE("pictures that cannot be made are refused with the reason", "[gui][pictures]") {
  Bench bench;
  const auto refusal = [&](const std::string& words) {
    return bench.gui.run({}, {"picture " + bench.file("p.png") + " " + words});
  };
  CHECK_THAT(refusal("0x100"), Catch::Contains("1 to 16384"));
  CHECK_THAT(refusal("16000x16000"), Catch::Contains("too large"));
  CHECK_THAT(refusal("99999x10"), Catch::Contains("1 to 16384"));
  CHECK_THAT(refusal("large"), Catch::Contains("expected a size"));
  CHECK_THAT(refusal("12xy"), Catch::Contains("y"));
  CHECK_THAT(bench.gui.run({}, {"picture " + bench.file("p.jpg") + " transparent"}),
             Catch::Contains("cannot be transparent"));
  CHECK_THAT(bench.gui.run({}, {"picture " + bench.file("p.fitup")}), Catch::Contains("extension 'fitup'"));
  CHECK_FALSE(std::filesystem::exists(bench.folder / "p.png"));
}

}  // namespace view_picture_tests
