# membership_plot.gp: membership.svg, from the figures of test/bench/membership.sh; see plot.gp

eval start_plot('membership', 720, 640)
set logscale x
set xrange [7e-5:0.045]
set yrange [0:47]
set xtics ('0.01 %%' 1e-4, '0.03 %%' 3e-4, '0.1 %%' 1e-3, '0.3 %%' 3e-3, '1 %%' 1e-2, '3 %%' 3e-2)
set title 'Bits a value over the promised false-positive rate' font ',19'
set xlabel 'promised false-positive rate' offset 0,0.4
set ylabel 'bits a value' offset -1
set bmargin 8.5
set key below vertical maxrows 4 reverse Left samplen 2 spacing 1.2 width -4
# the lines of one type
of(t) = sprintf("< awk -F'\t' 'NR == 1 || $1 == \"%s\"' %s", t, data)
plot of('scalable_bloom, grown') using 'promised':'bits' with linespoints lw 1.8 dt (6,4) pt 9 ps 0.8 lc rgb '#d1622b' title 'scalable\_bloom, grown', \
     of('counting_bloom') using 'promised':'bits' with linespoints lw 1.8 pt 5 ps 0.7 lc rgb '#6b4fa0' title 'counting\_bloom', \
     of('existence index, grown') using 'promised':'bits' with linespoints lw 1.8 dt (6,4) pt 13 ps 0.9 lc rgb '#2e8b57' title 'existence index, grown', \
     of('scalable_bloom') using 'promised':'bits' with linespoints lw 1.8 pt 9 ps 0.8 lc rgb '#d1622b' title 'scalable\_bloom, aggregated', \
     of('existence index') using 'promised':'bits' with linespoints lw 1.8 pt 13 ps 0.9 lc rgb '#2e8b57' title 'existence index, built', \
     of('bloom') using 'promised':'bits' with linespoints lw 2.4 pt 7 ps 0.8 lc rgb ours title 'bloom', \
     of('cuckoo') using 'promised':'bits' with linespoints lw 2.4 pt 11 ps 0.9 lc rgb '#b8860b' title 'cuckoo', \
     data using 'promised':(-log(column('promised')) / log(2)) smooth unique with lines lw 1.4 dt (2,4) lc rgb theory title 'log_2 (1 / rate), the minimum'
unset output
