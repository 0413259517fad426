# SPDX-License-Identifier: MIT
# Install rules: library, headers, package files for CMake and pkg-config, command, manual page.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/abut)

install(TARGETS abut EXPORT abut)
install(DIRECTORY include/abut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

# abut needs no other package, so the exported targets are the whole configuration.
install(EXPORT abut FILE abutConfig.cmake NAMESPACE abut:: DESTINATION ${package_dir})
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatibility SameMinorVersion)
else()
    set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/abutConfigVersion.cmake COMPATIBILITY ${compatibility})
install(FILES ${PROJECT_BINARY_DIR}/abutConfigVersion.cmake DESTINATION ${package_dir})

# Paths from the pkg-config file itself, so that an installed tree can be moved.
set(pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix ${pc_dir} ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH pc_libdir ${pc_dir} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH pc_includedir ${pc_dir} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
foreach(path pc_prefix pc_libdir pc_includedir)
    string(REPLACE " " "\\ " ${path} "${${path}}")
endforeach()
get_target_property(pc_definitions abut INTERFACE_COMPILE_DEFINITIONS)
if(pc_definitions)
    set(pc_cflags " -D${pc_definitions}")
endif()
# A shared library links libm itself.
if(BUILD_SHARED_LIBS)
    set(pc_libs "\nLibs.private: -lm")
else()
    set(pc_libs " -lm")
endif()
configure_file(cmake/abut.pc.in abut.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/abut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(ABUT_BUILD_CLI)
    install(TARGETS abut_cli)
    install(FILES src/cli/abut.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
