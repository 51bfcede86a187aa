/*
 * BloomGuava.java: Guava's side of bloom_guava_test.sh
 *
 * Run as a source file with Guava on the class path.
 *
 *   write            lines "strategy TAB funnel TAB keys TAB rate TAB bytes": filters
 *                    of the keys 0 to keys - 1, in hexadecimal digits
 *   read             from lines "funnel TAB keys TAB bytes" on standard input: lines
 *                    "strategy TAB found TAB others found", of the keys 0 to keys - 1
 *                    and of as many from 1000000000 on
 *
 * Key i is i itself (long), or the text "key i" (utf8), or its bytes (bytes).
 */
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import com.google.common.io.BaseEncoding;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;

public class BloomGuava {
    static final String[] FUNNELS = {"long", "utf8", "bytes"};

    @SuppressWarnings("unchecked")
    static Funnel<Object> funnel(String name) {
        Funnel<?> f = name.equals("long") ? Funnels.longFunnel()
            : name.equals("utf8") ? Funnels.stringFunnel(StandardCharsets.UTF_8)
                : Funnels.byteArrayFunnel();
        return (Funnel<Object>) f;
    }

    static Object key(String funnel, long i) {
        return funnel.equals("long") ? (Object) i : funnel.equals("utf8") ? (Object) text(i)
            : text(i).getBytes(StandardCharsets.UTF_8);
    }

    /* Some of them are no ASCII. */
    static String text(long i) {
        return (i % 3 == 0 ? "cl\u00e9 " : "key ") + i;
    }

    /* Of strategy 0, which create() no longer makes; the method is package-private. */
    static BloomFilter<Object> create(int strategy, String funnel, long keys,
        double rate) throws Exception {
        Class<?> type = Class.forName("com.google.common.hash.BloomFilter$Strategy");
        Object wanted =
            Class.forName("com.google.common.hash.BloomFilterStrategies")
                .getEnumConstants()[strategy];
        Method m = BloomFilter.class.getDeclaredMethod("create", Funnel.class, long.class,
            double.class, type);

        m.setAccessible(true);
        @SuppressWarnings("unchecked")
        BloomFilter<Object> f = (BloomFilter<Object>) m.invoke(null, funnel(funnel), keys, rate,
            wanted);
        return f;
    }

    static void write() throws Exception {
        long[] sizes = {1, 10, 500, 20000};
        double[] rates = {0.1, 0.01, 0.0001};
        StringBuilder out = new StringBuilder();

        for (int strategy = 0; strategy < 2; strategy++) {
            for (String funnel : FUNNELS) {
                for (long keys : sizes) {
                    for (double rate : rates) {
                        BloomFilter<Object> f = create(strategy, funnel, keys, rate);
                        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

                        for (long i = 0; i < keys; i++) {
                            f.put(key(funnel, i));
                        }
                        f.writeTo(bytes);
                        out.append(strategy).append('\t').append(funnel).append('\t')
                            .append(keys).append('\t').append(rate).append('\t')
                            .append(BaseEncoding.base16().lowerCase().encode(bytes.toByteArray()))
                            .append('\n');
                    }
                }
            }
        }
        System.out.print(out);
    }

    static void read() throws Exception {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));

        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] part = line.split("\t");
            long keys = Long.parseLong(part[1]);
            byte[] bytes = BaseEncoding.base16().lowerCase().decode(part[2]);
            BloomFilter<Object> f = BloomFilter.readFrom(new ByteArrayInputStream(bytes),
                funnel(part[0]));
            long found = 0;
            long others = 0;

            for (long i = 0; i < keys; i++) {
                found += f.mightContain(key(part[0], i)) ? 1 : 0;
                others += f.mightContain(key(part[0], 1000000000 + i)) ? 1 : 0;
            }
            System.out.println(bytes[0] + "\t" + found + "\t" + others);
        }
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("write")) {
            write();
        } else {
            read();
        }
    }
}
