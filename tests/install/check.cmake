# Installs into a folder of its own, builds the external project with what is there, and runs what it built and what was
# installed. Needs BUILD, SOURCES, FOLDER, GENERATOR, CONFIGURED_PREFIX, SCENEGRAPH (whether the node kit is there); optional LAUNCHER, XVFB_RUN, OSGCONV, WRITE_STEP.
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
  if(header MATCHES "/detail/")
    message(FATAL_ERROR "${header} is not for users")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${SOURCES}/tests/install/external -B ${FOLDER}/build -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DFITUP_SOURCES=${SOURCES}
    -DFITUP_EXPECT_SCENEGRAPH=${SCENEGRAPH})
run(${CMAKE_COMMAND} --build ${FOLDER}/build)

# Where the node kit's library was left out, its link is no node kit, which is no error for those who can do without.
if(SCENEGRAPH)
  foreach(component dev scenegraph_dev)
    run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/without --component ${component})
  endforeach()
  run(${CMAKE_COMMAND} -S ${SOURCES}/tests/install/external -B ${FOLDER}/without_build -G ${GENERATOR}
      -DCMAKE_PREFIX_PATH=${FOLDER}/without -DFITUP_SOURCES=${SOURCES})
  expect("without its component scenegraph: not built or left out")
endif()

run(${prefix}/bin/fitup generate plant plant.fitup)
run(${FOLDER}/build/ten_lines plant.fitup)
expect("process-plant/equipment/pump face 1  x  process-plant/piping/spool face 5\n")

# A program that is elsewhere than the installation: it finds the importers by PATH, or says where it looked.
if(WRITE_STEP)
  run(${WRITE_STEP} plate.step)
  if(NOT EXISTS ${CONFIGURED_PREFIX}/libexec/fitup)
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
  separate_arguments(flags UNIX_COMMAND "${out}")
  run(${LAUNCHER} ${compiler} -std=c++20 -ffp-contract=off -I${prefix}/include -c ${FOLDER}/build/ten_lines.cpp -o ten_lines.o)
  run(${compiler} ten_lines.o -o ten_lines ${flags})
  run(${FOLDER}/ten_lines plant.fitup)
  expect("process-plant/equipment/pump face 1  x  process-plant/piping/spool face 5\n")
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
