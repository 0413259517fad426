# SPDX-License-Identifier: MIT
# Asks the compiler, with all flags in use, for the floating-point environment (environment.c) and the processor.

get_directory_property(environment_flags COMPILE_OPTIONS)
foreach(configuration ${CMAKE_BUILD_TYPE} ${CMAKE_CONFIGURATION_TYPES})
    string(TOUPPER ${configuration} configuration)
    separate_arguments(configuration_flags UNIX_COMMAND "${CMAKE_C_FLAGS_${configuration}}")
    list(APPEND environment_flags ${configuration_flags})
endforeach()
# Generator expressions have no value yet.
list(FILTER environment_flags EXCLUDE REGEX "\\$<")

try_compile(environment_ok
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/environment.c
    COMPILE_DEFINITIONS ${environment_flags}
    OUTPUT_VARIABLE environment_output
    NO_CACHE)
# Parts of -ffast-math that no macro tells of.
set(unsafe_flags "-f(unsafe-math-optimizations|associative-math|reciprocal-math|no-signed-zeros)")
string(REGEX MATCH "${unsafe_flags}" unsafe_flag "${CMAKE_C_FLAGS};${environment_flags}")
if(unsafe_flag OR NOT environment_ok)
    list(JOIN environment_flags " " environment_flags)
    message(FATAL_ERROR "abut cannot be exact with these flags: ${CMAKE_C_FLAGS} ${environment_flags}\n"
        "${unsafe_flag}\n${environment_output}")
endif()

set(ABUT_PROCESSOR other)
foreach(processor x86_64 aarch64)
    try_compile(is_processor
        SOURCE_FROM_CONTENT processor.c "#ifndef __${processor}__\n#error\n#endif\nint main(void) { return 0; }\n"
        NO_CACHE)
    if(is_processor)
        set(ABUT_PROCESSOR ${processor})
    endif()
endforeach()
