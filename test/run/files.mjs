import { relative, resolve } from 'node:path'
import { run } from 'node:test'
import { root } from '../../services/all/prepare.mjs'
import { sourceOf } from './find.mjs'
import { endOnInterrupt } from './interrupt.mjs'
import { whyNotSkipped } from './skips.mjs'

// More than the number of cores, because tests often wait for databases and processes.
const concurrency = 3
// The timeout of a test file; files with open handles would never end.
const fileMs = 480_000
// The soak run alone takes half an hour.
const longFileMs = 2_700_000
const nodeOptions = process.env.NODE_OPTIONS ?? ''

/** The results of this run of `npm test`. */
export const tally = { passed: 0, failed: 0, skipped: 0 }

/** Reports the progress of all files. Imported late, because it is built first. */
export async function createReporter() {
  const { Reporter } = await import('../dist/src/run/reporter.js')
  return new Reporter({ out: process.stdout, tally, root })
}

/** Runs long tests (faults, soak). */
export const runLongFiles = (files, reporter, where = '') =>
  runFiles(files, reporter, where, longFileMs)

/** Runs test files, each in a separate process. */
export async function runFiles(files, reporter, where = '', timeout = fileMs) {
  process.env.NODE_OPTIONS = `${nodeOptions} --enable-source-maps`
  const settled = endOnInterrupt(() => reporter.stop())
  reporter.start()
  try {
    const waiting = [...files]
    const work = async () => {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        await runFile(file, reporter, where, timeout)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  } finally {
    reporter.stop()
    settled()
  }
}

// One run per file: a common run would report files in order, only after those before them have ended.
async function runFile(file, reporter, where, timeout) {
  const name = sourceOf(relative(root, resolve(root, file))) + where
  reporter.beginFile(name)
  const stream = run({ files: [resolve(root, file)], timeout })
  stream.on('data', (event) => reporter.event(name, failUnlistedSkips(file, event)))
  await new Promise((done, fail) => stream.once('end', done).once('error', fail))
  reporter.endFile(name)
}

/** In CI, a skipped test fails unless it is listed in `skips.mjs`. */
function failUnlistedSkips(file, event) {
  const { skip, todo, ...data } = event.data ?? {}
  const reason = skip ?? todo
  if (event.type !== 'test:pass' || reason === undefined) return event
  const why = whyNotSkipped(sourceOf(relative(root, resolve(root, file))), data.name, reason)
  if (why === undefined) return event
  return {
    type: 'test:fail',
    data: { ...data, details: { ...data.details, error: new Error(why) } },
  }
}
