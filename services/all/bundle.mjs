// Bundles the programs of the product after the compiler: node services/all/bundle.mjs
// Finding and reading 2500 modules takes two thirds of the processor time of a start. Modules of ours and of packages
// that are ES modules are put together; CommonJS packages, and packages that are loaded when they are needed, stay where
// they are. Workers run from their own files.
import { existsSync, readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { processNames } from './dist/src/programs.js'

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
      const isOfPackage = found.path.includes('/node_modules/')
      const isLater = isOfPackage && from.kind === 'dynamic-import'
      if (!isLater && isEsModule(found.path)) return found
      return { path: fromBundle(found.path), external: true }
    })
  },
}

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
  plugins: [ownAddresses, otherPackages],
  logLevel: 'warning',
})
