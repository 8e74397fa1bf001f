#!/usr/bin/env node
// Starts Figbase from a fresh clone: installs and builds if needed, then serves in this same process, so that it
// receives the signals of a service manager.
import nodeModule from 'node:module'
import { join } from 'node:path'
import { PrepareError, prepare, root } from './prepare.mjs'
import { createProgress } from './progress.mjs'

const exitMs = 2000
const progress = createProgress()

try {
  await prepare(progress)
  // Node.js 22 and newer cache compiled code: compiling takes half of the startup time.
  nodeModule.enableCompileCache?.(join(root, 'node_modules', '.cache', 'figbase'))
  const { main } = await import('./dist/bundle/figbase-server.js')
  process.exitCode = await main({
    args: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    root,
    progress,
  })
  // Everything is closed by now, so the process ends by itself; this bounds the wait if something was left open.
  setTimeout(() => {
    if (process.env.FIGBASE_DEBUG) {
      console.error(`figbase-server: left open: ${process.getActiveResourcesInfo().join(', ')}`)
    }
    process.exit()
  }, exitMs).unref()
} catch (error) {
  if (!(error instanceof PrepareError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
