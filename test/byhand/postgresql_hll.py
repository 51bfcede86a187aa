#!/usr/bin/env python3
"""postgresql_hll.py: the regression tests of postgresql-hll, on its own extension and on probds_hll

    PSQL=psql python3 test/byhand/postgresql_hll.py /path/to/postgresql-hll

Makes the databases suite_theirs (extension hll) and suite_ours (probds_hll), runs each statement of
sql/*.sql in both, and compares what came out: errors, and results by what they mean.  Two sketches
agree if their registers do, two cardinalities if they differ by less than 10 %, two rows if all of
their columns do.  Prints each statement that differs, then the sums.
"""
import os
import re
import subprocess
import sys

PSQL = os.environ.get('PSQL', 'psql').split()
SUITE = sys.argv[1]


def psql(db, script):
    run = subprocess.run(PSQL + ['-X', '-q', '-At', '-d', db], input=script, cwd=SUITE, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return run.stdout


def statements(text):
    """The statements of a file; those of psql, that begin with a backslash, go with the next."""
    found, current, quote, skipped = [], '', None, 0
    for line in text.split('\n'):
        bare = line.strip()
        if quote is None and current.strip() == '' and (bare.startswith('--') or bare == ''):
            continue
        if quote is None and bare.startswith('\\'):
            if bare.lower().startswith('\\copy'):
                found.append(bare)
            continue
        current += line + '\n'
        if line.count('$$') % 2 == 1:
            quote = None if quote else '$$'
        if quote is None and re.sub(r'--.*$', '', line).rstrip().endswith(';'):
            found.append(current.strip())
            current = ''
    return found


def outputs(db, parts):
    script = 'SET statement_timeout = \'60s\';\nSET client_min_messages = error;\n'
    for n, part in enumerate(parts):
        script += f'\\echo @@{n}\n{part}\n'
    script += '\\echo @@end\nSELECT \'alive\';\n'
    out = psql(db, script)
    pieces = re.split(r'^@@(\w+)\n', out, flags=re.M)
    found = {pieces[i]: pieces[i + 1].strip() for i in range(1, len(pieces) - 1, 2)}
    return found, 'alive' in found.get('end', '')


HEX = re.compile(r'^\\x1[0-4][0-9a-f]+$')
BASE64 = re.compile(r'^E[A-Za-z0-9+/]+=*$')
NUMBER = re.compile(r'^-?[0-9.]+(e[-+]?\d+)?$')
sketch_pairs = {}


def same_sketch(theirs, ours):
    key = (theirs, ours)
    if key not in sketch_pairs:
        answer = psql('suite_ours', f"""SELECT t = o OR hll_to_storage_v1(t, NULL, 7, 0, 0)
            = hll_to_storage_v1(o, NULL, 7, 0, 0) FROM (SELECT '{theirs}'::hll, '{ours}'::hll)
            q(t, o);""")
        sketch_pairs[key] = answer.strip() == 't'
    return sketch_pairs[key]


def same_field(theirs, ours):
    """(do they agree, is it one of sets)"""
    if HEX.match(theirs) and BASE64.match(ours):
        return same_sketch(theirs, ours), True
    if NUMBER.match(theirs) and NUMBER.match(ours):
        a, b = float(theirs), float(ours)
        if re.match(r'^-?\d{17,}$', theirs):
            return theirs == ours, False
        return abs(a - b) <= max(1, 0.1 * abs(a)), True
    if theirs in ('t', 'f'):
        return theirs == ours, True
    return theirs == ours, False


def same_row_of_two(fields):
    if len(fields) != 3:
        return False
    a, b = fields[1:]
    if NUMBER.match(a) and NUMBER.match(b):
        return same_field(a, b)[0]
    return bool(BASE64.match(a) and BASE64.match(b)) and same_sketch(a, b)


def same(theirs, ours):
    if theirs == ours:
        return True, bool(HEX.match(theirs) or NUMBER.match(theirs) or theirs in ('t', 'f'))
    rows_t, rows_o = theirs.split('\n'), ours.split('\n')
    if theirs == '':
        # rows that differ from what postgresql-hll has: of a number, what it has and what it is
        return all(same_row_of_two(row.split('|')) for row in rows_o), True
    if len(rows_t) != len(rows_o):
        return False, True
    agree, sets = True, False
    for t, o in zip(rows_t, rows_o):
        fields_t, fields_o = t.split('|'), o.split('|')
        if len(fields_t) != len(fields_o):
            return False, False
        for a, b in zip(fields_t, fields_o):
            ok, of_sets = same_field(a, b)
            agree, sets = agree and ok, sets or of_sets
    return agree, sets


def main():
    for db, extension in (('suite_theirs', 'hll'), ('suite_ours', 'probds_hll CASCADE')):
        psql('postgres', f'DROP DATABASE IF EXISTS {db};\nCREATE DATABASE {db} TEMPLATE template0;')
        psql(db, f'CREATE EXTENSION {extension};')
    sums = dict.fromkeys(['files', 'statements', 'error in both', 'only theirs runs',
                          'only ours runs', 'run in both', 'of sets', 'of sets, agree',
                          'others', 'others, agree', 'sessions lost'], 0)
    for name in sorted(os.listdir(SUITE + '/sql')):
        if not name.endswith('.sql') or name == 'setup.sql':
            continue
        sums['files'] += 1
        with open(f'{SUITE}/sql/{name}', encoding='utf-8') as f:
            parts = statements(f.read())
        theirs, _ = outputs('suite_theirs', parts)
        ours, alive = outputs('suite_ours', parts)
        sums['sessions lost'] += not alive
        for n, part in enumerate(parts):
            t, o = theirs.get(str(n), 'lost'), ours.get(str(n), 'lost')
            failed_t, failed_o = 'ERROR:' in t or 'error:' in t, 'ERROR:' in o or 'error:' in o
            sums['statements'] += 1
            verdict = None
            if failed_t and failed_o:
                sums['error in both'] += 1
            elif failed_o:
                sums['only theirs runs'] += 1
                verdict = 'only theirs runs'
            elif failed_t:
                sums['only ours runs'] += 1
                verdict = 'only ours runs'
            else:
                sums['run in both'] += 1
                agree, sets = same(t, o)
                sets = sets and not re.match(r'explain|.*hll_print', part, re.I | re.S)
                what = 'of sets' if sets else 'others'
                sums[what] += 1
                sums[what + ', agree'] += agree
                if not agree:
                    verdict = what
            if verdict:
                short = ' '.join(part.split())
                print(f'{name} {n}: {verdict}: {short[:160]}\n    {t[:150]!r}\n    {o[:150]!r}')
    for key, value in sums.items():
        print(f'{key}: {value}')


main()
