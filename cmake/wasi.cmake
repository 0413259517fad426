# SPDX-License-Identifier: MIT
# WebAssembly by clang, lld and wasi-libc, as scripts/setup.sh wasm installs them; Node runs the programs.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
find_program(WASI_AR NAMES llvm-ar-14 llvm-ar REQUIRED)
find_program(WASI_RANLIB NAMES llvm-ranlib-14 llvm-ranlib REQUIRED)
set(CMAKE_AR ${WASI_AR})
set(CMAKE_RANLIB ${WASI_RANLIB})
# clang warns that WebAssembly has no floating-point exceptions.
set(CMAKE_C_FLAGS_INIT "-Wno-unsupported-floating-point-opt")
# Told to optimise, a link would run wasm-opt, if that is installed, for a minute.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-O0 -Wl,-z,stack-size=1048576")
# Programs cannot run while configuring.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Of /usr/include only SIMDe is wanted: the rest belongs to another C library.
if(NOT SIMDE_INCLUDE_DIR AND EXISTS /usr/include/simde)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/simde_alone)
    file(CREATE_LINK /usr/include/simde ${CMAKE_BINARY_DIR}/simde_alone/simde SYMBOLIC)
    set(SIMDE_INCLUDE_DIR ${CMAKE_BINARY_DIR}/simde_alone CACHE PATH "Where the SIMDe headers are" FORCE)
endif()
