# tables.awk: the tables of doc/accuracy.md from the lines that the programs wrote
#
#   awk -f tables.awk accuracy.tsv accuracy.md
#
# prints the document with what stands between "<!-- table: NAME -->" and
# "<!-- end -->" replaced.
BEGIN { FS = "\t" }

FNR == 1 { file++ }

# --- the figures: one block after the other, each with its column names ---

file == 1 && /^# / { fresh = 1; next }
file == 1 && fresh { for (i = 1; i <= NF; i++) name[i] = $i; fresh = 0; next }
file == 1 && NF > 1 {
    for (i = 1; i <= NF; i++) v[name[i]] = $i
    block = v["block"]
    p = v["precision"]

    if (block == "default" && v["n"] ~ /^(1|10|100|1000|2610|3162|10000|40000|50000|100000|1000000|10000000|100000000|1000000000)$/)
        fill[++fills] = row(grouped(v["n"]), v["rmse"] + 0 < 0.001 ? "0" : pc(v["rmse"]), pc(v["theory"]),
            signed(v["bias"]), pc(v["ml_rmse"]), pc(v["raw_rmse"]), pc(v["classic_rmse"]),
            signed(v["classic_bias"]), v["bytes"] == "-" ? "" : grouped(sprintf("%.0f", v["bytes"])))

    if (block == "precisions") {
        # where the model's random number of values is a thousandth of the variance
        if (v["values"] == "simulated" && v["n"] * v["theory"] ^ 2 > 1e7) {
            s[p] += v["trials"]
            rmse[p] += v["trials"] * v["rmse"] ^ 2
            ml[p] += v["trials"] * v["ml_rmse"] ^ 2
            raw[p] += v["trials"] * v["raw_rmse"] ^ 2
            bias[p] += v["trials"] * v["bias"]
            raw_bias[p] += v["trials"] * v["raw_bias"]
            within[p] += v["trials"] * v["covered95"]
            theory[p] = v["theory"]
            theory_bias[p] = v["theory_bias"]
        }
    }
    if (block == "switches") {
        z = (v["bias"] - v["theory_bias"]) / v["theory"] * sqrt(v["trials"])
        if (z < 0) z = -z
        points[p]++
        if (z > worst_z[p]) { worst_z[p] = z; worst_n[p] = v["n"] }
        c = v["classic_bias"]
        if (c < 0) c = -c
        b = v["bias"] - v["theory_bias"]
        if (b < 0) b = -b
        if (b > worst[p]) worst[p] = b
        if (c > worst_classic[p]) worst_classic[p] = c
    }
    if (block == "overlap")
        overlap[++overlaps] = row(v["name"] (v["values"] == "hashed" ? " (hashed)" : ""), p,
            grouped(v["n1"]), grouped(v["n2"]), grouped(v["both"]),
            pc(v["joint_rmse"]), pc(v["reported"]), pc(v["apart_rmse"]), pc(v["clamped_rmse"]),
            sprintf("%.0f %%", v["told"]), pc(v["joint_union_rmse"]), pc(v["merged_union_rmse"]))
    if (block == "failures") {
        pairs += v["pairs"]
        broken += v["broken"]
        short += v["short"]
    }
    next
}

# --- the document ---

file == 2 && /^<!-- table: / {
    print
    print ""
    which = $0
    gsub(/^<!-- table: | -->$/, "", which)
    table(which)
    print ""
    inside = 1
    next
}
file == 2 && /^<!-- end -->/ { inside = 0 }
file == 2 && !inside { print }

function pc(x) { return sprintf(x + 0 < 0.1 ? "%.4f %%" : x + 0 < 10 ? "%.3f %%" : "%.1f %%", x) }
function signed(x) { return sprintf("%+.3f %%", x) }

function grouped(n,   s) {
    s = ""
    while (length(n) > 3) {
        s = "," substr(n, length(n) - 2) s
        n = substr(n, 1, length(n) - 3)
    }
    return n s
}

function row(a, b, c, d, e, f, g, h, i, j, k, l,   s) {
    s = "| " a " | " b " | " c " | " d " | " e
    if (f != "") s = s " | " f
    if (g != "") s = s " | " g
    if (h != "") s = s " | " h
    if (i != "" || g != "") s = s " | " i
    if (j != "") s = s " | " j
    if (k != "") s = s " | " k
    if (l != "") s = s " | " l
    return s " |"
}

function table(which,   i) {
    if (which == "fill") {
        print "| values | RMSE | theory | bias | registers only, ML | registers only, raw | plain | bias of plain | bytes |"
        print "|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
        for (i = 1; i <= fills; i++) print fill[i]
    }
    else if (which == "precisions") {
        print "| precision | RMSE, ML | theory | RMSE, raw | bias, ML | theory | bias, raw | within the 95 % bounds | trials |"
        print "|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
        for (i = 4; i <= 18; i++)
            print row(i, pc(sqrt(ml[i] / s[i])), pc(theory[i]), pc(sqrt(raw[i] / s[i])),
                signed(bias[i] / s[i]), signed(theory_bias[i]), signed(raw_bias[i] / s[i]),
                sprintf("%.1f %%", within[i] / s[i]), grouped(s[i]))
    }
    else if (which == "switches") {
        print "| precision | points | largest bias but for theory's | in standard deviations | of plain |"
        print "|--:|--:|--:|--:|--:|"
        for (i = 4; i <= 18; i++)
            if (points[i])
                print row(i, points[i], pc(worst[i]), sprintf("%.1f (n = %s)", worst_z[i], grouped(worst_n[i])),
                    pc(worst_classic[i]))
    }
    else if (which == "overlap") {
        print "| pair | p | values | values | in both | joint | reported | incl.-excl. | never below 0 | told | union, joint | union, merged |"
        print "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
        for (i = 1; i <= overlaps; i++) print overlap[i]
    }
    else if (which == "failures")
        print "Pairs tried: " grouped(pairs) ". Without a number, or with a negative one: " broken \
            ". Less likely than the truth: " short "."
}
