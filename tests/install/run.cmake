# run(COMMAND...) in FOLDER; its output in `out`. Ends the script if the command fails.
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}: exit code ${code}\n${out}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()
