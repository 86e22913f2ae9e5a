# netml_folder(SOURCES ... LINK folders... FOREIGN ... PRIVATE ... PCH ... ALONE ...): the static
# library of the folder that calls it, called after it: netml_admin_node of admin/node.
# LINK names the folders that it may use; what these may use, it may use, too. FOREIGN are libraries
# that its public headers need, PRIVATE those that only its sources see.
# Arrows are refused by the linker: see netml_check_links().
function(netml_folder)
  cmake_parse_arguments(FOLDER "" "" "SOURCES;LINK;FOREIGN;PRIVATE;PCH;ALONE" ${ARGN})
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  netml_targets_of(link ${FOLDER_LINK})
  string(REPLACE "/" "_" name ${folder})
  netml_layer(${name} SOURCES ${FOLDER_SOURCES} LINK ${link} ${FOLDER_FOREIGN}
    PRIVATE ${FOLDER_PRIVATE} PCH ${FOLDER_PCH} ALONE ${FOLDER_ALONE})
  set_property(GLOBAL APPEND PROPERTY NETML_FOLDERS ${name})
endfunction()

# netml_targets_of(OUT folders...): their targets; CMake refuses a folder that has none.
function(netml_targets_of out)
  list(TRANSFORM ARGN REPLACE "/" "_")
  list(TRANSFORM ARGN PREPEND "netml::")
  set(${out} ${ARGN} PARENT_SCOPE)
endfunction()

# netml_group(NAME folders...): one name for a layer as a whole, for tests and benchmarks.
function(netml_group name)
  netml_targets_of(link ${ARGN})
  add_library(netml_${name} INTERFACE)
  add_library(netml::${name} ALIAS netml_${name})
  target_link_libraries(netml_${name} INTERFACE ${link})
endfunction()

# netml_link_check(TARGET): a program that holds all of the library TARGET, not only what is asked
# for, and the libraries that it declares. What TARGET uses of any other folder is undefined there.
function(netml_link_check target)
  add_executable(link_${target} ${CMAKE_SOURCE_DIR}/tests/links/empty.cpp)
  target_link_libraries(link_${target} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,netml_${target}>)
  target_link_options(link_${target} PRIVATE -Wl,--strip-all -Wl,--no-gc-sections)
endfunction()

# netml_check_links(): the target `links`, which is built when every folder declares what it uses.
function(netml_check_links)
  get_property(folders GLOBAL PROPERTY NETML_FOLDERS)
  add_custom_target(links ALL)
  foreach(folder IN LISTS folders)
    netml_link_check(${folder})
    add_dependencies(links link_${folder})
  endforeach()
endfunction()
