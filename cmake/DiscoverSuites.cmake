# netml_discover_suites(PROGRAM LABELS): one test for each suite of a GoogleTest program, so that a
# run starts a process for each suite, not for each test. ctest asks the program anew in each run.
# Where NETML_SUITE_RESULTS names a folder, each suite leaves a file with its tests there.
function(netml_discover_suites program labels)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${program}_suites.cmake)
  file(GENERATE OUTPUT ${list} CONTENT "
set(program \"$<TARGET_FILE:${program}>\")
set(name \"${program}\")
set(labels \"${labels}\")
include(\"${CMAKE_SOURCE_DIR}/cmake/SuitesOfProgram.cmake\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${list})
endfunction()
