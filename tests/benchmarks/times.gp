# Bars of ms a step by contestant, on a log scale, a panel for each mode.
# gnuplot -c times.gp DATA SVG TITLE MODE... ; DATA as fitup-bench --plot writes it.
data = ARG1
modes = ARGC - 3
array mode[4]
if (modes > 0) { mode[1] = ARG4 }
if (modes > 1) { mode[2] = ARG5 }
if (modes > 2) { mode[3] = ARG6 }
if (modes > 3) { mode[4] = ARG7 }

stats data using 2 nooutput
rows = STATS_records
left = 190.0      # for the contestants' names
panel = 280.0
width = left + modes * panel + 15
height = 110.0 + 20 * rows
set encoding utf8
set terminal svg size width, height dynamic background rgb "white" font "Helvetica,12"
set output ARG2

colour(i) = i == 0 ? 0x1b7f5c : i == 1 ? 0x4a78b5 : i == 2 ? 0xc98a2b : i == 3 ? 0xa45a52 : 0xb8b8b8
set multiplot
set label 1 ARG3 . ": ms a step" at screen 0.5, screen 1 - 18 / height center font "Helvetica-Bold,14"
set label 2 "Fitup" at screen left / width, screen 16 / height left textcolor rgb 0x1b7f5c
set label 3 "peer" at screen (left + 60) / width, screen 16 / height left textcolor rgb 0x4a78b5
set label 4 "vertices rewritten" at screen (left + 110) / width, screen 16 / height left textcolor rgb 0xc98a2b
set label 5 "rebuilds" at screen (left + 235) / width, screen 16 / height left textcolor rgb 0xa45a52
set label 6 "not moved" at screen (left + 305) / width, screen 16 / height left textcolor rgb 0x909090
set label 7 "wrong: other pairs; ≈: right to 0.1 %" at screen (left + 390) / width, screen 16 / height left textcolor rgb 0x505050 noenhanced
set format x "10^{%L}"
set grid xtics lc rgb 0xd8d8d8
set border 3
set tics nomirror out
unset ytics
set tmargin at screen 1 - 55 / height
set bmargin at screen 60 / height
set style fill solid 1.0 noborder
unset key
do for [m = 1 : modes] {
  column_ms = 3 + 4 * (m - 1)
  unset logscale
  set autoscale
  stats data using column_ms nooutput
  # Room on the right for the numbers.
  low = 10 ** floor(log10(STATS_min) - 0.05)
  set logscale x
  set yrange [rows - 0.4 : -0.6]
  set xrange [low : STATS_max * (STATS_max / low) ** 0.45]
  set lmargin at screen (left + (m - 1) * panel) / width
  set rmargin at screen (left + m * panel - 36) / width
  set title mode[m] offset 0, -0.6
  if (m > 1) { unset for [i = 1 : 7] label i }
  plot data using (column(column_ms)) : 0 : (low) : (column(column_ms)) : ($0 - 0.36) : ($0 + 0.36) : (colour($2)) with boxxy lc rgb variable, \
       data using (column(column_ms)) : 0 : (column(column_ms + 1)) : (column(column_ms + 2)) with xerrorbars pt 0 lc rgb 0x303030, \
       data using (column(column_ms + 2)) : 0 : (sprintf(column(column_ms) < 1000 ? " %.3g %s" : " %.0f %s", column(column_ms), stringcolumn(column_ms + 3))) with labels left offset 0.6, 0 font "Helvetica,10", \
       data using (low) : 0 : (m == 1 ? stringcolumn(1) : "") with labels right offset -0.5, 0
}
unset multiplot
