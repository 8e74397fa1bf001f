// The launcher as `start.mjs` runs it, without first looking whether something is to be installed or built, which takes
// as long as a short command.
import nodeModule from 'node:module'

const root = new URL('../../../../..', import.meta.url).pathname
type Newer = { enableCompileCache?: (folder: string) => void }
;(nodeModule as Newer).enableCompileCache?.(`${root}node_modules/.cache/figbase`)
const built = (path: string) => import(new URL(path, import.meta.url).href)
const { main }: typeof import('../../src/main.js') = await built('../../bundle/figbase-server.js')
const { createProgress } = await built('../../../progress.mjs')
const exitMs = 2000

process.exitCode = await main({
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  root,
  progress: createProgress(),
})
setTimeout(() => process.exit(), exitMs).unref()
