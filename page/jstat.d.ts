declare module "jstat" {
  interface Distribution {
    cdf(x: number, freedom: number): number;
    inv(probability: number, freedom: number): number;
  }
  const jstat: { studentt: Distribution };
  export default jstat;
}
