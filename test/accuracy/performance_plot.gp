# performance_plot.gp: performance_rows.svg and performance_sizes.svg, from the figures of
# test/bench/growth.sh; see plot.gp

# the lines of one part and job
of(part, job) = sprintf("< awk -F'\t' 'NR == 1 || ($1 == \"%s\" && $2 == \"%s\")' %s", part, job, data)
green  = '#2e8b57'
purple = '#6b4fa0'
gold   = '#b8860b'

# --- building: rows and groups ---

eval start_plot('performance_rows', 720, 960)
set multiplot layout 2,1
set logscale xy
set format x '10^{%L}'
set ylabel 'CPU, ns a row' offset -1
set key top left reverse Left maxrows 4 samplen 2.5 spacing 1.25

set title 'Rows in one group' font ',19'
set xlabel 'rows' offset 0,0.4
set xrange [7e3:*]
set yrange [40:8000]
plot of('rows', 'exact') using 'x':'ns' with linespoints lw 2.2 pt 13 ps 0.9 lc rgb frame title 'count(DISTINCT v)', \
     of('rows', 'topk_agg') using 'x':'ns' with linespoints lw 2.2 pt 11 ps 0.8 lc rgb purple title 'topk\_agg(v, 100)', \
     of('rows', 'cms_agg') using 'x':'ns' with linespoints lw 2.2 pt 9 ps 0.8 lc rgb green title 'cms\_agg(v)', \
     of('rows', 'bloom_agg') using 'x':'ns' with linespoints lw 2.2 pt 5 ps 0.7 lc rgb other title 'bloom\_agg(v, rows)', \
     of('rows', 'minhash_agg') using 'x':'ns' with linespoints lw 1.8 pt 15 ps 0.8 lc rgb gold title 'minhash\_agg(v)', \
     of('rows', 'hll_agg') using 'x':'ns' with linespoints lw 2.6 pt 7 ps 0.8 lc rgb ours title 'hll\_agg(v)', \
     of('rows', 'count') using 'x':'ns' with lines lw 1.8 dt (6,4) lc rgb theory title 'count(v)'

set title 'As many rows in more and more groups' font ',19'
set xlabel 'groups'
set xrange [0.8:*]
set yrange [80:20000]
plot of('groups', 'topk_agg') using 'x':'ns' with linespoints lw 2.2 pt 11 ps 0.8 lc rgb purple title 'topk\_agg(item, 20)', \
     of('groups', 'cms_agg') using 'x':'ns' with linespoints lw 2.2 pt 9 ps 0.8 lc rgb green title 'cms\_agg(v)', \
     of('groups', 'bloom_agg') using 'x':'ns' with linespoints lw 2.2 pt 5 ps 0.7 lc rgb other title 'bloom\_agg(v, rows / groups)', \
     of('groups', 'hll_agg') using 'x':'ns' with linespoints lw 2.6 pt 7 ps 0.8 lc rgb ours title 'hll\_agg(v)', \
     of('groups', 'count') using 'x':'ns' with lines lw 1.8 dt (6,4) lc rgb theory title 'count(v)'
unset multiplot
unset output

# --- stored sketches and filters ---

eval start_plot('performance_sizes', 720, 960)
set multiplot layout 2,1
set logscale xy
set format x '10^{%L}'

set title 'Merging stored sketches' font ',19'
set xlabel 'bytes of a sketch' offset 0,0.4
set ylabel 'CPU, microseconds a sketch' offset -1
set key top left reverse Left samplen 2.5 spacing 1.25
set xrange [30:2e6]
set yrange [0.3:3000]
us(c) = column(c) / 1000
plot of('sketches', 'postgresql-hll') using 'x':(us('ns')) with linespoints lw 2.2 pt 13 ps 0.9 lc rgb frame title 'hll of postgresql-hll', \
     of('sketches', 'topk') using 'x':(us('ns')) with linespoints lw 2.2 pt 11 ps 0.8 lc rgb purple title 'topk', \
     of('sketches', 'cms') using 'x':(us('ns')) with linespoints lw 2.2 pt 9 ps 0.8 lc rgb green title 'cms', \
     of('sketches', 'bloom') using 'x':(us('ns')) with linespoints lw 2.2 pt 5 ps 0.7 lc rgb other title 'bloom', \
     of('sketches', 'hll') using 'x':(us('ns')) with linespoints lw 2.6 pt 7 ps 0.8 lc rgb ours title 'hll', \
     [100:1e6] x / 1000.0 with lines lw 1.4 dt (2,4) lc rgb theory title '1 ns a byte'

set title 'A probe of a filter, without the scan' font ',19'
set xlabel 'bytes of the filter'
set ylabel 'CPU, ns a probe'
set key bottom right
set xrange [8e3:2e8]
set yrange [1:1000]
# what a probe may take: 25 ns and 1.1 random accesses
plot of('filters', 'access') using 'x':(25 + 1.1 * column('ns')) with lines lw 1.8 dt (6,4) lc rgb other title '25 ns and 1.1 random accesses', \
     of('filters', 'access') using 'x':'ns' with lines lw 1.8 dt (2,4) lc rgb theory title 'a random access in as many bytes', \
     of('filters', 'probe') using 'x':'ns' with linespoints lw 2.6 pt 7 ps 0.8 lc rgb ours title 'bloom, a probe of an absent key'
unset multiplot
unset output
