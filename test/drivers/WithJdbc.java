// JDBC: pgjdbc with and without prepared statements, and with strings that have no type;
// as drivers.py does it for Python.
//
//     java -cp postgresql.jar WithJdbc.java URL cases.sql

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.PGConnection;
import org.postgresql.util.PGInterval;
import org.postgresql.util.PGobject;

public class WithJdbc {
    // the server makes a generic plan for the sixth time
    static final int TIMES_PREPARED = 7;
    static final List<String> PREPARED = List.of("text", "int", "timestamptz");

    enum How { NATIVE, TEXT, CAST }

    // The type of an array's elements is that of createArrayOf()
    record Kind(String name, String type, Object a, Object b, Object z) { }

    record Case(String sql, List<String> names, Object want) { }

    interface Test {
        String wrong() throws Exception;
    }

    static int failures = 0;

    final String name;
    final Connection db;
    final boolean prepares;
    final List<Case> cases;

    WithJdbc(String what, String url, boolean prepares, List<Case> cases) throws SQLException {
        this.db = DriverManager.getConnection(url);
        this.name = "JDBC " + db.getMetaData().getDriverVersion() + what;
        this.prepares = prepares;
        this.cases = cases;
    }

    static PGobject object(String type, String value) throws SQLException {
        PGobject object = new PGobject();
        object.setType(type);
        object.setValue(value);
        return object;
    }

    static List<Kind> kinds() throws SQLException {
        OffsetDateTime moment = OffsetDateTime.parse("2026-01-31T12:00:00.25+02:00");
        return List.of(
            new Kind("text", "text", "clé", "a \"b\", {c} \\d", "O'Neill"),
            new Kind("int", "integer", 42, -7, 43),
            new Kind("bigint", "bigint", 1L << 40, -(1L << 62), 1L << 41),
            new Kind("numeric", "numeric", new BigDecimal("1.50"), new BigDecimal("1e30"),
                new BigDecimal("1.51")),
            new Kind("uuid", "uuid", new UUID(0, 1), new UUID(0, 2), new UUID(0, 3)),
            new Kind("date", "date", LocalDate.of(2026, 1, 31), java.sql.Date.valueOf("2026-02-01"),
                LocalDate.of(2026, 1, 2)),
            new Kind("timestamp", "timestamp", LocalDateTime.parse("2026-01-31T12:00:00.25"),
                java.sql.Timestamp.valueOf("2026-02-01 00:00:00"),
                LocalDateTime.parse("2026-01-02T00:00:00")),
            new Kind("timestamptz", "timestamptz", moment,
                java.sql.Timestamp.from(moment.plusDays(1).toInstant()), moment.minusNanos(1000)),
            new Kind("bytea", "bytea", "\\x61".getBytes(), new byte[] {0, (byte) 255},
                "a".getBytes()),
            new Kind("bool", "boolean", true, true, false),
            new Kind("inet", "inet", object("inet", "10.0.0.1"), object("inet", "fe80::1"),
                object("inet", "10.0.0.2")),
            new Kind("jsonb", "jsonb", object("jsonb", "{\"a\": 1}"),
                object("jsonb", "{\"a\": [1, \"x\"]}"), object("jsonb", "{\"a\": 2}")),
            new Kind("enum", "mood", "happy", "sad", "so-so"),
            new Kind("float", "double precision", 0.1, 1e300, 0.2),
            new Kind("interval", "interval", new PGInterval("1 hour"), new PGInterval("2 days"),
                new PGInterval("2 hours")));
    }

    static List<Case> read(Path file) throws Exception {
        List<Case> cases = new ArrayList<>();
        Pattern line = Pattern.compile("(SELECT .*); -- (.*): (\\S+)");
        for (String text : Files.readAllLines(file)) {
            Matcher m = line.matcher(text);
            if (m.matches()) {
                Object want = switch (m.group(3)) {
                    case "true" -> true;
                    case "false" -> false;
                    case "null" -> null;
                    default -> Long.valueOf(m.group(3));
                };
                cases.add(new Case(m.group(1), List.of(m.group(2).split(" ")), want));
            }
        }
        return cases;
    }

    // --- TAP ---

    void report(String what, String wrong) {
        System.out.println((wrong == null ? "ok" : "not ok") + " - " + name + ": " + what);
        if (wrong != null) {
            System.out.println("# " + wrong.strip().replace("\n", "\n# "));
            failures++;
        }
    }

    void check(String what, Test test) {
        try {
            report(what, test.wrong());
        } catch (Exception e) {
            report(what, e.toString() + "\n" + Arrays.toString(e.getStackTrace()));
        }
    }

    // --- statements ---

    // Of the type of its elements and these; those of bytea must be a byte[][]
    java.sql.Array array(List<?> given) throws SQLException {
        String type = (String) given.get(0);
        List<?> elements = given.subList(1, given.size());
        return db.createArrayOf(type, type.equals("bytea") ? elements.toArray(new byte[0][])
            : elements.toArray());
    }

    // With $1, $2 ... in any order, which JDBC writes as ?
    List<Object[]> run(String sql, Object... values) throws SQLException {
        List<Object> order = new ArrayList<>();
        String marks = Pattern.compile("\\$(\\d)").matcher(sql).replaceAll(m -> {
            order.add(values[Integer.parseInt(m.group(1)) - 1]);
            return "?";
        });
        try (PreparedStatement s = db.prepareStatement(marks)) {
            for (int i = 0; i < order.size(); i++) {
                Object value = order.get(i);
                if (value == null) {
                    s.setNull(i + 1, Types.NULL);
                } else if (value instanceof List<?> given) {
                    s.setArray(i + 1, array(given));
                } else {
                    s.setObject(i + 1, value);
                }
            }
            List<Object[]> rows = new ArrayList<>();
            if (s.execute()) {
                ResultSet r = s.getResultSet();
                while (r.next()) {
                    Object[] row = new Object[r.getMetaData().getColumnCount()];
                    for (int i = 0; i < row.length; i++) {
                        row[i] = r.getObject(i + 1);
                    }
                    rows.add(row);
                }
            }
            return rows;
        }
    }

    Object one(String sql, Object... values) throws SQLException {
        return run(sql, values).get(0)[0];
    }

    static Object text(Object value) {
        if (value instanceof byte[] bytes) {
            return "\\x" + HexFormat.of().formatHex(bytes);
        }
        return value == null ? null : value.toString();
    }

    static boolean isArray(String name) {
        return name.startsWith("[") || name.startsWith("<");
    }

    // The argument of this name in cases.sql; of a list the type, then the values
    Object argument(How how, Kind kind, String name) {
        if (name.equals("kind")) {
            return kind.name;
        }
        if (name.matches("\\d+")) {
            return Integer.valueOf(name);
        }
        if (isArray(name)) {
            List<Object> array = new ArrayList<>();
            array.add(how == How.TEXT || kind.name.equals("enum") ? "text"
                : kind.type.equals("double precision") ? "float8" : kind.type);
            for (String n : name.substring(1, name.length() - 1).split(",")) {
                if (!n.isEmpty()) {
                    array.add(argument(how, kind, n));
                }
            }
            return array;
        }
        Object value = switch (name) {
            case "a" -> kind.a;
            case "b" -> kind.b;
            case "z" -> kind.z;
            default -> null;
        };
        if (how != How.TEXT) {
            return value;
        }
        // the dates and times of java.sql print in the zone of the session, without saying so
        if (value instanceof java.sql.Timestamp t) {
            return kind.name.equals("timestamptz") ? t.toInstant().toString()
                : t.toLocalDateTime().toString();
        }
        return text(value);
    }

    // The SQLSTATE that is documented for an argument, or null
    String refused(How how, Kind kind, String name) {
        boolean isText = how == How.TEXT || how == How.NATIVE && kind.name.equals("enum");
        if (List.of("kind", "5", "null").contains(name)) {
            return null;
        }
        if (name.startsWith("<") && !isText) {
            return kind.name.equals("text") ? null : "42704";
        }
        if (how == How.CAST || !isText) {
            return null;
        }
        // an array of texts is no array of numbers
        if (name.startsWith("[")) {
            return kind.name.equals("text") ? null : "22000";
        }
        return List.of("float", "interval").contains(kind.name) ? "42804" : null;
    }

    static String cast(String sql, Kind kind, List<String> names) {
        return Pattern.compile("\\$(\\d)").matcher(sql).replaceAll(m -> {
            String name = names.get(Integer.parseInt(m.group(1)) - 1);
            return name.equals("kind") || name.matches("\\d+") ? Matcher.quoteReplacement(m.group())
                : Matcher.quoteReplacement("CAST(" + m.group() + " AS " + kind.type
                    + (isArray(name) ? "[]" : "") + ")");
        });
    }

    // What is wrong with a case, of one kind; null if nothing is
    String oneCase(How how, Case c, Kind kind) {
        String sql = how == How.CAST ? cast(c.sql, kind, c.names) : c.sql;
        String state = c.names.stream().map(n -> refused(how, kind, n)).filter(Objects::nonNull)
            .findFirst().orElse(null);
        boolean again = prepares && how == How.NATIVE && state == null
            && PREPARED.contains(kind.name);
        for (int i = 0; i < (again ? TIMES_PREPARED : 1); i++) {
            Object got;
            try {
                got = one(sql, c.names.stream().map(n -> argument(how, kind, n)).toArray());
                // some counts are integer, most are bigint
                if (got instanceof Integer count) {
                    got = count.longValue();
                }
            } catch (SQLException e) {
                if (!e.getSQLState().equals(state)) {
                    return kind.name + ": " + e.getSQLState() + " " + e.getMessage();
                }
                continue;
            }
            if (state != null || !Objects.equals(got, c.want)) {
                return kind.name + ": " + got + ", not " + (state != null ? state : c.want);
            }
        }
        return null;
    }

    // --- the columns of table s, and their types ---

    static final Map<String, String> SKETCHES = new LinkedHashMap<>();

    static {
        String all =
            "h hll f bloom c cms t topk u cuckoo g counting_bloom y scalable_bloom m minhash";
        String[] names = all.split(" ");
        for (int i = 0; i < names.length; i += 2) {
            SKETCHES.put(names[i], names[i + 1]);
        }
    }

    // A list of this for each column, with its name and its type
    static String each(String format, String between) {
        List<String> list = new ArrayList<>();
        SKETCHES.forEach((column, type) -> list.add(String.format(format, column, type)));
        return String.join(between, list);
    }

    // A list of this for each column, with the number of its parameter and its type
    static String eachParameter(String format) {
        List<String> list = new ArrayList<>();
        SKETCHES.forEach((column, type) -> list.add(String.format(format, list.size() + 2, type)));
        return String.join(", ", list);
    }

    // --- tests ---

    String build(Kind kind) throws SQLException {
        String table = "src_" + kind.name;
        run("CREATE TABLE " + table + " (v " + kind.type + ")");
        for (Object value : kind.a.equals(kind.b) ? List.of(kind.a) : List.of(kind.a, kind.b)) {
            // a string is varchar, from which the server makes no enum by itself
            run("INSERT INTO " + table + " VALUES ("
                + (kind.name.equals("enum") ? "CAST($1 AS mood)" : "$1") + ")", value);
        }
        run("INSERT INTO s SELECT $1, hll_agg(v), bloom_agg(v, $2), cms_agg(v), topk_agg(v, $3),"
            + " cuckoo_agg(v, $2), counting_bloom_agg(v, $2), scalable_bloom_agg(v), "
            + "minhash_agg(v) FROM " + table, kind.name, 1000, 10);
        Object[] got =
            run("SELECT approx_count_distinct(v), approx_count_distinct(v, $1), "
                + "hll_cardinality(hll_agg(v, $1)),"
            + " bloom_cardinality(bloom_agg(v, $2, $3)), "
            + "cms_total(cms_agg_weighted(v, $5::bigint)), "
            + "jsonb_array_length(approx_top_k(v, $4))::bigint,"
            + " cuckoo_cardinality(cuckoo_agg(v, $2, $3)), "
            + "counting_bloom_cardinality(counting_bloom_agg(v, $2, $3)),"
            + " scalable_bloom_cardinality(scalable_bloom_agg(v, $2, $3)), "
            + "minhash_cardinality(minhash_agg(v, $6))"
            + " FROM " + table, 12, 100, 0.001, 5, 100L, 64).get(0);
        long n = kind.a.equals(kind.b) ? 1 : 2;
        return Arrays.equals(got, new Object[] {n, n, n, n, n * 100, n, n, n, n, n}) ? null : "got "
            + Arrays.toString(got);
    }

    String firstValues() throws SQLException {
        StringBuilder wrong = new StringBuilder();
        for (Kind kind : kinds()) {
            run("INSERT INTO fresh "
                + "VALUES ($1, hll_add(hll_empty(), $2), bloom_add(bloom_empty($3), $2),"
                + " cms_add(cms_empty(), $2), topk_add(topk_empty($4), $2, $5), "
                + "cuckoo_add(cuckoo_empty($3), $2),"
                + " counting_bloom_add(counting_bloom_empty($3), $2), "
                + "scalable_bloom_add(scalable_bloom_empty($3), $2),"
                + " minhash_add(minhash_empty(), $2))", kind.name, kind.a, 100, 10, 3);
            Object want = kind.name.equals("enum") ? "text"
                : one("SELECT (hll_info(h)).kind FROM s WHERE kind = $1", kind.name);
            Object[] got = run("SELECT " + each("(%2$s_info(%1$s)).kind", ", ")
                + " FROM fresh WHERE kind = $1", kind.name).get(0);
            if (!Arrays.equals(got, Collections.nCopies(SKETCHES.size(), want).toArray())) {
                wrong.append(kind.name + ": " + Arrays.toString(got) + ", not " + want + "\n");
            }
        }
        // what java.sql has for a date goes to the server as text, since the server shall
        // find out of which type it is
        Object date = one("SELECT (hll_info(hll_add(hll_empty(), $1))).kind",
            java.sql.Date.valueOf("2026-02-01"));
        if (!date.equals("text")) {
            wrong.append("java.sql.Date: " + date);
        }
        return wrong.isEmpty() ? null : wrong.toString();
    }

    String upsert() throws SQLException {
        run("CREATE TABLE day (day date PRIMARY KEY, visitors hll, top topk)");
        for (int i = 0; i < 20; i++) {
            run("INSERT INTO day AS d "
                + "VALUES ($1, hll_add(hll_empty(), $2), topk_add(topk_empty($3), $4))"
                + " ON CONFLICT (day) DO UPDATE SET visitors = hll_add(d.visitors, $2), "
                + "top = topk_add(d.top, $4)",
                LocalDate.of(2026, 1, 1), "visitor " + i % 7, 5, "page " + i % 3);
        }
        Object[] got = run("SELECT hll_cardinality(visitors), topk_total(top), top -> $1 FROM day",
            "page 0").get(0);
        return Arrays.equals(got, new Object[] {7L, 20L, 7L}) ? null : "got "
            + Arrays.toString(got);
    }

    String batch() throws SQLException {
        run("CREATE TABLE many (n integer, f bloom)");
        try (PreparedStatement s =
            db.prepareStatement("INSERT INTO many VALUES (?, bloom_add(bloom_empty(100), ?))")) {
            for (int n = 0; n < 20; n++) {
                s.setInt(1, n);
                s.setInt(2, n);
                s.addBatch();
            }
            s.executeBatch();
        }
        Object got = one("SELECT count(*) FROM many WHERE f @> n");
        return got.equals(20L) ? null : "got " + got;
    }

    String differs() throws SQLException {
        Object same = one("SELECT count(*) FROM s JOIN copied c USING (kind) WHERE "
            + each("s.%1$s = c.%1$s", " AND "));
        run("TRUNCATE copied");
        return same.equals((long) kinds().size()) ? null : same + " rows are the same";
    }

    // getObject() of a sketch is a PGobject that knows its type
    String writtenBack() throws SQLException {
        for (Object[] row : run("SELECT * FROM s")) {
            if (!(row[1] instanceof PGobject)) {
                return "a sketch is " + row[1].getClass();
            }
            run("INSERT INTO copied VALUES ($1, " + eachParameter("$%d") + ")", row);
        }
        return differs();
    }

    String writtenBackAsBytes() throws SQLException {
        for (Object[] row : run("SELECT kind, " + each("CAST(%s AS bytea)", ", ") + " FROM s")) {
            run("INSERT INTO copied VALUES ($1, " + eachParameter("CAST($%d AS %s)") + ")", row);
        }
        return differs();
    }

    String asParameters() throws SQLException {
        Object[] row = run("SELECT h, f FROM s WHERE kind = 'text'").get(0);
        Object[] got = {one("SELECT hll_cardinality($1)", row[0]),
            one("SELECT hll_cardinality(h || $1) FROM s WHERE kind = 'text'", row[0]),
            one("SELECT count(*) FROM s WHERE h = $1", row[0]),
            one("SELECT $1 @> $2", row[1], "clé")};
        return Arrays.equals(got, new Object[] {2L, 2L, 1L, true}) ? null : "got "
            + Arrays.toString(got);
    }

    String copyBinary() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        var copy = db.unwrap(PGConnection.class).getCopyAPI();
        copy.copyOut("COPY s TO STDOUT (FORMAT binary)", out);
        copy.copyIn("COPY copied FROM STDIN (FORMAT binary)",
            new ByteArrayInputStream(out.toByteArray()));
        return differs();
    }

    String plannedGenerically() throws SQLException {
        return (Long) one("SELECT count(*) FROM pg_prepared_statements WHERE generic_plans > 0") > 0
            ? null : "no statement has a generic plan";
    }

    void all(How... hows) throws SQLException {
        for (String statement : List.of("CREATE EXTENSION IF NOT EXISTS probds",
            "DROP SCHEMA IF EXISTS work CASCADE", "CREATE SCHEMA work",
                "SET search_path = work, public",
                "CREATE TYPE mood AS ENUM ('happy', 'sad', 'so-so')",
                "CREATE TABLE s (kind text PRIMARY KEY, " + each("%s %s", ", ") + ")",
                "CREATE TABLE fresh (LIKE s INCLUDING ALL)",
                "CREATE TABLE copied (LIKE s INCLUDING ALL)")) {
            run(statement);
        }
        for (Kind kind : kinds()) {
            check("rows and aggregates: " + kind.type, () -> build(kind));
        }
        for (How how : hows) {
            for (Case c : cases) {
                StringBuilder wrong = new StringBuilder();
                for (Kind kind : kinds()) {
                    String w = oneCase(how, c, kind);
                    wrong.append(w == null ? "" : w + "\n");
                }
                report(how.name().toLowerCase() + ": " + c.sql + " -- " + String.join(" ", c.names),
                    wrong.isEmpty() ? null : wrong.toString());
            }
        }
        check("the kinds of first values", this::firstValues);
        check("upsert", this::upsert);
        check("batch", this::batch);
        check("sketches written back", this::writtenBack);
        check("sketches written back as bytes", this::writtenBackAsBytes);
        check("sketches as parameters", this::asParameters);
        check("COPY in binary", this::copyBinary);
        if (prepares) {
            check("prepared statements", this::plannedGenerically);
        }
        db.close();
    }

    public static void main(String[] args) throws Exception {
        List<Case> cases = read(Path.of(args[1]));
        String more = args[0] + (args[0].contains("?") ? "&" : "?");
        new WithJdbc("", args[0], false, cases).all(How.NATIVE, How.CAST);
        new WithJdbc(", prepareThreshold=1", more + "prepareThreshold=1", true,
            cases).all(How.NATIVE, How.TEXT);
        new WithJdbc(", stringtype=unspecified", more + "stringtype=unspecified", false,
            cases).all(How.TEXT);
        System.exit(failures == 0 ? 0 : 1);
    }
}
