#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the table of all predicates from predicates.def and the comments of abut.h: question, formula, function.
# usage: scripts/predicates.sh            prints it
#        scripts/predicates.sh README     replaces the text between <!-- predicates --> and <!-- /predicates -->
set -eu
cd "$(dirname "$0")/.."

# The comment above each function, from its first colon to the end of the sentence.
table() {
    awk '
        FILENAME == ARGV[1] && /^(SCALAR_)?PREDICATE\(/ {
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
    table
    exit
fi
made=$(mktemp)
trap 'rm -f "$made" "$made.readme"' EXIT
table >"$made"
awk -v table="$made" '
    /^<!-- predicates -->$/ { print; while ((getline line <table) > 0) print line; skip = 1 }
    /^<!-- \/predicates -->$/ { skip = 0 }
    !skip' "$1" >"$made.readme"
cat "$made.readme" >"$1"
