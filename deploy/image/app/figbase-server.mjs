#!/usr/local/bin/node
// The command `figbase-server` of the image, and its entry point. Nothing is installed or built here.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

// The kernel ignores signals that process 1 does not handle. Until the product handles them, they end the process.
const early = (signal) => {
  if (process.listenerCount(signal) === 1) process.exit(signal === 'SIGINT' ? 130 : 143)
}
process.on('SIGINT', early).on('SIGTERM', early)
if (process.pid === 1) {
  const { reapOrphans } = await import('./services/all/dist/src/reap-orphans.js')
  await reapOrphans()
}

const exitMs = 2000
const { main } = await import('./services/all/dist/bundle/figbase-server.js')
process.exitCode = await main({
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  root: dirname(fileURLToPath(import.meta.url)),
  progress: async (_title, work) => work(),
})
// Everything is closed by now, so the process ends by itself; this bounds the wait if something was left open.
setTimeout(() => process.exit(), exitMs).unref()
