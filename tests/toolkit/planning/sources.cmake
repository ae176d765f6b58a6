set(FITUP_PLANNING_TESTS
  closest_to_segment.cpp
  removal.cpp
  removal_relief.cpp
  screws.cpp
  tree_search.cpp
  way_oracle.cpp
  way_profile.cpp
)
if(FITUP_HAS_OPENVDB)
  list(APPEND FITUP_PLANNING_TESTS inner_volume.cpp near_pieces.cpp relative_sweep.cpp swept_volume.cpp swept_plant.cpp)
endif()
set(FITUP_PLANNING_TEST_LIBRARIES fitup::swept_volumes fitup::tree_search)
