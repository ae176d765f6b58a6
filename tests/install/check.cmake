# Installs into a folder of its own, builds the external project with what is there, and runs what it built and what was
# installed. Needs BUILD, SOURCES, FOLDER, GENERATOR, CONFIGURED_PREFIX, SCENEGRAPH (whether the node kit is there); optional SHARED (whether the toolkit is a shared library), LAUNCHER, XVFB_RUN, OSGCONV, WRITE_STEP.
set(ENV{CMAKE_PREFIX_PATH} "")
set(prefix ${FOLDER}/prefix)
file(REMOVE_RECURSE ${FOLDER})

include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
function(expect text)
  if(NOT out MATCHES "${text}")
    message(FATAL_ERROR "expected '${text}' in:\n${out}")
  endif()
endfunction()

file(MAKE_DIRECTORY ${FOLDER})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
file(GLOB_RECURSE headers ${prefix}/include/*.h)
foreach(header IN LISTS headers)
  if(header MATCHES "/detail/|-inl\\.h$")
    message(FATAL_ERROR "${header} is not for users")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${SOURCES}/tests/install/external -B ${FOLDER}/build -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DFITUP_SOURCES=${SOURCES}
    -DFITUP_EXPECT_SCENEGRAPH=${SCENEGRAPH} -DFITUP_EXPECT_IMPORTERS=ON)
run(${CMAKE_COMMAND} --build ${FOLDER}/build)

# Where the node kit's library was left out, its link is no node kit, which is no error for those who can do without.
if(SCENEGRAPH)
  set(components dev scenegraph_dev)
  if(SHARED)
    list(APPEND components fitup)  # the library itself
  endif()
  foreach(component IN LISTS components)
    run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/without --component ${component})
  endforeach()
  run(${CMAKE_COMMAND} -S ${SOURCES}/tests/install/external -B ${FOLDER}/without_build -G ${GENERATOR}
      -DCMAKE_PREFIX_PATH=${FOLDER}/without -DFITUP_SOURCES=${SOURCES})
  expect("without its component scenegraph: not built or left out")
endif()

run(${prefix}/bin/fitup generate plant plant.fitup)
run(${FOLDER}/build/ten_lines plant.fitup)
expect("process-plant/equipment/pump face 1  x  process-plant/piping/spool face 5\n")

# The tutorial builds its program with what is installed.
find_program(python python3)
if(python)
  if(NOT EXISTS ${prefix}/share/man/man1/fitup-check.1)
    message(FATAL_ERROR "the manual page of fitup check is not installed")
  endif()
  run(${CMAKE_COMMAND} -E env CMAKE_PREFIX_PATH=${prefix} CMAKE_GENERATOR=${GENERATOR} ${python} ${SOURCES}/tests/docs/run_page.py
      ${SOURCES}/docs/tutorials/own-mesh.md ${FOLDER}/own-mesh --same own_mesh.cpp=${SOURCES}/examples/own_mesh.cpp)
  expect("4 commands of own-mesh.md")
endif()

run(${FOLDER}/build/rounding)
set(unfused "${out}")
run(${FOLDER}/build/rounding_fused)
if(NOT out STREQUAL unfused)
  message(FATAL_ERROR "numbers of users' code depend on its compiler options")
endif()

run(${FOLDER}/build/page plant.fitup pictures.html)
run(${FOLDER}/build/page plant.fitup none.html none)
file(STRINGS ${FOLDER}/none.html pictures REGEX "/9j/")
if(pictures)
  message(FATAL_ERROR "pictures that nobody asked for")
endif()
if(PICTURES)
  file(STRINGS ${FOLDER}/pictures.html pictures REGEX "/9j/")  # how a JPEG begins
  if(NOT pictures)
    message(FATAL_ERROR "a page without the pictures that were asked for")
  endif()
endif()

# A shared library shows what is for users, the two kinds that headers name,
# and some functions for the libraries of pictures and of the papers' trees.
find_program(nm NAMES nm)
file(GLOB library ${prefix}/lib*/libfitup.so ${prefix}/lib/*/libfitup.so)
if(SHARED AND NOT library)
  message(FATAL_ERROR "there is no shared library")
endif()
if(SHARED AND nm)
  run(${nm} -D -C --defined-only ${library})
  expect(" T fitup::checkAllPairs")
  string(REGEX REPLACE "fitup::detail::(isWorse|needsWholePartFinding|wholePartsOf|StepPlacements|triangleItems|ConvexHull|scdKind|wideKind)" "" out "${out}")
  if(out MATCHES "[^\n]* [TVBDR] [^\n]*fitup::detail::[^\n]*" OR out MATCHES "[^\n]* T (nlohmann|boost|tbb|hwy)::[^\n]*")
    message(FATAL_ERROR "the library shows what is not for users: ${CMAKE_MATCH_0}")
  endif()
endif()

# A program that is elsewhere than the installation: it finds the importers by PATH, or says where it looked.
if(WRITE_STEP)
  run(${WRITE_STEP} plate.step)
  if(NOT SHARED AND NOT EXISTS ${CONFIGURED_PREFIX}/libexec/fitup)  # beside a shared library they are found
    execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=FITUP_IMPORTERS PATH=/nowhere ${FOLDER}/build/ten_lines plate.step
                    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(code EQUAL 0)
      message(FATAL_ERROR "an importer that is nowhere was found:\n${out}")
    endif()
    expect("fitup-import-cad is not installed: neither in ${FOLDER}/build, .*${CONFIGURED_PREFIX}/libexec/fitup, .*FITUP_IMPORTERS")
  endif()
  run(${CMAKE_COMMAND} -E env --unset=FITUP_IMPORTERS PATH=${prefix}/bin:$ENV{PATH} ${FOLDER}/build/ten_lines plate.step)
endif()

find_program(pkg_config NAMES pkg-config)
find_program(compiler NAMES c++)
if(pkg_config AND compiler)
  file(GLOB pc ${prefix}/lib*/pkgconfig ${prefix}/lib/*/pkgconfig)
  run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc} ${pkg_config} --cflags --libs fitup)
  if(out MATCHES "embree|turbojpeg|contract")
    message(FATAL_ERROR "fitup.pc asks for what its users do not need: ${out}")
  endif()
  separate_arguments(flags UNIX_COMMAND "${out}")
  string(REGEX MATCH "-L([^ ]+)" found "${out}")
  set(run_path -Wl,-rpath,${CMAKE_MATCH_1})
  run(${LAUNCHER} ${compiler} -std=c++20 -I${prefix}/include -c ${FOLDER}/build/ten_lines.cpp -o ten_lines.o)
  run(${compiler} ten_lines.o -o ten_lines ${flags} ${run_path})
  run(${FOLDER}/ten_lines plant.fitup)
  expect("process-plant/equipment/pump face 1  x  process-plant/piping/spool face 5\n")
  run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc} ${pkg_config} --variable=importersdir fitup)
  string(STRIP "${out}" importers)
  if(NOT EXISTS ${importers}/fitup-import-mesh)
    message(FATAL_ERROR "no importers in '${importers}', which fitup.pc names")
  endif()
  run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc} ${pkg_config} --cflags --libs fitup-report-pictures)
  separate_arguments(flags UNIX_COMMAND "${out}")
  run(${compiler} -std=c++20 -O0 ${SOURCES}/tests/install/external/page.cpp -o page ${flags} ${run_path})
  run(${FOLDER}/page plant.fitup by_pkg_config.html)
  execute_process(COMMAND ${compiler} -std=c++17 -fsyntax-only -I${prefix}/include ${FOLDER}/build/ten_lines.cpp
                  RESULT_VARIABLE code ERROR_VARIABLE out)
  if(code EQUAL 0)
    message(FATAL_ERROR "C++17 is enough, which it is not said to be")
  endif()
  expect("Fitup's headers need C\\+\\+20: compile with -std=c\\+\\+20")
endif()

if(SCENEGRAPH)
  file(GLOB plugins ${prefix}/lib*/osgPlugins-* ${prefix}/lib/*/osgPlugins-*)
  get_filename_component(libraries ${plugins} DIRECTORY)
  if(XVFB_RUN)
    run(${XVFB_RUN} -a -s "-screen 0 1280x1024x24" ${FOLDER}/build/osg_viewer
        ${SOURCES}/examples/shaft_and_plate.osgt --picture viewer.png)
    expect("[1-9][0-9]* pairs of primitives")
  endif()
  if(OSGCONV AND WRITE_STEP)
    # The plugins find the importers of their installation, the command line finds the plugins.
    run(${CMAKE_COMMAND} -E env OSG_LIBRARY_PATH=${libraries} ${OSGCONV} -O noCache plate.step plate.osgb)
    run(${prefix}/bin/fitup info plate.osgb)
    expect("instances +7\n")
  endif()
endif()
