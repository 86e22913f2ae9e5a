# What the package has beside the program, and where each goes: docs/packaging.md. Component
# `netml` is what any prefix can have; `service` is a machine's, and goes to absolute paths.
include(GNUInstallDirs)
find_program(PYTHON3 python3)
set(package_dir ${CMAKE_BINARY_DIR}/package)
set(places_dir ${CMAKE_SOURCE_DIR}/cmake/places)

# The configuration that a machine begins with: the package's own values, then all options of the
# program, as it describes them itself.
add_custom_command(
  OUTPUT ${package_dir}/netml.toml
  COMMAND ${CMAKE_SOURCE_DIR}/cmake/make_config.sh $<TARGET_FILE:netml> ${package_dir}/netml.toml
  DEPENDS netml ${CMAKE_SOURCE_DIR}/cmake/make_config.sh
  COMMENT "Writing netml.toml")

# The bill of materials, of the program and its module as they were linked.
add_custom_command(
  OUTPUT ${package_dir}/netml.spdx.json
  COMMAND ${PYTHON3} -B ${CMAKE_SOURCE_DIR}/cmake/sbom.py --binary $<TARGET_FILE:netml>
          --module $<TARGET_FILE:netml_postgres_module>
          --lock ${CMAKE_SOURCE_DIR}/admin/web/package-lock.json
          --data-lock ${places_dir}/package-lock.json --version ${PROJECT_VERSION}
          --output ${package_dir}/netml.spdx.json
  DEPENDS netml netml_postgres_module
          ${CMAKE_SOURCE_DIR}/cmake/sbom.py ${CMAKE_SOURCE_DIR}/cmake/sbom_licences.txt
          ${CMAKE_SOURCE_DIR}/admin/web/package-lock.json ${places_dir}/package-lock.json
  COMMENT "Writing the bill of materials")

# The gazetteer of `netml places propose`.
add_custom_command(
  OUTPUT ${package_dir}/places.tsv.gz
  COMMAND ${CMAKE_SOURCE_DIR}/cmake/make_places.sh ${package_dir}/places.tsv.gz
  DEPENDS ${CMAKE_SOURCE_DIR}/cmake/make_places.sh ${places_dir}/gazetteer.js
          ${places_dir}/package-lock.json
  COMMENT "Making the gazetteer")

add_custom_target(package_files
  DEPENDS ${package_dir}/netml.toml ${package_dir}/netml.spdx.json ${package_dir}/places.tsv.gz)
if(TARGET documentation)  # man pages and completions, from the program's own table
  add_dependencies(package_files documentation)
endif()

install(TARGETS netml RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT netml)
install(TARGETS netml_postgres_module LIBRARY DESTINATION lib/netml COMPONENT netml)
install(FILES ${package_dir}/netml.spdx.json ${package_dir}/places.tsv.gz
        DESTINATION ${CMAKE_INSTALL_DATADIR}/netml COMPONENT netml OPTIONAL)
install(DIRECTORY ${CMAKE_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_DATADIR}/man/man1
        COMPONENT netml OPTIONAL FILES_MATCHING PATTERN "*.1")

# netml_install_completion(FILE FOLDER NAME): the file completions/FILE, under the name by which the
# shell finds it.
function(netml_install_completion file folder name)
  install(FILES ${CMAKE_BINARY_DIR}/completions/${file} RENAME ${name}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} COMPONENT netml OPTIONAL)
endfunction()
netml_install_completion(netml.bash bash-completion/completions netml)
netml_install_completion(_netml zsh/vendor-completions _netml)
netml_install_completion(netml.fish fish/vendor_completions.d netml.fish)

install(FILES ${package_dir}/netml.toml DESTINATION /etc/netml COMPONENT service OPTIONAL)
install(FILES debian/netml.service debian/netml.socket DESTINATION /lib/systemd/system
        COMPONENT service)
install(FILES debian/netml.sysusers RENAME netml.conf DESTINATION /usr/lib/sysusers.d
        COMPONENT service)
