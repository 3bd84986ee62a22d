package serbench;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What generated code makes its objects of, before the clock runs; of null each makes null. */
public final class Plain {
  private Plain() {}

  public static Boolean bool(Object tree) {
    return (Boolean) tree;
  }

  public static Integer int32(Object tree) {
    return tree == null ? null : (Integer) Math.toIntExact((Long) tree);
  }

  public static Long int64(Object tree) {
    return (Long) tree;
  }

  public static BigInteger uint64(Object tree) {
    return tree instanceof Long number ? BigInteger.valueOf(number) : (BigInteger) tree;
  }

  public static Double number(Object tree) {
    return tree == null ? null : (Double) ((Number) tree).doubleValue();
  }

  public static String text(Object tree) {
    return (String) tree;
  }

  /** The bits of an integer without a sign, where a library has these in a long. */
  public static Long bits(Object tree) {
    return tree == null ? null : (Long) ((Number) tree).longValue();
  }

  public static <T> List<T> list(Object tree, Function<Object, T> maker) {
    if (tree == null) {
      return null;
    }
    List<T> made = new ArrayList<>();
    for (Object item : (List<?>) tree) {
      made.add(maker.apply(item));
    }
    return made;
  }

  public static <T> LinkedHashMap<String, T> map(Object tree, Function<Object, T> maker) {
    if (tree == null) {
      return null;
    }
    LinkedHashMap<String, T> made = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : ((Map<?, ?>) tree).entrySet()) {
      made.put((String) entry.getKey(), maker.apply(entry.getValue()));
    }
    return made;
  }
}
