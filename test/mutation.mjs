#!/usr/bin/env node
// `npm run test:mutation`: builds like `npm start`, makes many small changes (mutants) to the domain code of the services,
// and lists the mutants that survive the tests. `npm run test:mutation -- identity` selects groups by name.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PrepareError, prepare } from '../services/all/prepare.mjs'
import { createProgress } from '../services/all/progress.mjs'
import { groups } from './mutation/groups.mjs'
import { installTool, mutate } from './mutation/mutate.mjs'
import { isPassed, printScores, scoreOf } from './mutation/table.mjs'

const progress = createProgress()
const scratch = mkdtempSync(join(tmpdir(), 'figbase-mutation-'))
const words = process.argv.slice(2)
const chosen = groups.filter(
  ({ name }) => words.length === 0 || words.some((w) => name.includes(w)),
)

try {
  if (chosen.length === 0) {
    throw new PrepareError(
      `unknown group: must be one of ${groups.map(({ name }) => name).join(', ')}`,
    )
  }
  await prepare(progress)
  await installTool(progress)
  const scores = await run()
  printScores(scores)
  process.exitCode = scores.every(isPassed) ? 0 : 1
} catch (error) {
  console.error(error instanceof PrepareError ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function run() {
  const scores = []
  for (const group of chosen) {
    scores.push(scoreOf(group, await mutate(group, scratch, progress)))
  }
  return scores
}
