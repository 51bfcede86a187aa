#!/bin/sh
# command_test.sh: the command probds, and the examples of its man page
#
# It takes build/unit/probds, which make check-unit builds with the sanitizers, or PROBDS.
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
PROBDS=${PROBDS:-$PWD/build/unit/probds}
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
cd "$W" || exit 1
ln -s "$PROBDS" probds
PATH=$W:$PATH
export ASAN_OPTIONS=detect_leaks=0 LC_ALL=C
rc=0

# check NAME STATUS OUTPUT COMMAND...: it ends like that; its sentence is in "said"
check() {
    name=$1 status=$2 output=$3
    shift 3
    got=$("$@" 2>said)
    was=$?
    if [ $was = "$status" ] && [ "$got" = "$output" ]; then
        if [ "$status" != 2 ] || { [ "$(wc -l <said)" = 1 ] && grep -q '^probds: .' said; }; then
            echo "ok - command: $name"
            return
        fi
    fi
    echo "not ok - command: $name: status $was, \"$got\", $(head -c 300 said)"
    rc=1
}

sh_() { sh -c "$1"; }

awk 'BEGIN { for (i = 1; i <= 1000; i++) print i }' >thousand
awk 'BEGIN { for (i = 501; i <= 1500; i++) print i }' >more

check 'hll counts' 0 1000 probds hll thousand
check 'hll counts standard input' 0 1000 sh_ 'probds hll <thousand'
check 'hll counts several files' 0 1500 probds hll thousand more
check 'a last line without its end' 0 3 sh_ 'printf "a\nb\nc" | probds hll'
check 'no line' 0 0 sh_ 'probds hll </dev/null'
check 'lines that end with a zero byte' 0 2 sh_ 'printf "a\nb\0c\0" | probds hll -0'
check 'a sketch is kept' 0 '' probds hll -o a.hll thousand
check 'as base64' 0 '' probds hll --base64 -o b.txt more
check 'as hexadecimal digits' 0 '' probds hll --hex -o c.txt more
check 'merge' 0 1500 probds merge a.hll b.txt c.txt
check 'merge keeps' 0 '' probds merge -o m.hll a.hll b.txt
check 'merge and build are the same bytes' 0 '' sh_ 'probds hll -o d.hll thousand more; cmp m.hll d.hll'
check 'info' 0 'parameters	precision=14' sh_ 'probds info a.hll | grep parameters'
check 'empty hll as text' 0 'EQAADg==' sh_ 'probds hll --base64 </dev/null'
check 'bloom' 0 '' probds bloom -n 1e4 -o seen thousand
check 'contains finds all' 0 1000 probds contains -c seen thousand
check 'contains prints lines' 0 7 sh_ 'printf "7\nno\n" | probds contains seen'
check 'contains -v' 0 no sh_ 'printf "7\nno\n" | probds contains -v seen'
check 'contains -q' 0 '' sh_ 'printf "7\nno\n" | probds contains -q seen'
check 'contains finds none' 1 '' sh_ 'echo no | probds contains seen'
check 'contains -c finds none' 1 0 sh_ 'echo no | probds contains -c seen'
check 'topk' 0 '3	b
1	a' sh_ 'printf "b\na\nb\nb\n" | probds topk 20'
check 'ddsketch' 0 '0.5	3' sh_ 'printf "1\n3\n1e3\n" | probds ddsketch -q 0.5 | cut -c 1-5'
check 'ddsketch of nothing' 0 '' sh_ 'probds ddsketch </dev/null'
check 'fuse' 0 1000 probds fuse thousand
check 'fuse contains all' 0 1000 sh_ 'probds fuse --rate=1e-9 -o fuse thousand; cat thousand more | probds contains fuse | sort -u | wc -l | tr -d " "'
check 'cms and frequency' 0 '2	x
0	y' sh_ 'printf "x\nx\n" | probds cms -o f; printf "x\ny\n" | probds frequency f'
check 'cuckoo' 0 '' sh_ 'probds cuckoo -n 2000 -o ck thousand'
check 'cuckoo contains' 0 500 sh_ 'probds contains -c ck thousand | head -c 0; probds contains ck more | head -n 500 | wc -l | tr -d " "'
check 'minhash and jaccard' 0 0.333333 sh_ 'probds minhash --k=4096 -o x thousand; probds minhash --k 4096 -o y more; probds jaccard x y'
check 'types of lines' 0 1 sh_ 'printf "1\n01\n+1\n" | probds hll -t int'
check 'a number that is all but zero, and infinity' 0 3 \
    sh_ 'printf "4.9e-324\n0\n-0\nInfinity\n" | probds hll -t float'
check 'help' 0 'usage: probds TYPE [OPTION]... [FILE]...     a sketch of the lines of files' \
    sh_ 'probds --help | head -n 1'

for wrong in 'probds' 'probds nothing' 'probds hll --what' 'probds hll -x' 'probds hll -o' \
    'probds hll --precision=99 thousand' 'probds hll --precision' 'probds hll -t colour' \
    'probds hll nofile' 'probds hll .' 'probds merge' 'probds merge nofile' 'probds info' \
    'probds contains' 'probds contains nofile' 'probds jaccard a.hll' 'probds merge a.hll seen' \
    'probds contains a.hll thousand' 'probds frequency a.hll thousand' 'probds cuckoo thousand' \
    'probds hll -t int words' 'probds ddsketch words' 'probds topk binary' 'probds info thousand' \
    'probds info cut' 'probds info long' 'probds info nothing' 'probds merge a.hll numbers.hll' \
    'probds contains -t int seen thousand' 'probds hll -o /nowhere/x thousand' \
    'probds ddsketch -q 2 thousand' 'probds ddsketch -q x thousand' 'probds jaccard a.hll x' \
    'probds merge fuse fuse' 'probds fuse -n 5 thousand' \
    'probds bloom -n 1e30 thousand' 'probds bloom -n 1,2 thousand' 'probds hll --null=x thousand' \
    'probds hll -c thousand' 'probds frequency -v f thousand' 'probds contains -o x seen thousand' \
    'probds info --hex a.hll' 'probds jaccard -k 5 x y' 'probds merge --quiet a.hll' \
    'probds ddsketch --quantiles= thousand' 'probds info zero' 'probds contains seen .' \
    'probds contains -t uuid none control' 'probds hll -t int control' \
    'probds merge --precision=10 a.hll a.hll' 'probds info -t int a.hll' \
    'probds hll -t float far' 'probds ddsketch far' 'probds hll -t float near'
do
    case $wrong in
        probds) echo "ok - command: without arguments"; continue ;;
    esac
    echo word >words
    echo -1e400 >far
    echo 1e-400 >near
    printf '\377\376\n' >binary
    head -c 100 a.hll >cut
    { cat a.hll; echo; } >long
    : >nothing
    printf 'EQAADg==\0' >zero
    printf 'a\033[2J\rb\n' >control
    probds bloom -n 9 -o none nothing
    probds hll -t int -o numbers.hll thousand
    check "refuses: $wrong" 2 '' $wrong
done
probds >/dev/null 2>&1
[ $? = 2 ] || { echo "not ok - command: without arguments"; rc=1; }

if [ -w /dev/full ]; then
    check 'a full disk' 2 '' sh_ 'probds hll thousand >/dev/full'
    check 'a full disk for a sketch' 2 '' probds hll -o /dev/full thousand
    check 'a full disk for lines' 2 '' sh_ 'probds contains seen thousand >/dev/full'
fi
check 'no control character in a sentence' 0 0 sh_ \
    'probds hll -t int control 2>&1 | head -n 1 | tr -d " -~\n" | wc -c | tr -d " "'
check 'a line with line feeds has one sentence' 2 '' sh_ 'printf "a\nb\0" | probds hll -0 -t int'
check 'closed standard input' 2 '' sh_ 'probds hll <&-'
check 'closed standard input is not the file before' 2 '' sh_ 'probds contains seen - <&-'
check 'closed standard output' 2 '' sh_ 'probds contains seen thousand >&-'
check 'a sketch without open files' 0 '' sh_ 'probds hll -o closed thousand <&- >&- 2>&- && cmp closed a.hll'
awk 'BEGIN { for (i = 0; i < 100000; i++) print "no " i }' >grows
cp grows same
check 'output into the file that is read' 2 '' sh_ 'probds contains -v seen grows >>grows'
check 'it stays as it was' 0 '' cmp grows same
check 'its count may go there' 0 '' sh_ 'probds contains -vc seen grows >>grows && test "$(wc -l <grows)" -eq 100001'
# the status of the first command of a pipe that takes less than it writes
awk 'BEGIN { for (i = 0; i < 200000; i++) print "no " i }' >large
check 'a closed pipe' 0 2 sh_ '{ probds contains -v seen large 2>pipe; echo $? >pipe.status; } |
    head -c 1 >first; cat pipe.status'
check 'a closed pipe has its sentence' 0 1 sh_ 'grep -c "^probds: cannot write to standard output" pipe'

# the example of libprobds(3)
if command -v cc >/dev/null && [ -e "$ROOT/build/lib/libprobds.a" ]; then
    awk '/^#include <probds.h>$/ && ++n == 2 { f = 1 } /^\.fi/ { f = 0 } f' "$ROOT/clients/c/libprobds.3" |
        sed 's/\\e/\\/g' >example.c
    check 'the example of libprobds(3)' 0 300 \
        sh_ "cc -I$ROOT/clients/c -o example example.c $ROOT/build/lib/libprobds.a -lm && ./example"
fi

# binary lines, long lines, bytes that are damaged: never another status
awk 'BEGIN { srand(7); for (i = 0; i < 40000; i++) printf "%c", int(rand() * 256) }' >noise
for type in hll 'bloom -n 1000' cms 'cuckoo -n 1000' minhash scalable_bloom; do
    check "binary lines: $type" 0 '' sh_ "probds $type -o n.sk noise"
    check "binary lines with zero bytes: $type" 0 '' sh_ "probds $type -0 -t bytes -o n.sk noise"
done
check 'a line of 3 MB' 0 1 sh_ "awk 'BEGIN { for (i = 0; i < 300000; i++) printf \"0123456789\" }' | probds hll"
for i in 1 2 3 4 5 6 7 8 9; do
    awk -v seed=$i 'BEGIN { srand(seed); for (i = 0; i < 60; i++) printf "%c", int(rand() * 256) }' |
        probds info - >/dev/null 2>said
    [ $? = 2 ] && grep -q '^probds: ' said || { echo "not ok - command: noise $i"; rc=1; }
done

# the examples of the man page: a line that begins with "$ " and what it prints
man=$ROOT/clients/command/probds.1
awk '/^\$ / { if (n) close("example." n); n++; f = "example." n; print substr($0, 3) > f; next }
    /^\.fi/ { f = "" }
    f && !/^\./ { print > (f ".out") }' "$man"
[ -e example.1 ] || { echo "not ok - command: no examples in $man"; rc=1; }
rm -f access.log
awk 'BEGIN { for (i = 0; i < 5000; i++) print "10.0." i % 7 "." i % 90, "/" (i % 3 ? i % 13 : "index"), i % 50 + 1 }' >access.log
n=1
while [ -e example.$n ]; do
    # in troff, \e is a backslash and \- a minus sign
    sed 's/\\-/-/g; s/\\e/\\/g' example.$n >run
    [ ! -e example.$n.out ] || sed -i 's/\\-/-/g; s/\\e/\\/g' example.$n.out
    touch example.$n.out
    sh run >got 2>&1
    if cmp -s got example.$n.out; then
        printf "ok - command: example: %s\n" "$(head -n 1 run)"
    else
        printf "not ok - command: example: %s: %s\n" "$(head -n 1 run)" "$(head -c 300 got)"
        rc=1
    fi
    n=$((n + 1))
done
exit $rc
