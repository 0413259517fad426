#!/bin/sh
# SPDX-License-Identifier: MIT
# Completion of command lines: the words that the function of bash proposes, and the script of zsh.
# usage: ABUT="path of abut" complete.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/fixtures.sh"

expect "another shell" 2 '' "abut: complete takes bash or zsh, not 'fish'|" abut complete fish
expect "no shell" 2 '' 'abut: complete takes bash or zsh: abut complete SHELL|' abut complete
for shell in bash zsh; do
    abut complete $shell -o script.$shell
    same "complete $shell" "0 yes" "$? $([ -s script.$shell ] && echo yes)"
done

# proposed WORD...: what bash proposes for the last of these words, on one line
proposed() {
    bash -c '. ./script.bash
        COMP_WORDS=(abut "$@") COMP_CWORD=$#
        _abut abut "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" || exit 1
        echo "${COMPREPLY[*]}"' bash "$@"
}
if command -v bash >/dev/null; then
    commands=$(abut --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
    same "bash: a command" join "$(proposed j)"
    same "bash: commands" "$(echo $commands) help --help --version" "$(proposed '')"
    same "bash: pages of help" "$(echo $commands)" "$(proposed help '')"
    same "bash: shells" 'zsh' "$(proposed complete z)"
    for command in $commands; do
        options=$(abut help "$command" | sed -n '/^options:/,/^$/s/^  \(-[-a-z0-9]*\) .*/\1/p')
        same "bash: options of $command" "$(echo $options)" "$(proposed "$command" -)"
        for option in $options; do
            # A name in capitals stands for a value: none of the others has choices.
            case $(abut help "$command" | sed -n "s/^  $option  *\([A-Z,]*\) .*/\1/p") in
            RULE | SIDE | KIND | RANGE | ORDER | NAME) [ "$option" != --isa ] || continue ;;
            *) continue ;;
            esac
            values=$(proposed "$command" $option '')
            same "bash: $command $option has values" yes "$([ -n "$values" ] && echo yes)"
            for value in $values; do
                abut "$command" $option "$value" --help >/dev/null 2>&1
                same "bash: $command $option $value is accepted" 0 $?
                [ -z "$slow" ] || break
            done
            same "bash: $command $option=" "$values" "$(proposed "$command" $option =)"
            begun=$(printf %.2s "$values")
            same "bash: $command $option=, begun" \
                "$(echo "$values" | tr ' ' '\n' | grep "^$begun" | paste -sd' ' -)" \
                "$(proposed "$command" $option = "$begun")"
        done
    done
    same "bash: options behind files" '--touch --ties --threads' "$(proposed nearest a.csv b.csv --t)"
    same "bash: a value is not a command" '--count --closest' "$(proposed nearest -o join --c | sed 's/--columns-[ab] //g')"
    # Nothing: bash goes on with names of files.
    for words in 'join ' 'join spheres.csv ' 'join -o ' 'self --svg ' 'join --periodic ' 'frustum --matrix '; do
        same "bash: files behind '$words'" '' "$(IFS=' ' && proposed $words '')"
    done
    same "bash: it completes abut" 'complete -o default -F _abut abut' "$(bash -c '. ./script.bash; complete -p abut')"
else
    skip "there is no bash"
fi
if command -v zsh >/dev/null; then
    same "zsh reads its script" '' "$(zsh -n script.zsh 2>&1)"
else
    skip "there is no zsh"
fi
for command in join nearest frustum selftest; do
    options=$(abut help $command | sed -n '/^options:/,/^$/s/^  \(-[-a-z0-9]*\) .*/\1/p' | sort | paste -sd' ' -)
    same "zsh: options of $command" "$options" \
        "$(sed -n "/^$command)/,/;;/s/^ *'\(-[-a-z0-9]*\)[=\[].*/\1/p" script.zsh | sort | paste -sd' ' -)"
done

finish complete
