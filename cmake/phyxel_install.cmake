# What `cmake --install` puts where. Afterwards find_package(phyxel) gives the target phyxel::phyxel. With --component program
# it is what users of the program need, and no more: scripts/package makes its folder of that.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/phyxel")

get_property(modules GLOBAL PROPERTY PHYXEL_MODULES)
add_library(phyxel INTERFACE)
add_library(phyxel::phyxel ALIAS phyxel)
target_link_libraries(phyxel INTERFACE ${modules})

install(TARGETS phyxel_cli COMPONENT program)
if(PHYXEL_HAS_OPENVDB)
  install(TARGETS phyxel_volumes LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/phyxel" COMPONENT program)
endif()
install(TARGETS phyxel phyxel_options ${modules} EXPORT phyxelTargets)
install(EXPORT phyxelTargets NAMESPACE phyxel:: DESTINATION "${package_dir}")
install(CODE "
  set(SOURCE \"${PROJECT_SOURCE_DIR}/src\")
  set(TO \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake\")")
install(DIRECTORY scenes/ DESTINATION "${CMAKE_INSTALL_DATADIR}/phyxel/scenes" COMPONENT program)

configure_package_config_file(cmake/phyxelConfig.cmake.in phyxelConfig.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(phyxelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/phyxelConfig.cmake" "${PROJECT_BINARY_DIR}/phyxelConfigVersion.cmake"
  DESTINATION "${package_dir}")

# The program writes its own completion, so that the two cannot disagree.
install(CODE "
  execute_process(COMMAND \"$<TARGET_FILE:phyxel_cli>\" completion bash
    OUTPUT_FILE \"${PROJECT_BINARY_DIR}/completion/phyxel\" COMMAND_ERROR_IS_FATAL ANY)
  file(INSTALL \"${PROJECT_BINARY_DIR}/completion/phyxel\"
    DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions\")"
  COMPONENT program)
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/completion")
