// Writes what is published to npm: our code and the client of the API, which is in no registry. Each command is a file of
// its own, so that a start loads only what it runs.
import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const outdir = 'dist/bundle'

rmSync(outdir, { recursive: true, force: true })
await build({
  entryPoints: ['src/main.ts'],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: Object.keys(dependencies),
  logLevel: 'warning',
})
copyFileSync('../../LICENSE', `${outdir}/LICENSE`)
