# tables.awk: the tables of a document from the lines that a type's programs wrote
#
#   awk -f tables.awk accuracy.tsv accuracy.md
#   awk -f tables.awk bloom_accuracy.tsv bloom.md    (and so for topk)
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

    if (block == "default" && v["n"] ~ /^(1|100|1000|3162|10000|40000|100000|1000000|1000000000)$/)
        fill[++fills] = row(grouped(v["n"]), v["rmse"] + 0 < 0.001 ? "0" : pc(v["rmse"]), pc(v["theory"]),
            signed(v["bias"]), pc(v["classic_rmse"]), signed(v["classic_bias"]),
            v["bytes"] == "-" ? "–" : grouped(sprintf("%.0f", v["bytes"])))

    if (block == "precisions") {
        # where the model's random number of values is a thousandth of the variance
        if (v["values"] == "simulated" && v["n"] * v["theory"] ^ 2 > 1e7) {
            s[p] += v["trials"]
            rmse[p] += v["trials"] * v["rmse"] ^ 2
            ml[p] += v["trials"] * v["ml_rmse"] ^ 2
            bias[p] += v["trials"] * v["bias"]
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
    if (block == "overlap" && p >= 12 && v["values"] != "hashed" && v["name"] !~ /^(J=0.00[12]|subset of a thousandth|two of )/)
        overlap[++overlaps] = row(v["name"], p,
            grouped(v["n1"]), grouped(v["n2"]), grouped(v["both"]),
            pc(v["joint_rmse"]), pc(v["reported"]), pc(v["apart_rmse"]),
            sprintf("%.0f %%", v["told"]), pc(v["joint_union_rmse"]), pc(v["merged_union_rmse"]))
    if (block == "rates") {
        l = v["layout"]
        # the largest come last
        bits[l, v["rate"]] = sprintf("%.2f", v["bits_per_key"])
        hashes[l, v["rate"]] = v["hashes"]
        largest[l, v["rate"]] = percent(v["measured"])
    }
    if (block == "estimates")
        estimates = grouped(v["asked"]) " estimates, " v["low"] " of them too low."
    if (block == "members") {
        asked = v["asked"]
        lost = v["lost"]
    }
    if (block == "bounds") {
        top_trials = v["trials"]
        top_values = v["values"]
    }
    if (block == "error") {
        if (v["parts"] == 1) top_streams[++tops] = v["stream"]
        top_error[v["stream"], v["parts"]] = ppm(v["error"])
        top_tail[v["stream"]] = ppm(v["tail"])
        top_limit = ppm(v["limit"])
        top_first[v["stream"], v["parts"]] = v["top"] ", " v["exact"]
        top_rows = v["rows"]
    }
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

# a probability: three digits of a percentage, or five
function percent(x) { return sprintf("%.3g %%", 100 * x) }
function signed(x) { return sprintf("%+.3f %%", x) }

# millionths
function ppm(x) { return sprintf(x * 1e6 < 9.95 ? "%.1f" : "%.0f", 1e6 * x) }

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
    if (i != "") s = s " | " i
    if (j != "") s = s " | " j
    if (k != "") s = s " | " k
    if (l != "") s = s " | " l
    return s " |"
}

function table(which,   i, l, list) {
    if (which == "fill") {
        print "| values | RMSE | theory | bias | plain | bias of plain | bytes |"
        print "|--:|--:|--:|--:|--:|--:|--:|"
        for (i = 1; i <= fills; i++) print fill[i]
    }
    else if (which == "precisions") {
        print "| precision | RMSE | theory | bias | theory | within the 95 % bounds | trials |"
        print "|--:|--:|--:|--:|--:|--:|--:|"
        for (i = 4; i <= 18; i += i == 10 || i == 11 ? 1 : i == 4 ? 4 : 2)
            print row(i, pc(sqrt(ml[i] / s[i])), pc(theory[i]), signed(bias[i] / s[i]),
                signed(theory_bias[i]), sprintf("%.1f %%", within[i] / s[i]), grouped(s[i]))
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
        print "| pair | p | values | values | in both | joint | reported | incl.-excl. | told | union, joint | union, merged |"
        print "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
        for (i = 1; i <= overlaps; i++) print overlap[i]
    }
    else if (which == "cms estimates")
        print estimates
    else if (which == "bloom bits") {
        print "| rate | blocked: bits a value | hashes | measured | classic: bits a value | hashes | measured |"
        print "|--:|--:|--:|--:|--:|--:|--:|"
        split("0.1 0.03 0.01 0.001 0.0001", list, " ")
        for (i = 1; i <= 5; i++)
            print "| " percent(list[i]) " | " bits["blocked", list[i]] " | " hashes["blocked", list[i]] \
                " | " largest["blocked", list[i]] " | " bits["classic", list[i]] " | " hashes["classic", list[i]] \
                " | " largest["classic", list[i]] " |"
    }
    else if (which == "bloom members")
        print "Members asked for: " grouped(asked) ". Not found: " lost "."
    else if (which == "topk bounds")
        print grouped(top_trials) " sketches, " grouped(top_values) " true frequencies: none outside of its bounds."
    else if (which == "topk error") {
        print "| " grouped(top_rows) " rows | error | of 18 merged | limit by the tail | limit | top 20 found, exact | of 18 merged |"
        print "|:--|--:|--:|--:|--:|--:|--:|"
        for (i = 1; i <= tops; i++) {
            l = top_streams[i]
            print "| " l " | " top_error[l, 1] " | " top_error[l, 18] " | " top_tail[l] " | " top_limit " | " \
                top_first[l, 1] " | " top_first[l, 18] " |"
        }
    }
    else if (which == "failures")
        print "Pairs tried: " grouped(pairs) ". Without a number, or with a negative one: " broken \
            ". Less likely than the truth: " short "."
}
