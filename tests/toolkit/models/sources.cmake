set(FITUP_MODEL_TESTS
  burrs.cpp
  clear_plant.cpp
  generated_meshes.cpp
  large_assembly.cpp
  placements.cpp
  process_plant.cpp
  solids.cpp
  substitutes.cpp
  ways_out.cpp
)
set(FITUP_MODEL_TEST_LIBRARIES fitup::models)
