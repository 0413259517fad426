# SPDX-License-Identifier: MIT
# Tests the floating-point environment (environment.c), with all flags in use, and detects the processor.

get_directory_property(environment_flags COMPILE_OPTIONS)
foreach(configuration ${CMAKE_BUILD_TYPE} ${CMAKE_CONFIGURATION_TYPES})
    string(TOUPPER ${configuration} configuration)
    separate_arguments(configuration_flags UNIX_COMMAND "${CMAKE_C_FLAGS_${configuration}}")
    list(APPEND environment_flags ${configuration_flags})
endforeach()
# Generator expressions have no value at this point.
list(FILTER environment_flags EXCLUDE REGEX "\\$<")

# The form that CMake 3.21 knows keeps its result in the cache.
set(environment_folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/abut)
unset(environment_ok CACHE)
try_compile(environment_ok ${environment_folder} ${CMAKE_CURRENT_LIST_DIR}/environment.c
    COMPILE_DEFINITIONS ${environment_flags}
    OUTPUT_VARIABLE environment_output)
set(environment_ok ${environment_ok} CACHE INTERNAL "")
# Parts of -ffast-math that define no macro. Linking with -ffast-math changes the mode of programs that load the result.
set(unsafe_math "-f(unsafe-math-optimizations|associative-math|reciprocal-math|no-signed-zeros|no-honor-nans)")
set(linker_flags "${CMAKE_EXE_LINKER_FLAGS} ${CMAKE_SHARED_LINKER_FLAGS}")
foreach(configuration ${CMAKE_BUILD_TYPE} ${CMAKE_CONFIGURATION_TYPES})
    string(TOUPPER ${configuration} configuration)
    string(APPEND linker_flags
        " ${CMAKE_EXE_LINKER_FLAGS_${configuration}} ${CMAKE_SHARED_LINKER_FLAGS_${configuration}}")
endforeach()
string(REGEX MATCH "${unsafe_math}" unsafe_flag "${CMAKE_C_FLAGS};${environment_flags}")
string(REGEX MATCH "${unsafe_math}|-ffast-math|-Ofast" unsafe_linker_flag "${linker_flags}")
if(unsafe_flag OR unsafe_linker_flag OR NOT environment_ok)
    list(JOIN environment_flags " " environment_flags)
    message(FATAL_ERROR "abut cannot be exact with these flags: ${CMAKE_C_FLAGS} ${environment_flags} ${linker_flags}\n"
        "${unsafe_flag} ${unsafe_linker_flag}\n${environment_output}")
endif()

# Kernels choose fused operations explicitly, and the exact stage's error-free transformations need every rounding.
# -fno-math-errno makes sqrt an instruction.
set(exact_arithmetic -fno-fast-math -fno-unsafe-math-optimizations -fno-associative-math -fno-reciprocal-math
    -fno-finite-math-only -fsigned-zeros -ffp-contract=off -fno-math-errno)
if(CMAKE_C_COMPILER_ID MATCHES Clang)
    list(APPEND exact_arithmetic -fhonor-nans -fhonor-infinities -fno-approx-func -fdenormal-fp-math=ieee)
elseif(CMAKE_C_COMPILER_ID STREQUAL GNU)
    list(APPEND exact_arithmetic -ftrapping-math -fno-single-precision-constant)
endif()
if(CMAKE_GENERATOR STREQUAL Xcode) # ignores the rule variables below
    add_compile_options("$<$<COMPILE_LANGUAGE:C>:${exact_arithmetic}>")
endif()
# The last flag wins, so these undo flags from generator expressions or from a parent's libraries, which the checks
# above do not see. Only -Ofast at link time has no opposite.
list(JOIN exact_arithmetic " " exact_arithmetic)
string(REPLACE "<FLAGS>" "<FLAGS> ${exact_arithmetic}" CMAKE_C_COMPILE_OBJECT "${CMAKE_C_COMPILE_OBJECT}")
foreach(rule CMAKE_C_LINK_EXECUTABLE CMAKE_C_CREATE_SHARED_LIBRARY)
    string(REPLACE "<LINK_FLAGS>" "<LINK_FLAGS> -fno-fast-math -fno-unsafe-math-optimizations" ${rule} "${${rule}}")
endforeach()

set(ABUT_PROCESSOR other)
set(position_independent ON)
set(is_x86 __SSE2_MATH__)
set(is_aarch64 __aarch64__)
set(is_wasm32 __wasm32__)
foreach(processor x86 aarch64 wasm32)
    set(processor_file ${environment_folder}/${processor}.c)
    file(WRITE ${processor_file} "#ifndef ${is_${processor}}\n#error\n#endif\nint main(void) { return 0; }\n")
    try_compile(abut_is_${processor} ${environment_folder} ${processor_file})
    set(abut_is_${processor} ${abut_is_${processor}} CACHE INTERNAL "")
    if(abut_is_${processor})
        set(ABUT_PROCESSOR ${processor})
    endif()
endforeach()
# A WebAssembly module has no address to be independent of, and loads more through tables with such code.
if(ABUT_PROCESSOR STREQUAL wasm32)
    set(position_independent OFF)
endif()
