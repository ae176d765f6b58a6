#include "tessellated_step_file.h"

#include <array>

namespace fitup::test {

const std::string TessellatedStepFile::header =
    "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n"
    "FILE_NAME('t','2024-01-01T00:00:00',(''),(''),'','','');\n"
    "FILE_SCHEMA(('AP242_MANAGED_MODEL_BASED_3D_ENGINEERING_MIM_LF { 1 0 10303 442 1 1 4 }'));\n"
    "ENDSEC;\nDATA;\n";
const std::string TessellatedStepFile::footer = "ENDSEC;\nEND-ISO-10303-21;\n";

namespace {

std::string ref(int number) { return "#" + std::to_string(number); }

}  // namespace

TessellatedStepFile::TessellatedStepFile(std::string_view unit) {
  add("#1=APPLICATION_CONTEXT('managed model based 3d engineering')");
  add("#2=PRODUCT_CONTEXT('',#1,'mechanical')");
  add("#3=PRODUCT_DEFINITION_CONTEXT('part definition',#1,'design')");
  add("#8=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.CENTI.,.METRE.))");
  add("#9=DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.)");
  add("#10=" + std::string(unit));
  add("#11=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(2.54),#8)");
  add("#12=(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))");
  add("#13=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNIT_ASSIGNED_CONTEXT((#12,#10))"
      "REPRESENTATION_CONTEXT('c','3D'))");
  add("#14=AXIS2_PLACEMENT_3D('',#15,$,$)");
  add("#15=CARTESIAN_POINT('',(0.,0.,0.))");
  add("#16=DIRECTION('',(0.,0.,1.))");
  add("#17=DIRECTION('',(0.,1.,0.))");
  add("#18=AXIS2_PLACEMENT_3D('',#19,#16,#17)");
  add("#19=CARTESIAN_POINT('',(1.,2.,3.))");
}

void TessellatedStepFile::product(int base, const std::string& name, const std::string& items,
                                  std::string_view type, const std::string& more) {
  add(ref(base) + "=PRODUCT('" + name + "','" + name + "','',(#2))");
  add(ref(base + 1) + "=PRODUCT_DEFINITION_FORMATION('','',#" + std::to_string(base) + ")");
  add(ref(base + 2) + "=PRODUCT_DEFINITION('design',''," + ref(base + 1) + ",#3)");
  add(ref(base + 3) + "=PRODUCT_DEFINITION_SHAPE('',''," + ref(base + 2) + ")");
  add(ref(base + 4) + "=SHAPE_DEFINITION_REPRESENTATION(" + ref(base + 3) + "," + ref(base + 5) + ")");
  add(ref(base + 5) + "=" + std::string(type) + "('" + name + "',(" + items + "),#13" + more + ")");
}

void TessellatedStepFile::occurrence(int base, const std::string& name, int parent, int child, int place) {
  add(ref(base) + "=NEXT_ASSEMBLY_USAGE_OCCURRENCE('" + name + "','" + name + "',''," + ref(parent + 2) +
      "," + ref(child + 2) + ",$)");
  add(ref(base + 1) + "=PRODUCT_DEFINITION_SHAPE('',''," + ref(base) + ")");
  add(ref(base + 2) + "=ITEM_DEFINED_TRANSFORMATION('','',#14," + ref(place) + ")");
  add(ref(base + 3) + "=(REPRESENTATION_RELATIONSHIP('',''," + ref(child + 5) + "," + ref(parent + 5) +
      ")REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(" + ref(base + 2) +
      ")SHAPE_REPRESENTATION_RELATIONSHIP())");
  add(ref(base + 4) + "=CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(" + ref(base + 3) + "," + ref(base + 1) + ")");
}

void TessellatedStepFile::boxCorners(int number, double x, double y, double z) {
  std::string list;
  for (int i = 0; i < 8; ++i)
    list += (i == 0 ? "(" : ",(") + std::to_string(i % 2 * x) + "," + std::to_string(i / 2 % 2 * y) + "," +
            std::to_string(i / 4 * z) + ")";
  add(ref(number) + "=COORDINATES_LIST('',8,(" + list + "))");
}

void TessellatedStepFile::box(int base, int corners, const std::string& name) {
  static constexpr std::array<const char*, 6> faces{"(1,3,4),(1,4,2)", "(5,6,8),(5,8,7)", "(1,2,6),(1,6,5)",
                                                    "(3,7,8),(3,8,4)", "(1,5,7),(1,7,3)", "(2,4,8),(2,8,6)"};
  std::string members;
  for (int i = 0; i < 6; ++i) {
    add(ref(base + 1 + i) + "=TRIANGULATED_FACE('side " + std::to_string(i) + "'," + ref(corners) +
        ",8,(),$,(),(" + faces[static_cast<std::size_t>(i)] + "))");
    members += (i == 0 ? "" : ",") + ref(base + 1 + i);
  }
  add(ref(base) + "=TESSELLATED_SOLID('" + name + "',(" + members + "),$)");
}

TessellatedStepFile sampleTessellatedStep() {
  TessellatedStepFile file;
  file.product(100, "top", "#14", "SHAPE_REPRESENTATION");
  file.product(110, "box", "#14,#201");
  file.product(120, "shapes", "#14,#320");
  file.occurrence(130, "left", 100, 110, 14);
  file.occurrence(140, "right", 100, 110, 18);
  file.occurrence(150, "shapes", 100, 120, 18);
  file.boxCorners(200, 4, 3, 2);
  file.box(201, 200);
  file.add("#300=COORDINATES_LIST('',5,((0.,0.,0.),(1.,0.,0.),(0.,1.,0.),(1.,1.,0.),(0.5,0.5,1.)))");
  file.add("#301=COMPLEX_TRIANGULATED_FACE('base',#300,4,((0.,0.,-1.)),$,(3,4,1,2),((1,2,3,4)),())");
  file.add("#302=COMPLEX_TRIANGULATED_SURFACE_SET('sides',#300,5,(),(),(),((5,1,2,4,3,1)))");
  file.add(
      "#303=(GEOMETRIC_REPRESENTATION_ITEM()REPOSITIONED_TESSELLATED_ITEM(#18)REPRESENTATION_ITEM('set')"
      "TESSELLATED_GEOMETRIC_SET((#301,#302))TESSELLATED_ITEM())");
  file.add("#320=TESSELLATED_SHELL('shell',(#303),$)");
  file.add("#400=COLOUR_RGB('',0.25,0.5,0.75)");
  file.add("#401=FILL_AREA_STYLE_COLOUR('',#400)");
  file.add("#402=FILL_AREA_STYLE('',(#401))");
  file.add("#403=SURFACE_STYLE_FILL_AREA(#402)");
  file.add("#404=SURFACE_SIDE_STYLE('',(#403))");
  file.add("#405=SURFACE_STYLE_USAGE(.BOTH.,#404)");
  file.add("#406=PRESENTATION_STYLE_ASSIGNMENT((#405))");
  file.add("#407=STYLED_ITEM('',(#406),#202)");
  return file;
}

}  // namespace fitup::test
