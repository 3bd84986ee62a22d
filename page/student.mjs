// Student's t distribution, for ratios that are formed on the page. Everything else comes from the run's summary.
// No library is taken for it: the bundle is part of the repository, which holds no library code.

const CONFIDENCE = 0.95;
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of the gamma function for x > 0.5, by Lanczos. @param {number} x */
function logGamma(x) {
  const z = x - 1;
  const base = z + 7.5;
  let sum = LANCZOS[0];
  for (let n = 1; n < LANCZOS.length; n++) sum += LANCZOS[n] / (z + n);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(base) - base + Math.log(sum);
}

/** The continued fraction of the incomplete beta function, by Lentz. @param {number} x @param {number} a @param {number} b */
function betaFraction(x, a, b) {
  const tiny = 1e-300;
  const kept = (/** @type {number} */ v) => (Math.abs(v) < tiny ? tiny : v);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return result;
}

/** The regularised incomplete beta function. @param {number} x @param {number} a @param {number} b */
function incompleteBeta(x, a, b) {
  const front = Math.exp(
    logGamma(a + b + 1) - Math.log(a + b) - (logGamma(a + 1) - Math.log(a)) - (logGamma(b + 1) - Math.log(b))
      + a * Math.log(x) + b * Math.log1p(-x),
  );
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** How probable a value beyond `t` is, on both sides together. @param {number} t @param {number} freedom */
function outside(t, freedom) {
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

/**
 * The t of a two-sided 95 % interval, by bisection.
 * @param {number} freedom degrees of freedom, above 0; a fraction where variances differ
 */
export function quantile(freedom) {
  let [low, high] = [0, 16];
  while (outside(high, freedom) > 1 - CONFIDENCE) high *= 2;
  for (let n = 0; n < 200 && high - low > 1e-14 * high; n++) {
    const middle = (low + high) / 2;
    if (outside(middle, freedom) > 1 - CONFIDENCE) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** How probable a value above `t` is. @param {number} t @param {number} freedom */
export function above(t, freedom) {
  const tail = outside(t, freedom) / 2;
  return t > 0 ? tail : 1 - tail;
}
