# hll_plot.gp: accuracy.svg and precisions.svg; see plot.gp

# --- precision 14 close up ---

eval start_plot('accuracy', 720, 640)
set multiplot
set logscale x
set xrange [1:1e9]
set format x '10^{%T}'
set xtics 10
set mxtics 1
set bmargin 2.5

set origin 0, 0.45
set size 1, 0.55
set title 'hll of precision 14: error over the number of distinct values' font ',19'
set ylabel 'RMSE, %' offset -1
set yrange [0:2.7]
set ytics 0.5
set format y '%.1f'
set key top right width -4 reverse Left samplen 2.5 spacing 1.25
set label 1 'tokens: 0.009 %' at 13,0.17 textcolor rgb ours font ',15'
set label 2 'registers' at 4200,0.38 textcolor rgb ours font ',15'
plot data index 'default' using 'n':'classic_rmse' with lines lw 2 lc rgb other \
         title 'plain HyperLogLog', \
     data index 'default' using 'n':'theory' with lines lw 1.6 dt (6,5) lc rgb theory \
         title 'theory', \
     data index 'default' using 'n':'rmse' with lines lw 2.6 lc rgb ours \
         title 'probds, measured'
unset label

set origin 0, 0
set size 1, 0.45
set tmargin 1
set bmargin 4
unset title
unset key
set xlabel 'distinct values'
set ylabel 'bias, %' offset -1
set yrange [-0.6:2.4]
plot 0 with lines lw 1 lc rgb frame notitle, \
     data index 'default' using 'n':'classic_bias' with lines lw 2 lc rgb other, \
     data index 'default' using 'n':'bias' with lines lw 2.6 lc rgb ours
unset multiplot
unset output

# --- all precisions ---

eval start_plot('precisions', 720, 720)
set logscale xy
set xrange [1:1e9]
set yrange [0.1:50]
set format x '10^{%T}'
set xtics 10
set mxtics 1
set ytics ('0.1' 0.1, '0.2' 0.2, '0.5' 0.5, '1' 1, '2' 2, '5' 5, '10' 10, '20' 20, '50' 50)
set rmargin 13
set title 'hll: each precision against its own theory' font ',19'
set xlabel 'distinct values'
set ylabel 'RMSE, %' offset -1
set key bottom left reverse Left samplen 2.5 spacing 1.25
do for [p = 4:18] {
    rse = 103.67 / sqrt(2**p)
    set label p sprintf(rse < 1 ? '%d: %.2f %%' : '%d: %.1f %%', p, rse) \
        at 1.3e9, rse font ',15' textcolor rgb '#333333'
}
set label 30 "precision\nand error" at graph 1.01, graph 0.985 font ',15' textcolor rgb '#333333'
set label 31 "left of a curve: tokens,\nwith an error of 0.009 %" at 1.6,0.55 font ',15' textcolor rgb '#333333'
own(p, x) = column('precision') == p && column('dense') > 0.99 ? x : NaN
plot for [p = 4:18] data index 'precisions' using (own(p, column('n'))):'theory' \
         with lines lw 1.6 dt (6,5) lc rgb theory notitle, \
     for [p = 4:18] data index 'precisions' using (own(p, column('n'))):'rmse' \
         with linespoints lw 1.4 pt 7 ps 0.45 lc rgb ours notitle, \
     NaN with linespoints lw 1.4 pt 7 ps 0.45 lc rgb ours title 'measured', \
     NaN with lines lw 1.6 dt (6,5) lc rgb theory title 'theory'
unset output
