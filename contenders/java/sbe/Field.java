/** A field for a number that may be absent or null: its type has a null value to spare. */
final class Field {
  private Field() {}

  static long ofInteger(Number value) {
    return value == null ? Long.MIN_VALUE : value.longValue();
  }

  static Integer toInt32(long value) {
    return value == Long.MIN_VALUE ? null : (Integer) (int) value;
  }

  static Long toUint32(long value) {
    return value == Long.MIN_VALUE ? null : (Long) value;
  }

  static double ofDouble(Double value) {
    return value == null ? Double.NaN : value;
  }

  static Double toDouble(double value) {
    return Double.isNaN(value) ? null : (Double) value;
  }
}
