# plot.gp: the plots of a type, from the lines that its programs wrote;
# test/accuracy/run calls it with
#   gnuplot -e "type='hll'; data='FIGURES'; folder='FOLDER'" test/accuracy/plot.gp
# or, to look at them, with terminal='png'.  What all plots have in common is here,
# the plots are in <type>_plot.gp.
if (!exists("terminal")) terminal = 'svg'

ours    = '#1b5e9e'
other   = '#d1622b'
theory  = '#555555'
frame   = '#888888'

# eval start_plot(NAME, WIDTH, HEIGHT): a file of that name, and a clean sheet.  720 pixels wide
# with text of 16 is still readable on a phone, and the left margin holds the label of the axis.
start_plot(name, width, height) = \
    'reset; set datafile separator tab; set datafile columnheaders;' . \
    'set border 3 lc rgb frame; set tics nomirror textcolor rgb "#333333";' . \
    'set grid lc rgb "#e4e4e4" lt 1 lw 0.6;' . \
    'set lmargin 11; set rmargin 3; set tmargin 3; set bmargin 4;' . \
    (terminal eq 'svg' ? \
        sprintf('set terminal svg name "%s" size %d,%d font "Helvetica,Arial,sans-serif,16" background "white";', name, width, height) : \
        sprintf('set terminal pngcairo size %d,%d font "sans,11" background "white";', width, height)) . \
    sprintf('set output "%s/%s.%s"', folder, name, terminal)

load 'test/accuracy/' . type . '_plot.gp'
