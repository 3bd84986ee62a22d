/**
 * What a module weighs when it is shipped: bundled with all that it imports, minified, gzipped.
 *
 *     node bundle.mjs PACKAGES MODULE OUTPUT
 *
 * PACKAGES is the folder node_modules that has esbuild; OUTPUT gets the gzipped bundle. Files that a module
 * reads at run time, such as a schema's text, are not in it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

const [packages, module, output] = process.argv.slice(2);
const esbuild = createRequire(join(packages, "packages.cjs"))("esbuild");

/**
 * The names of the optional dependencies of the package that a file belongs to.
 * @param {string} folder
 * @returns {string[]}
 */
function optionalOf(folder) {
  try {
    const stated = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (stated.name) return Object.keys(stated.optionalDependencies ?? {});
  } catch {}
  return dirname(folder) === folder ? [] : optionalOf(dirname(folder));
}

// They are native and not there on every machine: with them one library would have many sizes.
const withoutOptional = {
  name: "without-optional",
  /** @param {any} build */
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, (/** @type {any} */ { path, resolveDir }) =>
      optionalOf(resolveDir).includes(path) ? { path, external: true } : undefined,
    );
  },
};

const {
  outputFiles: [{ contents }],
} = await esbuild.build({
  entryPoints: [module],
  absWorkingDir: dirname(module),
  bundle: true,
  minify: true,
  legalComments: "none",
  platform: "node",
  target: "node20",
  format: "esm",
  external: ["*.node"],
  write: false,
  logLevel: "error",
  plugins: [withoutOptional],
});
writeFileSync(output, gzipSync(contents, { level: 9 }));
