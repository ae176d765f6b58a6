set(FITUP_SCENE_TESTS
  assembly.cpp
  collision_models.cpp
  interference.cpp
  interference_limits.cpp
  rules.cpp
)
