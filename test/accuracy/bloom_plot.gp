# bloom_plot.gp: bloom_rate.svg and bloom_size.svg; see plot.gp

# --- the rate over the fill ---

eval start_plot('bloom_rate', 720, 600)
set logscale y
set xrange [0:3.05]
set yrange [1.5e-6:1]
set xtics ('0' 0, '50 %%' 0.5, '100 %%' 1, '150 %%' 1.5, '200 %%' 2, '250 %%' 2.5, '300 %%' 3)
set ytics ('0.0001 %%' 1e-6, '0.001 %%' 1e-5, '0.01 %%' 1e-4, '0.1 %%' 1e-3, '1 %%' 1e-2, '10 %%' 1e-1, '100 %%' 1)
set mytics 10
set lmargin 13
set title 'bloom: false positives over the fill, for three promised rates' font ',19'
set xlabel 'distinct values, as a share of the capacity'
set ylabel 'false-positive rate' offset -1
set key bottom right reverse Left samplen 2.5 spacing 1.25 width -6
set arrow 1 from 1, 1.5e-6 to 1, 1 nohead lc rgb frame lw 1 dt (2,4)
set label 1 "at the capacity:\nthe promised rate" at 1.04, 1.6e-5 font ',15' textcolor rgb '#333333'
do for [i = 2:4] {
    set arrow i from 0, 10.0**-i to 1, 10.0**-i nohead lc rgb frame lw 1 dt (2,4)
}
is(l, p, y) = strcol('layout') eq l && column('rate') == p ? column(y) : NaN
p(i) = 10.0**-i
plot for [i = 2:4] data index 'fill' using (is('blocked', p(i), 'fill')):'model' \
         with lines lw 1.6 dt (6,5) lc rgb theory notitle, \
     for [i = 2:4] data index 'fill' using (is('classic', p(i), 'fill')):'model' \
         with lines lw 1.6 dt (6,5) lc rgb theory notitle, \
     for [i = 2:4] data index 'fill' using (is('blocked', p(i), 'fill')):'measured' \
         with points pt 7 ps 0.7 lc rgb ours notitle, \
     for [i = 2:4] data index 'fill' using (is('classic', p(i), 'fill')):'measured' \
         with points pt 5 ps 0.6 lc rgb other notitle, \
     NaN with points pt 7 ps 0.7 lc rgb ours title 'blocked, measured', \
     NaN with points pt 5 ps 0.6 lc rgb other title 'classic, measured', \
     NaN with lines lw 1.6 dt (6,5) lc rgb theory title 'theory'
unset output

# --- bytes over the number of values ---

eval start_plot('bloom_size', 720, 460)
set logscale xy
set xrange [1:2e6]
set yrange [10:4e6]
set format x '10^{%T}'
set xtics 10
set mxtics 1
unset label
set ytics ('10' 10, '100' 100, '1 kB' 1e3, '10 kB' 1e4, '100 kB' 1e5, '1 MB' 1e6)
set title 'bloom: bytes stored, for a capacity of 1,000,000 at 1 %' font ',19'
set xlabel 'distinct values'
set ylabel 'bytes stored' offset -1
set key bottom right reverse Left samplen 2.5 spacing 1.25
set label 1 'a list of the bits that are set' at 500,25000 font ',15' textcolor rgb '#333333' right
set label 2 'all bits' at 1.3e5,1.6e6 font ',15' textcolor rgb '#333333' right
size(l, y) = strcol('layout') eq l && column('capacity') == 1000000 ? column(y) : NaN
plot data index 'size' using (size('classic', 'keys')):'bytes' with lines lw 2 lc rgb other title 'classic', \
     data index 'size' using (size('blocked', 'keys')):'bytes' with lines lw 2.6 lc rgb ours title 'blocked'
unset output
