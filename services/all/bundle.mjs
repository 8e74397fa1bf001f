// Bundles the programs of the product after the compiler: node services/all/bundle.mjs
// Finding and reading 2500 modules takes two thirds of the processor time of a start. Modules of ours, of packages that
// are ES modules, and of the CommonJS packages listed below are put together. Other CommonJS packages, which may find files
// beside them, and packages that are loaded when they are needed, stay where they are. Workers run from their own files.
import { existsSync, readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { processNames } from './dist/src/programs.js'

/** With what they need. None of them reads files of its own, or is loaded by a package that stays where it is. */
const commonJs = [
  'content-type',
  'express',
  'find-my-way',
  'ipaddr.js',
  'jsonwebtoken',
  'lodash.throttle',
  'negotiator',
  'papaparse',
  'pg',
  'pg-connection-string',
  'proxy-addr',
  'rate-limiter-flexible',
  'yaml',
]

const root = fileURLToPath(new URL('../../', import.meta.url))
const outdir = join(root, 'services/all/dist/bundle')
const dirOf = (name) => (name === 'gateway' ? name : `services/${name}`)

const fromBundle = (path) => relative(outdir, path).replaceAll('\\', '/')

/** Modules find files beside them by their own address. */
const ownAddresses = {
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.m?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const address = `new URL(${JSON.stringify(fromBundle(path))}, import.meta.url).href`
      return { contents: text.replaceAll('import.meta.url', address), loader: 'js' }
    })
  },
}

const otherPackages = {
  name: 'other packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ path, pluginData, ...from }) => {
      if (pluginData?.isResolved || from.kind === 'entry-point') return undefined
      const options = { ...from, pluginData: { isResolved: true } }
      const found = await resolve(path, options)
      if (found.errors.length > 0 || found.external) return { path, external: true }
      const name = packageOf(found.path)
      const isLater = name !== undefined && from.kind === 'dynamic-import'
      // Modules of packages that stay where they are import nothing here.
      const isNeeded = packageOf(from.importer) !== undefined && !isEsModule(from.importer)
      const isWanted = isEsModule(found.path) || commonJs.includes(name) || isNeeded
      if (!isLater && isWanted) return found
      return { path: fromBundle(found.path), external: true }
    })
  },
}

const packageOf = (path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]

function isEsModule(path) {
  if (/\.(mjs|json)$/.test(path)) return true
  if (!/\.js$/.test(path)) return false
  for (let dir = dirname(path); dir !== dirname(dir); dir = dirname(dir)) {
    const file = join(dir, 'package.json')
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).type === 'module'
  }
  return false
}

// The names of parts change with their content.
await rm(outdir, { recursive: true, force: true })
await build({
  entryPoints: Object.fromEntries([
    ['figbase-server', join(root, 'services/all/dist/src/main.js')],
    ...processNames.map((name) => [name, join(root, dirOf(name), 'dist/src/main.js')]),
  ]),
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  // Those of Node.js, which does not know `module`.
  conditions: ['node-addons'],
  mainFields: ['main'],
  target: 'node20',
  chunkNames: 'part-[hash]',
  sourcemap: true,
  sourcesContent: false,
  keepNames: true,
  // CommonJS modules require those of Node.js.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'\nconst require = createRequireOfBundle(import.meta.url)",
  },
  plugins: [ownAddresses, otherPackages],
  logLevel: 'warning',
})
