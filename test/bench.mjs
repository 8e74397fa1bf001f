#!/usr/bin/env node
// `npm run bench`: installs and builds like `npm start`, then measures the product against a minimal server (the floor).
import { PrepareError, prepare } from '../services/all/prepare.mjs'
import { createProgress } from '../services/all/progress.mjs'

const progress = createProgress()

try {
  await prepare(progress)
  const { main } = await import('./dist/bench/main.js')
  process.exitCode = await main(process.argv.slice(2), progress)
} catch (error) {
  console.error(error instanceof PrepareError ? error.message : error)
  process.exitCode = 1
}
