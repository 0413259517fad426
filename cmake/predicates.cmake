# SPDX-License-Identifier: MIT
# With ABUT_PREDICATES: writes tables without the other predicates, and sets chosen_tables to their folder.

if(NOT ABUT_PREDICATES)
    return()
endif()
if(ABUT_BUILD_CLI OR ABUT_BUILD_TESTS OR ABUT_BUILD_EXAMPLES OR ABUT_BUILD_BENCH)
    message(FATAL_ERROR "ABUT_PREDICATES is for the library alone: add -DABUT_BUILD_CLI=OFF -DABUT_BUILD_TESTS=OFF "
        "-DABUT_BUILD_EXAMPLES=OFF -DABUT_BUILD_BENCH=OFF")
endif()

set(tables ${CMAKE_CURRENT_SOURCE_DIR}/src/tables)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tables}/predicates.def ${tables}/searches.def)
file(STRINGS ${tables}/predicates.def lines REGEX "^(BLOCK_|SCALAR_)?PREDICATE.[a-z_]+,")
list(TRANSFORM lines REPLACE "^[A-Z_]+.([a-z_]+),.*" "\\1" OUTPUT_VARIABLE all_predicates)
foreach(name ${ABUT_PREDICATES})
    if(NOT name IN_LIST all_predicates)
        list(JOIN all_predicates ", " names)
        message(FATAL_ERROR "ABUT_PREDICATES: there is no predicate ${name}; there are ${names}")
    endif()
endforeach()

set(chosen ${ABUT_PREDICATES})
# Searches for hulls go through the boxes of the index, and a capsule's distance to a hull through spheres.
if(chosen MATCHES "_hull")
    list(APPEND chosen sphere_hull aabb_hull_planes)
endif()
file(READ ${tables}/predicates.def predicates)
file(READ ${tables}/searches.def searches)
foreach(name ${all_predicates})
    if(NOT name IN_LIST chosen)
        string(REGEX REPLACE "\n(BLOCK_|SCALAR_)?PREDICATE.${name}, [^\n]*" "\nLEFT_OUT(${name})" predicates "${predicates}")
        string(REGEX REPLACE "\n(BLOCK_)?(SEARCH|SELF).[^\n]*, ${name}(, [a-z]+)?\\)" "" searches "${searches}")
    endif()
endforeach()
set(chosen_tables ${CMAKE_CURRENT_BINARY_DIR}/chosen)
file(CONFIGURE OUTPUT ${chosen_tables}/tables/predicates.def CONTENT "${predicates}" @ONLY)
file(CONFIGURE OUTPUT ${chosen_tables}/tables/searches.def CONTENT "${searches}" @ONLY)
