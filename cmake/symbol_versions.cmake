# SPDX-License-Identifier: MIT
# Gives the symbols of the shared library a version, ABUT_ and that of its name. So two versions of abut can be in one
# program, and a program that needs a newer one says so when it starts. The names are those that the headers declare.

file(GLOB public_headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/include/abut/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${public_headers})
set(public_functions "")
foreach(header ${public_headers})
    file(STRINGS ${header} declarations REGEX "^ABUT_API .*abut_[a-z0-9_]+\\(")
    foreach(declaration ${declarations})
        string(REGEX MATCH "(abut_[a-z0-9_]+)\\(" matched "${declaration}")
        string(APPEND public_functions "        ${CMAKE_MATCH_1};\n")
    endforeach()
endforeach()

get_target_property(abut_soversion abut SOVERSION)
set(version_script ${CMAKE_CURRENT_BINARY_DIR}/abut.map)
file(CONFIGURE OUTPUT ${version_script}
    CONTENT "ABUT_${abut_soversion} {\n    global:\n${public_functions}    local: *;\n};\n" @ONLY)

# Linkers of Apple and Windows have no such scripts.
if(NOT WIN32 AND NOT APPLE)
    target_link_options(abut PRIVATE "LINKER:--version-script=${version_script}")
    set_property(TARGET abut APPEND PROPERTY LINK_DEPENDS ${version_script})
endif()
