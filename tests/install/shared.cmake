# Builds the project with the toolkit as a shared library in BUILD, and checks its installation as check.cmake does. Needs TYPE,
# COMPILER, and what check.cmake needs.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(wanted ${FOLDER})
set(FOLDER ${SOURCES})
run(${CMAKE_COMMAND} -S ${SOURCES} -B ${BUILD} -G ${GENERATOR} -DCMAKE_BUILD_TYPE=${TYPE} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DFITUP_SHARED=ON -DFITUP_BUILD_VIEWER=OFF -DFITUP_BUILD_EXAMPLES=OFF)
run(${CMAKE_COMMAND} --build ${BUILD})
set(FOLDER ${wanted})
include(${CMAKE_CURRENT_LIST_DIR}/check.cmake)
