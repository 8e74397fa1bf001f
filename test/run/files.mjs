import { relative, resolve } from 'node:path'
import { run } from 'node:test'
import { root } from '../../services/all/prepare.mjs'
import { sourceOf } from './find.mjs'
import { endOnInterrupt } from './interrupt.mjs'
import { whyNotSkipped } from './skips.mjs'

// More than there are cores: tests wait much, for databases and processes.
const concurrency = 3
// A file that leaves a handle open does not end: then this ends it, and it has failed.
const fileMs = 480_000
// The soak run alone takes half an hour.
const longFileMs = 2_700_000
const nodeOptions = process.env.NODE_OPTIONS ?? ''

/** What this run of `npm test` has come to. */
export const tally = { passed: 0, failed: 0, skipped: 0 }

/** Shows the progress of all files of this run; built before the first of them. */
export async function createReporter() {
  const { Reporter } = await import('../dist/src/run/reporter.js')
  return new Reporter({ out: process.stdout, tally, root })
}

/** Fault and soak runs, which take their time. */
export const runLongFiles = (files, reporter) => runFiles(files, reporter, '', longFileMs)

/** Runs test files, each in a process of its own. */
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

// A run of each: one run of all tells of a file only when those before it have ended.
async function runFile(file, reporter, where, timeout) {
  const name = sourceOf(relative(root, resolve(root, file))) + where
  reporter.beginFile(name)
  const stream = run({ files: [resolve(root, file)], timeout })
  stream.on('data', (event) => reporter.event(name, enforced(file, event)))
  await new Promise((done, fail) => stream.once('end', done).once('error', fail))
  reporter.endFile(name)
}

/** In CI, what is skipped without a listed reason has failed. */
function enforced(file, event) {
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
