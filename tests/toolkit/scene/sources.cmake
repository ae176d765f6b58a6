set(FITUP_SCENE_TESTS
  assembly.cpp
  broad_phase.cpp
  collision_models.cpp
  interference.cpp
  interference_limits.cpp
  rules.cpp
)
