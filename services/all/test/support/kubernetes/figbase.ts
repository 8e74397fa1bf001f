import { main } from '../../../src/main.js'
import { root } from '../readmes/documents.js'

const exitMs = 2000

/** Stands in for the entry point of the image. */
process.exitCode = await main({
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  root,
  progress: (_title, work) => work(),
})
setTimeout(() => process.exit(), exitMs).unref()
