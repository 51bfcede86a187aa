# existence_growth_plot.gp: existence_growth.svg, from the figures of
# test/bench/existence_growth.sh; see plot.gp

eval start_plot('existence_growth', 720, 900)
set multiplot layout 2,1
# the lines of one mode
of(mode) = sprintf("< awk -F'\t' 'NR == 1 || $1 == \"%s\"' %s", mode, data)
set logscale xy
set format x '10^{%L}'
set xrange [7e5:*]
set xlabel 'keys' offset 0,0.4
set key top left reverse Left samplen 2.5 spacing 1.3

# the legend has the decades above the curves
set yrange [0.8:2e4]
set title 'Size of an existence index that grows from empty' font ',19'
set ylabel 'MB' offset -1
plot of('grown') using 'keys':(column('bytes') / 1e6) with linespoints lw 2.2 pt 7 ps 0.8 lc rgb ours title 'the index, grown', \
     of('grown') using 'keys':(column('bloom_size') / 1e6) with lines lw 1.6 dt (6,4) lc rgb theory title 'a Bloom filter made for as many keys', \
     of('built') using 'keys':(column('bytes') / 1e6) with points pt 9 ps 1.4 lc rgb other title 'the index after REINDEX'

set yrange [0.1:10]
set title 'CPU time' font ',19'
set ylabel 'microseconds' offset -1
plot of('grown') using 'keys':(column('insert') - column('insert_plain')) with linespoints lw 2.2 pt 7 ps 0.8 lc rgb ours title 'added to an INSERT, a row', \
     of('grown') using 'keys':'probe_absent' with linespoints lw 2.2 pt 9 ps 0.8 lc rgb other title 'probe of a key that is not there', \
     of('grown') using 'keys':'probe_present' with linespoints lw 2.2 pt 11 ps 0.8 lc rgb '#2e8b57' title 'probe of a key that is there'
unset multiplot
unset output
