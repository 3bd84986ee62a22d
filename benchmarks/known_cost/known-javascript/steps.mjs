/**
 * Steps of which none can begin before the last one has ended.
 * @param {number} count
 */
export function takeSteps(count) {
  let x = count;
  for (let i = 0; i < count; i++) x = (Math.imul(x, 1103515245) + 12345) | 0;
  return x;
}
