/** Replaces what a contender's module imports of a package by the same, which notes what is made of it. */

const MARK = "?noted";

/** Packages that a contender imports get a mark behind their address. */
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const ours = context.parentURL?.includes("/contender/") && found.url.includes("/node_modules/");
  return ours ? { ...found, url: found.url + MARK, format: "module", shortCircuit: true } : found;
}

/** A marked address is a module with the same exports, each function in a Proxy. */
export async function load(url, context, next) {
  if (!url.endsWith(MARK)) return next(url, context);
  const real = url.slice(0, -MARK.length);
  const names = Object.keys(await import(real));
  const lines = names.map((name, n) => `const x${n} = noted(real[${JSON.stringify(name)}]);`);
  const exported = names.map((name, n) => `x${n} as ${JSON.stringify(name)}`);
  const source = `
    import * as real from ${JSON.stringify(real)};
    const note = (of) => globalThis.noted.push(of.name);
    const traps = {
      construct: (of, given, as) => (note(of), Reflect.construct(of, given, as)),
      apply: (of, on, given) => (note(of), Reflect.apply(of, on, given)),
    };
    const noted = (it) => (typeof it === "function" ? new Proxy(it, traps) : it);
    ${lines.join("\n")}
    export { ${exported.join(", ")} };`;
  return { format: "module", source, shortCircuit: true };
}
