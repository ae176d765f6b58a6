set(FITUP_MODEL_TESTS
  clear_plant.cpp
  generated_meshes.cpp
  large_assembly.cpp
  placements.cpp
  process_plant.cpp
  solids.cpp
  substitutes.cpp
)
set(FITUP_MODEL_TEST_LIBRARIES fitup::models)
