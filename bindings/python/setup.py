# SPDX-License-Identifier: MIT
"""Builds the C library by CMake, then the extension with it. ABUT_LIBRARY names a libabut.a that is built already."""
import os
import shutil
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
# A source distribution carries the library; in the repository it is two folders up.
LIBRARY = HERE / "library" if (HERE / "library").is_dir() else HERE.parents[1]
PARTS = ["CMakeLists.txt", "LICENSE", "cmake", "include", "src", "examples/pool.c", "examples/pool.h"]


class BuildExtension(build_ext):
    def build_extensions(self):
        archive = os.environ.get("ABUT_LIBRARY")
        if not archive:
            print("abut: building the C library, some minutes", flush=True)
            archive = self.build_library()
        print(f"abut: building the extension with {archive}", flush=True)
        for extension in self.extensions:
            extension.extra_objects = [archive]
        super().build_extensions()

    def build_library(self):
        folder = Path(self.build_temp).resolve() / "library"
        off = ["-DABUT_BUILD_CLI=OFF", "-DABUT_BUILD_TESTS=OFF", "-DABUT_BUILD_EXAMPLES=OFF", "-DABUT_INSTALL=OFF"]
        # CMake's own choice is make, which a machine may lack.
        generator = ["-G", "Ninja"] if shutil.which("ninja") and "CMAKE_GENERATOR" not in os.environ else []
        settings = ["-DCMAKE_BUILD_TYPE=Release", *off]
        subprocess.run(["cmake", "-S", LIBRARY, "-B", folder, *generator, *settings], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "abut", "--parallel"], check=True)
        return str(folder / "libabut.a")


class SourceDistribution(sdist):
    def make_release_tree(self, base, files):
        super().make_release_tree(base, files)
        for part in PARTS:
            source, target = LIBRARY / part, Path(base) / "library" / part
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target)
            else:
                shutil.copy(source, target)


def version():
    lines = (LIBRARY / "include/abut/abut.h").read_text().splitlines()
    return next(line.split('"')[1] for line in lines if line.startswith("#define ABUT_VERSION \""))


def relative(path):
    return os.path.relpath(path, HERE)


setup(
    version=version(),
    ext_modules=[
        Extension(
            "abut._abut",
            sorted(relative(p) for p in (HERE / "src").glob("*.c")) + [relative(LIBRARY / "examples/pool.c")],
            include_dirs=[str(LIBRARY / part) for part in ("include", "src", "examples")],
            libraries=["m", "pthread"],
            extra_compile_args=["-std=c11", "-fvisibility=hidden"],
            extra_link_args=["-Wl,--exclude-libs,ALL"],
            py_limited_api=True,
        )
    ],
    cmdclass={"build_ext": BuildExtension, "sdist": SourceDistribution},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
