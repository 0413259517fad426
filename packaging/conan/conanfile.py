# SPDX-License-Identifier: MIT
"""A recipe for Conan 2, which builds the repository that it stands in."""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Abut(ConanFile):
    name = "abut"
    description = "Which bounding volumes touch which, exactly, and many pairs at once"
    license = "MIT"
    topics = ("collision", "geometry", "simd", "broad-phase")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._root(), "include", "abut", "abut.h"))
        self.version = re.search(r'ABUT_VERSION "(.*)"', header).group(1)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, src=self._root(), dst=self.export_sources_folder)

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.21]")

    def requirements(self):
        # Headers that the library is compiled with; nothing of them is in its own headers.
        self.requires("simde/[>=0.7.6]", visible=False)

    def configure(self):
        self.settings.rm_safe("compiler.libcxx")
        self.settings.rm_safe("compiler.cppstd")

    def validate(self):
        if self.settings.compiler not in ("gcc", "clang", "apple-clang"):
            raise ConanInvalidConfiguration("abut needs gcc or clang")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part in ("CLI", "TESTS", "EXAMPLES"):
            toolchain.cache_variables[f"ABUT_BUILD_{part}"] = False
        include = self.dependencies["simde"].cpp_info.includedirs[0]
        toolchain.cache_variables["SIMDE_INCLUDE_DIR"] = include
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["abut"]
        self.cpp_info.set_property("cmake_file_name", "abut")
        self.cpp_info.set_property("cmake_target_name", "abut::abut")
        self.cpp_info.set_property("pkg_config_name", "abut")
        if self.options.shared:
            self.cpp_info.defines = ["ABUT_SHARED"]
        elif self.settings.os != "Windows":
            self.cpp_info.system_libs = ["m"]
