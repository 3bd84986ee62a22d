/* Arithmetic of one width of IEEE 754, round to nearest even. To be included once per width, after:
 * NAME(x), REAL, WORD, SIGNED, FRACTION (bits), EXPONENTS (the largest exponent field), LEADING_ZEROS(word).
 * Inside, a number is a sign, an exponent field and a significand with its leading one at FRACTION + 3: the
 * three bits below are there for rounding, and the last of them is sticky. */

#define ONE ((WORD)1)
#define WIDTH ((int)sizeof(WORD) * 8)
#define LEADING (FRACTION + 3)

static WORD NAME(bits)(REAL number) {
    WORD bits;
    __builtin_memcpy(&bits, &number, sizeof bits);
    return bits;
}

static REAL NAME(real)(WORD bits) {
    REAL number;
    __builtin_memcpy(&number, &bits, sizeof number);
    return number;
}

static WORD NAME(shifted)(WORD word, int by) {
    if (by <= 0) return word;
    if (by >= WIDTH) return word != 0;
    return (word >> by) | ((word & ((ONE << by) - 1)) != 0);
}

/* The number nearest to significand * 2^exponent, of which the significand may have any length. */
static REAL NAME(pack)(WORD sign, int exponent, WORD significand) {
    if (significand == 0) return NAME(real)(sign << (WIDTH - 1));
    int surplus = WIDTH - 1 - LEADING_ZEROS(significand) - LEADING;
    significand = surplus < 0 ? significand << -surplus : NAME(shifted)(significand, surplus);
    exponent += surplus;
    if (exponent < 1) {
        significand = NAME(shifted)(significand, 1 - exponent);
        exponent = 1;
    }
    WORD rest = significand & 7;
    significand >>= 3;
    if (rest > 4 || (rest == 4 && (significand & 1))) significand++;
    WORD bits = ((WORD)(exponent - 1) << FRACTION) + significand;
    if (exponent >= EXPONENTS || bits >= (WORD)EXPONENTS << FRACTION) bits = (WORD)EXPONENTS << FRACTION;
    return NAME(real)(bits | sign << (WIDTH - 1));
}

static WORD NAME(sign)(WORD bits) { return bits >> (WIDTH - 1); }

static int NAME(exponent)(WORD bits) {
    int field = (int)(bits >> FRACTION) & EXPONENTS;
    return field == 0 ? 1 : field;
}

static WORD NAME(significand)(WORD bits) {
    WORD fraction = bits & ((ONE << FRACTION) - 1);
    return ((bits >> FRACTION) & EXPONENTS) == 0 ? fraction : fraction | ONE << FRACTION;
}

/* Infinities and what is no number come out as the latter: no document has any. */
static bool NAME(finite)(WORD bits) { return ((bits >> FRACTION) & EXPONENTS) != EXPONENTS; }

static const WORD NAME(nan) = ((WORD)EXPONENTS << FRACTION) | ONE << (FRACTION - 1);

static REAL NAME(add)(WORD a, WORD b) {
    if (!NAME(finite)(a) || !NAME(finite)(b)) return NAME(real)(NAME(nan));
    WORD magnitude = ~(ONE << (WIDTH - 1));
    if ((a & magnitude) < (b & magnitude)) {
        WORD other = a;
        a = b;
        b = other;
    }
    int exponent = NAME(exponent)(a);
    WORD larger = NAME(significand)(a) << 3;
    WORD smaller = NAME(shifted)(NAME(significand)(b) << 3, exponent - NAME(exponent)(b));
    bool same = NAME(sign)(a) == NAME(sign)(b);
    WORD sum = same ? larger + smaller : larger - smaller;
    return NAME(pack)(sum == 0 && !same ? 0 : NAME(sign)(a), exponent, sum);
}
