# cms_plot.gp: cms_size.svg; see plot.gp

eval start_plot('cms_size', 860, 520)
set logscale xy
set xrange [1:1.2e8]
set yrange [20:2e5]
set format x '10^{%T}'
set xtics 10
set mxtics 1
set ytics ('100' 100, '1 kB' 1e3, '10 kB' 1e4, '100 kB' 1e5)
set lmargin 9
set rmargin 3
set title 'A sketch of epsilon 0.001 and delta 0.01 (2,719 x 5 counters)' font ',16'
set xlabel 'rows'
set ylabel 'bytes stored'
set key top left reverse Left samplen 2.5 spacing 1.25
of(r, y) = strcol('rows_are') eq r ? column(y) : NaN
plot data index 'size' using (of('distinct', 'rows')):'bytes' with lines lw 2.2 lc rgb ours title 'all rows distinct', \
     data index 'size' using (of('Zipf', 'rows')):'bytes' with lines lw 2.2 lc rgb other title 'words: Zipf 1, a million of them'
unset output
