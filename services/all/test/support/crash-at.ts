import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Author } from './author.js'
import { runCommand } from './command.js'
import { type Bench, until } from './launched.js'

/** Points before and after a call, a single write or a job, each the first few times. */
export const around = (name: string, times = 1): string[] =>
  ['before', 'after'].flatMap((when) =>
    Array.from({ length: times }, (_, time) => `${name}.${when}:${time + 1}`),
  )

/** Points of the transactions of a service. */
export const transaction = (service: string, times = 1): string[] =>
  ['begun', 'committing', 'committed'].flatMap((when) =>
    Array.from({ length: times }, (_, time) => `${service}.tx.${when}:${time + 1}`),
  )

const usual = { LOG_LEVEL: 'fatal', ACCESS_TOKEN_LIFETIME: '1d', PENDING_SETTLE_AFTER: '1s' }
// Longer than the lease of a job of a killed process.
const settlingMs = 6000
const startsMax = 4

type CrashAt = <Prepared>(
  point: string,
  prepare: (author: Author, analysis: string, dataDir: string) => Promise<Prepared>,
  act: (author: Author, prepared: Prepared) => Promise<void>,
  check: (author: Author, prepared: Prepared, acknowledged: boolean) => Promise<void>,
) => Promise<void>

/** All crashes have one data directory, with a user and an analysis. */
export function createCrashAt(bench: Bench, more: NodeJS.ProcessEnv = {}): CrashAt {
  const env = { ...usual, ...more }
  const place = bench.dir().then(async (dataDir) => {
    const author = new Author(await bench.start({ dataDir, env }))
    await author.signUp()
    const figure = await author.newFigure()
    const { analysis } = await author.json<{ analysis: string }>('GET', `figure/${figure}/`)
    await author.launched.stop()
    return { dataDir, author, analysis }
  })

  /** Prepares on a healthy instance, acts on one that is killed at `point`, and checks on a healthy one. */
  return async (point, prepare, act, check) => {
    const { dataDir, author, analysis } = await place
    try {
      author.launched = await bench.start({ dataDir, env })
      const prepared = await prepare(author, analysis, dataDir)
      assert.equal(await author.launched.stop(), 0)

      author.launched = await startToFail(bench, dataDir, env, point)
      const acknowledged = await act(author, prepared).then(
        () => true,
        () => false,
      )
      await until(() => author.launched.hasEnded(), `the kill at ${point}`)
      assert.equal(await author.launched.ended, 'SIGKILL')

      author.launched = await bench.start({ dataDir, env })
      await check(author, prepared, acknowledged)
      assert.equal(await author.launched.stop(), 0)
    } finally {
      // After a failure, too, so that the next test can start.
      author.launched.child.kill('SIGKILL')
      await author.launched.ended
    }
    const { code, output } = await runCommand(dataDir, ['fsck', '--verify'])
    assert.equal(code, 0, output)
  }
}

/** A job left by an earlier crash may reach this point during startup: then retries. */
async function startToFail(bench: Bench, dataDir: string, env: NodeJS.ProcessEnv, point: string) {
  for (let starts = 1; ; starts++) {
    try {
      return await bench.start({ dataDir, env: { ...env, FAIL_AT: point } })
    } catch (error) {
      if (starts === startsMax) throw error
    }
    const sound = await bench.start({ dataDir, env })
    await sleep(settlingMs)
    assert.equal(await sound.stop(), 0)
  }
}
