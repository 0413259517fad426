#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files of random numbers that NumPy and plain Python write: the command reads the numbers that they do.

usage: differential.py ABUT [SECONDS [SEED]]; ABUT may be several words. Exit status 77: there is no NumPy.
Every file holds points, which come back as the points of all of space that are closest to them.
"""
import fractions
import gzip
import os
import random
import shlex
import struct
import subprocess
import sys
import tempfile
import time

try:
    import numpy
except ImportError:
    print("skipped: there is no NumPy")
    sys.exit(77)

EVERYTHING = "minx,miny,minz,maxx,maxy,maxz\n-inf,-inf,-inf,inf,inf,inf\n"
TYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]


def nearest_float32(text):
    """The float32 nearest to a decimal number, ties to even, by fractions alone."""
    value = fractions.Fraction(text)
    size = abs(value)
    if size == 0:
        return 0.0
    exponent = -149
    while size >= fractions.Fraction(2) ** (exponent + 24):
        exponent += 1
    unit = fractions.Fraction(2) ** exponent
    result = round(size / unit) * unit  # round() of a fraction goes to even
    return float(result if value > 0 else -result)


def some_number(rng):
    """A decimal number, of a form that people and programs write."""
    form = rng.randrange(6)
    if form == 0:
        return str(rng.randint(-20, 20))
    if form == 1:
        return repr(rng.uniform(-1e6, 1e6))
    if form == 2:
        return "%.*e" % (rng.randint(0, 25), rng.uniform(-1, 1) * 10.0 ** rng.randint(-48, 37))
    if form == 3:  # half between two float32 numbers, or a digit beside it
        word = rng.randrange(1, 0x7F000000)
        low, high = (fractions.Fraction(struct.unpack("f", struct.pack("I", w))[0]) for w in (word, word + 1))
        half = (low + high) / 2
        power = 0
        while half.denominator > 1:
            half *= 10
            power += 1
        digits = str(half.numerator)
        return digits + rng.choice(["", ".0", ".0001", ".000"]) + "e-%d" % power
    if form == 4:
        return rng.choice(["+", "-", ""]) + rng.choice(
            [".5", "5.", "0.1", "16777217", "1e-45", "7e-46", "3.4028235e38"])
    return "%.*f" % (rng.randint(0, 9), rng.gauss(0, 100))


def random_column(rng, kind, rows):
    """Finite numbers of a type, some of them at its ends."""
    if kind[0] == "f":
        most = {"f2": 6e4, "f4": 3e38, "f8": 3e38}[kind]
        values = [rng.choice([rng.gauss(0, 9), rng.uniform(-most, most), rng.gauss(0, 1) * 10.0 ** rng.randint(-46, 4)])
                  for _ in range(rows)]
        return numpy.array(values, dtype=kind)
    limits = numpy.iinfo(kind)
    values = [rng.choice([rng.randint(limits.min, limits.max), rng.randint(max(limits.min, -9), 9), limits.max])
              for _ in range(rows)]
    return numpy.array(values, dtype=kind)


def write_npy(rng, name):
    """An array of one type. NumPy rounds integers to float32 at once, too."""
    rows, columns = rng.randrange(0, 400), rng.choice([3, 3, 4, 6, 15])
    kind = rng.choice(TYPES)
    array = numpy.array([random_column(rng, kind, rows) for _ in range(columns)], dtype=kind).reshape(columns, rows).T
    array = array.astype(array.dtype.newbyteorder(rng.choice("<>")), order=rng.choice("CF"))
    numpy.save(name, array)
    return array[:, :3].astype(numpy.float32), ["--kind-a", "points"]


def write_structures(rng, name):
    """An array of structures: the coordinates among members that no kind has."""
    others = [("id", "u4"), ("name", "U3"), ("label", "S5"), ("flag", "?"), ("weight", "f8"), ("pair", "f4", (2,)),
              ("inner", [("x", "f4"), ("b", "i2")])]
    members = [(axis, rng.choice("<>") + rng.choice(TYPES)) for axis in "xyz"] + rng.sample(others, rng.randrange(0, 5))
    rng.shuffle(members)
    array = numpy.zeros(rng.randrange(0, 200), dtype=numpy.dtype(members, align=rng.choice([True, False])))
    for axis in "xyz":
        array[axis] = random_column(rng, array.dtype[axis].str[1:], len(array))
    numpy.save(name, array)
    return numpy.array([array[axis].astype(numpy.float32) for axis in "xyz"]).T, ["--kind-a", "points"]


def write_csv(rng, name):
    rows = [[some_number(rng) for _ in range(3)] for _ in range(rng.randrange(0, 60))]
    comma, end = rng.choice([",", ";", "\t", " "]), rng.choice(["\n", "\r\n"])
    extra = rng.random() < 0.5
    lines = [comma.join(["name"] * extra + ["x", "y", "z"])]
    for row in rows:
        text = rng.choice(["a", '"b"', '"a%sb"' % comma, '"say ""b"""'])
        lines.append(comma.join([text] * extra + [('"%s"' % n if rng.random() < 0.1 else n) for n in row]))
    with open(name, "w", newline="") as file:
        file.write(end.join(lines) + rng.choice(["", end]))
    return numbers_of(rows), []


def numbers_of(rows):
    return numpy.array([[nearest_float32(number) for number in row] for row in rows]).reshape(-1, 3)


def write_obj(rng, name):
    rows = [[some_number(rng) for _ in range(3)] for _ in range(rng.randrange(1, 60))]
    with open(name, "w") as file:
        for row in rows:
            file.write("v " + rng.choice([" ", "\t"]).join(row) + rng.choice(["\n", " 1\n", "\r\n", " # here\n"]))
            file.write(rng.choice(["", "vn 0 0 1\n", "g part\n"]))
    return numbers_of(rows), ["--kind-a", "points"]


def write_ply(rng, name):
    kind = rng.choice(TYPES[:6] + ["f4", "f8"])
    names = dict(zip(TYPES, ["char", "uchar", "short", "ushort", "int", "uint", "", "", "", "float", "double"]))
    order = rng.choice(["binary_little_endian", "binary_big_endian"])
    rows = rng.randrange(1, 60)
    array = numpy.array([random_column(rng, kind, rows) for _ in range(3)], dtype=kind).T
    with open(name, "wb") as file:
        file.write(("ply\nformat %s 1.0\nelement vertex %d\n" % (order, rows)).encode())
        for axis in "xyz":
            file.write(("property %s %s\n" % (names[kind], axis)).encode())
        file.write(b"end_header\n")
        file.write(array.astype(array.dtype.newbyteorder("<" if "little" in order else ">"), order="C").tobytes())
    return array.astype(numpy.float32), []


def main():
    command = shlex.split(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 0
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    end, files, rows = time.monotonic() + seconds, 0, 0
    writers = [(write_npy, ".npy"), (write_structures, ".npy"), (write_csv, ".csv"), (write_obj, ".obj"),
               (write_ply, ".ply")]
    with tempfile.TemporaryDirectory() as folder:
        everything, out = os.path.join(folder, "everything.csv"), os.path.join(folder, "out.csv")
        with open(everything, "w") as file:
            file.write(EVERYTHING)
        has_gzip = b"gzip" in subprocess.run(command + ["info"], stdout=subprocess.PIPE, check=True).stdout
        while files < 60 or time.monotonic() < end:
            rng = random.Random(seed)
            write, ending = writers[files % len(writers)]
            name = os.path.join(folder, "in" + ending)
            right, options = write(rng, name)
            if has_gzip and rng.random() < 0.2:
                with open(name, "rb") as file, gzip.open(name + ".gz", "wb") as packed:
                    packed.write(file.read())
                name += ".gz"
            run = subprocess.run(command + ["distance", name, everything, "--quiet", "-o", out] + options,
                                 stderr=subprocess.PIPE)
            if run.returncode:
                print("FAILED %s, seed %d: %s" % (write.__name__, seed, run.stderr.decode()))
                return 1
            with open(out) as file:
                read = numpy.array([[float(n) for n in line.split(",")[1:]] for line in file.readlines()[1:]])
            read = read.reshape(-1, 3).astype(numpy.float32)
            place = "%s, seed %d" % (write.__name__, seed)
            if len(read) != len(right):
                print("FAILED %s: %d rows, not %d" % (place, len(read), len(right)))
                return 1
            wrong = numpy.flatnonzero((read != right.astype(numpy.float32)).any(axis=1))
            if len(wrong):
                print("FAILED %s: row %d is %s, not %s" % (place, wrong[0], read[wrong[0]], right[wrong[0]]))
                return 1
            files, rows, seed = files + 1, rows + len(right), seed + 1
    print("differential: %d files, %d rows" % (files, rows))
    return 0 if rows > 1000 else 1


if __name__ == "__main__":
    sys.exit(main())
