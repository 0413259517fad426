#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the tables of predicates from predicates.def and the comments of abut.h: which shapes have which predicates, and
# the question, formula and function of each.
# usage: scripts/predicates.sh                   prints the tables of the README
#        scripts/predicates.sh README HEADER     replaces the tables in copies of README.md and abut.h, or in themselves
set -eu
cd "$(dirname "$0")/.."

# matrix FORM: T, I, C and D of each pair of shapes, as abut.h has them, or in words, as README.md
matrix() {
    awk -v form="$1" '
        /^((BLOCK_|SCALAR_)?PREDICATE|DISTANCE)\(/ {
            distance = /^DISTANCE/
            gsub(/[(),]/, " ")
            relation[$3, $4, distance ? "distance" : $5] = 1
        }
        function add(text) { cell = cell (cell == "" ? "" : form == "README" ? ", " : " ") text }
        function cell_of(a, b) {
            cell = ""
            if ((a, b, "in") in relation) add(form == "README" ? "inside" : "T=I")
            if ((a, b, "touches") in relation || (b, a, "touches") in relation) add(form == "README" ? "touches" : "T")
            if ((a, b, "inside") in relation) add(form == "README" ? "inside" : "I")
            if ((a, b, "cull") in relation) add(form == "README" ? "cull" : "C")
            if ((a, b, "distance") in relation) add(form == "README" ? "distance" : "D")
            return cell
        }
        END {
            rows = split("point sphere segment capsule triangle aabb obb hull", row, " ")
            columns = split("sphere aabb obb plane segment capsule triangle hull", column, " ")
            for (i in row) title[row[i]] = row[i]
            title["aabb"] = "AABB"; title["obb"] = "OBB"; title["plane"] = "half space"; title["hull"] = "hull"
            line = form == "README" ? "| |" : sprintf(" *     %-11s", "")
            for (k = 1; k <= columns; k++) {
                name = title[column[k]]
                width[k] = (length(name) > 5 ? length(name) : 5) + 2
                line = line (form == "README" ? " " name " |" : sprintf("%-" width[k] "s", name))
            }
            sub(/ +$/, "", line)
            print line
            if (form == "README")
                print "|---|---|---|---|---|---|---|---|---|"
            for (i = 1; i <= rows; i++) {
                line = form == "README" ? "| " title[row[i]] " |" : sprintf(" *     %-11s", title[row[i]])
                for (k = 1; k <= columns; k++) {
                    text = cell_of(row[i], column[k])
                    if (form == "README")
                        line = line (text == "" ? " |" : " " text " |")
                    else
                        line = line sprintf("%-" width[k] "s", text)
                }
                sub(/ +$/, "", line)
                print line
            }
        }' src/tables/predicates.def
}

# The comment above each function, from its first colon to the end of the sentence.
table() {
    awk '
        FILENAME == ARGV[1] && /^(BLOCK_|SCALAR_)?PREDICATE\(/ {
            gsub(/[(),]/, " ")
            order[++n] = $NF
        }
        FILENAME == ARGV[2] && /^ *\/\*/ { comment = ""; inside = 1 }
        FILENAME == ARGV[2] && inside {
            line = $0
            inside = !sub(/ *\*\/.*$/, "", line)
            sub(/^ *\/?[*]+ ?/, "", line)
            comment = comment (comment == "" ? "" : " ") line
            next
        }
        FILENAME == ARGV[2] && /^ABUT_PREDICATE\(/ {
            name = $0
            sub(/^ABUT_PREDICATE\(/, "", name)
            sub(/,.*/, "", name)
            said[name] = comment
            comment = ""
        }
        END {
            print "| question | true when | function |"
            print "|---|---|---|"
            for (i = 1; i <= n; i++) {
                text = said[order[i]]
                colon = index(text, ": ")
                if (colon == 0) {
                    print "scripts/predicates.sh: the comment of " order[i] " has no colon" >"/dev/stderr"
                    exit 1
                }
                formula = substr(text, colon + 2)
                sub(/\.( .*|$)/, "", formula) # the first sentence, and not a dot of n.c
                gsub(/\|/, "\\|", formula)
                printf "| %s | %s | `%s` |\n", substr(text, 1, colon - 1), formula, order[i]
            }
        }' src/tables/predicates.def include/abut/abut.h
}

if [ $# -eq 0 ]; then
    matrix README
    echo
    table
    exit
fi
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
matrix README >"$made/matrix"
matrix abut.h >"$made/of_header"
table >"$made/table"

# Between the comments that name a table.
awk -v made="$made" '
    /^<!-- (matrix|predicates) -->$/ {
        print
        file = made (/matrix/ ? "/matrix" : "/table")
        while ((getline line <file) > 0) print line
        skip = 1
    }
    /^<!-- \/(matrix|predicates) -->$/ { skip = 0 }
    !skip' "$1" >"$made/readme"
# From the line of columns to the empty line after the rows.
awk -v file="$made/of_header" '
    /^ \* +sphere +AABB +OBB / { while ((getline line <file) > 0) print line; skip = 1 }
    /^ \*$/ { skip = 0 }
    !skip' "$2" >"$made/header"
cat "$made/readme" >"$1"
cat "$made/header" >"$2"
