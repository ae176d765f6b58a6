// Prints the exact area of each face of a B-rep in Open CASCADE's binary format, one per line, in their
// order. It reads the exact shapes of model files by independent means. Argument: FILE
#include <BRepGProp.hxx>
#include <BinTools.hxx>
#include <GProp_GProps.hxx>
#include <Standard_Failure.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_Shape.hxx>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    TopoDS_Shape shape;
    if (!BinTools::Read(shape, argv[1])) return 1;
    TopTools_IndexedMapOfShape faces;
    TopExp::MapShapes(shape, TopAbs_FACE, faces);
    for (int i = 1; i <= faces.Extent(); ++i) {
      GProp_GProps properties;
      BRepGProp::SurfaceProperties(faces(i), properties);
      std::printf("%.15g\n", properties.Mass());
    }
  } catch (const Standard_Failure&) {
    return 1;
  }
  return 0;
}
