// page MODEL PAGE: writes a report with pictures, or without them if there is a third argument.
#include <fitup/fitup.h>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const fitup::Model model = fitup::readAssembly(argv[1]);
  fitup::ReportContext context{"page", argv[1], "", {}};
  if (argc == 3) context.drawPictures = fitup::drawReportPictures;
  writeReport(argv[2], context, model, fitup::checkAllPairs(sceneOf(model)));
}
