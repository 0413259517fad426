// SPDX-License-Identifier: MIT
// The tests of cpp_status.cc, compiled without exceptions, where abut.hpp returns statuses unasked.
#ifdef __cpp_exceptions
#error "compile this file with -fno-exceptions"
#endif
#define status_mode_works without_exceptions_works
#include "cpp_status.cc"
