# cms_plot.gp: cms_size.svg; see plot.gp

eval start_plot('cms_size', 720, 460)
set logscale xy
set xrange [1:1.2e8]
set yrange [20:2e5]
set format x '10^{%T}'
set xtics 10
set mxtics 1
set ytics ('100' 100, '1 kB' 1e3, '10 kB' 1e4, '100 kB' 1e5)
set title 'cms: bytes stored, for epsilon 0.001 and delta 0.01' font ',19'
set xlabel 'rows'
set ylabel 'bytes stored' offset -1
set key top left reverse Left samplen 2.5 spacing 1.25
of(r, y) = strcol('rows_are') eq r ? column(y) : NaN
plot data index 'size' using (of('distinct', 'rows')):'bytes' with lines lw 2.2 lc rgb ours title 'all rows distinct', \
     data index 'size' using (of('Zipf', 'rows')):'bytes' with lines lw 2.2 lc rgb other title 'a million words, Zipf 1'
unset output
