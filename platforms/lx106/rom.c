/* What the ESP8266 has in its ROM and its compiler's library therefore lacks: division, and the arithmetic of
 * floating-point numbers. The ROM's own code is not free; this does the same in other instructions. */
#include <stdbool.h>
#include <stdint.h>

uint64_t __udivmoddi4(uint64_t dividend, uint64_t divisor, uint64_t *rest);

uint32_t __udivsi3(uint32_t dividend, uint32_t divisor);
uint32_t __umodsi3(uint32_t dividend, uint32_t divisor);
int32_t __divsi3(int32_t dividend, int32_t divisor);
uint64_t __udivdi3(uint64_t dividend, uint64_t divisor);
uint64_t __umoddi3(uint64_t dividend, uint64_t divisor);
int64_t __divdi3(int64_t dividend, int64_t divisor);
uint64_t __umulsidi3(uint32_t a, uint32_t b);
int64_t __muldi3(int64_t a, int64_t b);
float __addsf3(float a, float b);
float __subsf3(float a, float b);
float __mulsf3(float a, float b);
float __floatsisf(int32_t number);
float __floatunsisf(uint32_t number);
uint32_t __fixunssfsi(float number);
double __adddf3(double a, double b);
double __subdf3(double a, double b);
double __muldf3(double a, double b);
double __divdf3(double a, double b);
double __floatsidf(int32_t number);
double __floatunsidf(uint32_t number);
int32_t __fixdfsi(double number);
uint32_t __fixunsdfsi(double number);
double __extendsfdf2(float number);
float __truncdfsf2(double number);

/* One bit at a time, beginning with the highest that can count. */
static uint32_t divide(uint32_t dividend, uint32_t divisor, uint32_t *rest) {
    uint32_t quotient = 0;
    if (divisor != 0 && dividend >= divisor) {
        int shift = __builtin_clz(divisor) - __builtin_clz(dividend);
        for (divisor <<= shift; shift >= 0; shift--, divisor >>= 1) {
            quotient <<= 1;
            if (dividend >= divisor) dividend -= divisor, quotient |= 1;
        }
    }
    *rest = dividend;
    return quotient;
}

uint32_t __udivsi3(uint32_t dividend, uint32_t divisor) { return divide(dividend, divisor, &dividend); }

uint32_t __umodsi3(uint32_t dividend, uint32_t divisor) {
    (void)divide(dividend, divisor, &dividend);
    return dividend;
}

int32_t __divsi3(int32_t dividend, int32_t divisor) {
    uint32_t rest, a = dividend < 0 ? -(uint32_t)dividend : (uint32_t)dividend;
    uint32_t quotient = divide(a, divisor < 0 ? -(uint32_t)divisor : (uint32_t)divisor, &rest);
    return (int32_t)((dividend < 0) != (divisor < 0) ? -quotient : quotient);
}

uint64_t __udivdi3(uint64_t dividend, uint64_t divisor) { return __udivmoddi4(dividend, divisor, 0); }

uint64_t __umoddi3(uint64_t dividend, uint64_t divisor) {
    uint64_t rest;
    (void)__udivmoddi4(dividend, divisor, &rest);
    return rest;
}

int64_t __divdi3(int64_t dividend, int64_t divisor) {
    uint64_t a = dividend < 0 ? -(uint64_t)dividend : (uint64_t)dividend;
    uint64_t quotient = __udivmoddi4(a, divisor < 0 ? -(uint64_t)divisor : (uint64_t)divisor, 0);
    return (int64_t)((dividend < 0) != (divisor < 0) ? -quotient : quotient);
}

/* The processor multiplies 32 bits by 32, and keeps the lower 32. */
uint64_t __umulsidi3(uint32_t a, uint32_t b) {
    uint32_t low = (a & 0xFFFF) * (b & 0xFFFF), high = (a >> 16) * (b >> 16);
    uint32_t first = (a >> 16) * (b & 0xFFFF), middle = first + (a & 0xFFFF) * (b >> 16);
    if (middle < first) high += 0x10000;
    uint32_t sum = low + (middle << 16);
    return (uint64_t)(high + (middle >> 16) + (sum < low)) << 32 | sum;
}

int64_t __muldi3(int64_t a, int64_t b) {
    uint32_t high = (uint32_t)(a >> 32) * (uint32_t)b + (uint32_t)a * (uint32_t)(b >> 32);
    return (int64_t)(__umulsidi3((uint32_t)a, (uint32_t)b) + ((uint64_t)high << 32));
}

#define NAME(x) single_##x
#define REAL float
#define WORD uint32_t
#define FRACTION 23
#define EXPONENTS 255
#define LEADING_ZEROS __builtin_clz
#include "real.h"
#undef NAME
#undef REAL
#undef WORD
#undef FRACTION
#undef EXPONENTS
#undef LEADING_ZEROS
#define NAME(x) double_##x
#define REAL double
#define WORD uint64_t
#define FRACTION 52
#define EXPONENTS 2047
#define LEADING_ZEROS __builtin_clzll
#include "real.h"

#define SINGLE_BIAS 127
#define DOUBLE_BIAS 1023
#define SINGLE_LEADING 26
#define DOUBLE_LEADING 55
#define SINGLE_SIGN UINT32_C(0x80000000)
#define DOUBLE_SIGN UINT64_C(0x8000000000000000)

float __addsf3(float a, float b) { return single_add(single_bits(a), single_bits(b)); }
float __subsf3(float a, float b) { return single_add(single_bits(a), single_bits(b) ^ SINGLE_SIGN); }
double __adddf3(double a, double b) { return double_add(double_bits(a), double_bits(b)); }
double __subdf3(double a, double b) { return double_add(double_bits(a), double_bits(b) ^ DOUBLE_SIGN); }

/* The significand of a number that is not 0, with its leading one at FRACTION, and its exponent. */
static uint32_t single_normal(uint32_t bits, int *exponent) {
    uint32_t significand = single_significand(bits);
    int missing = __builtin_clz(significand) - 8;
    *exponent = single_exponent(bits) - missing;
    return significand << missing;
}

static uint64_t double_normal(uint64_t bits, int *exponent) {
    uint64_t significand = double_significand(bits);
    int missing = __builtin_clzll(significand) - 11;
    *exponent = double_exponent(bits) - missing;
    return significand << missing;
}

float __mulsf3(float a, float b) {
    uint32_t x = single_bits(a), y = single_bits(b), sign = single_sign(x ^ y);
    if (!single_finite(x) || !single_finite(y)) return single_real(single_nan);
    if (single_significand(x) == 0 || single_significand(y) == 0) return single_real(sign << 31);
    int i, j;
    uint64_t product =
        __umulsidi3(single_normal(x, &i), single_normal(y, &j)); /* its leading one at 46 or 47 */
    uint32_t upper = (uint32_t)(product >> 20) | ((product & 0xFFFFF) != 0);
    return single_pack(sign, i + j - SINGLE_BIAS, upper);
}

double __muldf3(double a, double b) {
    uint64_t x = double_bits(a), y = double_bits(b), sign = double_sign(x ^ y);
    if (!double_finite(x) || !double_finite(y)) return double_real(double_nan);
    if (double_significand(x) == 0 || double_significand(y) == 0) return double_real(sign << 63);
    int i, j;
    x = double_normal(x, &i), y = double_normal(y, &j);
    uint64_t low = __umulsidi3((uint32_t)x, (uint32_t)y),
             high = __umulsidi3((uint32_t)(x >> 32), (uint32_t)(y >> 32));
    uint64_t middle =
        __umulsidi3((uint32_t)(x >> 32), (uint32_t)y) + __umulsidi3((uint32_t)x, (uint32_t)(y >> 32));
    middle += low >> 32; /* each product has at most 53 bits, so that nothing is carried out */
    high += middle >> 32;
    low = middle << 32 | (uint32_t)low; /* the leading one of both is at 104 or 105 */
    uint64_t upper = high << 15 | low >> 49 | ((low & ((UINT64_C(1) << 49) - 1)) != 0);
    return double_pack(sign, i + j - DOUBLE_BIAS, upper);
}

double __divdf3(double a, double b) {
    uint64_t x = double_bits(a), y = double_bits(b), sign = double_sign(x ^ y);
    if (!double_finite(x) || !double_finite(y) || double_significand(y) == 0) return double_real(double_nan);
    if (double_significand(x) == 0) return double_real(sign << 63);
    int i, j;
    x = double_normal(x, &i), y = double_normal(y, &j);
    uint64_t quotient = 0;
    for (int bit = DOUBLE_LEADING; bit >= 0; bit--, x <<= 1) {
        quotient <<= 1;
        if (x >= y) x -= y, quotient |= 1;
    }
    return double_pack(sign, i - j + DOUBLE_BIAS, quotient | (x != 0));
}

float __floatunsisf(uint32_t number) { return single_pack(0, SINGLE_BIAS + SINGLE_LEADING, number); }
double __floatunsidf(uint32_t number) { return double_pack(0, DOUBLE_BIAS + DOUBLE_LEADING, number); }

float __floatsisf(int32_t number) {
    if (number >= 0) return __floatunsisf((uint32_t)number);
    return single_pack(1, SINGLE_BIAS + SINGLE_LEADING, -(uint32_t)number);
}

double __floatsidf(int32_t number) {
    if (number >= 0) return __floatunsidf((uint32_t)number);
    return double_pack(1, DOUBLE_BIAS + DOUBLE_LEADING, -(uint32_t)number);
}

uint32_t __fixunssfsi(float number) {
    uint32_t bits = single_bits(number);
    int power = single_exponent(bits) - SINGLE_BIAS;
    if (single_sign(bits) || power < 0) return 0;
    if (power > 31) return UINT32_MAX;
    return power < 23 ? single_significand(bits) >> (23 - power) : single_significand(bits) << (power - 23);
}

static uint32_t whole(uint64_t bits) {
    int power = double_exponent(bits) - DOUBLE_BIAS;
    if (power < 0) return 0;
    return power > 31 ? UINT32_MAX : (uint32_t)(double_significand(bits) >> (52 - power));
}

uint32_t __fixunsdfsi(double number) {
    return double_sign(double_bits(number)) ? 0 : whole(double_bits(number));
}

int32_t __fixdfsi(double number) {
    uint32_t magnitude = whole(double_bits(number));
    if (double_sign(double_bits(number))) return magnitude > INT32_MAX ? INT32_MIN : -(int32_t)magnitude;
    return magnitude > INT32_MAX ? INT32_MAX : (int32_t)magnitude;
}

double __extendsfdf2(float number) {
    uint32_t bits = single_bits(number);
    uint64_t sign = single_sign(bits);
    if (!single_finite(bits))
        return double_real(sign << 63 | (uint64_t)EXPONENTS << 52 | (uint64_t)(bits & 0x7FFFFF) << 29);
    int exponent = single_exponent(bits) - SINGLE_BIAS + DOUBLE_BIAS;
    return double_pack(sign, exponent + DOUBLE_LEADING - 23, single_significand(bits));
}

float __truncdfsf2(double number) {
    uint64_t bits = double_bits(number);
    uint32_t sign = (uint32_t)double_sign(bits);
    if (!double_finite(bits))
        return single_real(sign << 31 | UINT32_C(255) << 23 | (uint32_t)((bits << 12) != 0) << 22);
    uint64_t significand = double_significand(bits);
    uint32_t upper = (uint32_t)(significand >> 26) | ((significand & 0x3FFFFFF) != 0);
    return single_pack(sign, double_exponent(bits) - DOUBLE_BIAS + SINGLE_BIAS, upper);
}
