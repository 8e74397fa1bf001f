import { relative, resolve } from 'node:path'
import { run } from 'node:test'
import { root } from '../../services/all/prepare.mjs'
import { sourceOf } from './find.mjs'
import { groupsOf, isWaiting, writeGroup } from './groups.mjs'
import { endOnInterrupt } from './interrupt.mjs'
import { whyNotSkipped } from './skips.mjs'

// More than the number of cores, because tests often wait for databases and processes.
const concurrency = 4
// The timeout of a test file; files with open handles would never end.
const fileMs = 480_000
// The soak run alone takes half an hour.
const longFileMs = 2_700_000

/** The results of this run of `npm test`. */
export const tally = { passed: 0, failed: 0, skipped: 0 }

const repeatedLines = 5

/** Failures outside of tests, with the end of their details, which the end of the output repeats. */
export const otherFailures = []

/** Counts and prints a failure outside of tests. */
export function fail(line, details) {
  tally.failed++
  const end = details.trimEnd().split('\n').slice(-repeatedLines).join('\n')
  otherFailures.push(`✗ ${line}\n${end}`)
  console.log(`✗ ${line}\n${details}`)
}

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
  const settled = endOnInterrupt(() => reporter.stop())
  reporter.start()
  try {
    const groups = groupsOf(files)
    const runOne = (group) => runGroup(group, reporter, where, timeout)
    const queue = groups.filter((group) => !isWaiting(group))
    const work = async () => {
      for (let group = queue.shift(); group; group = queue.shift()) await runOne(group)
    }
    const workers = Array.from({ length: concurrency }, work)
    await Promise.all([...groups.filter(isWaiting).map(runOne), ...workers])
  } finally {
    reporter.stop()
    settled()
  }
}

/** Runs files in one process and reports each of them. */
async function runGroup(files, reporter, where, timeout) {
  const names = files.map((file) => sourceOf(relative(root, resolve(root, file))) + where)
  const group = writeGroup(files, names)
  const waiting = new Map(names.map((name, i) => [name, files[i]]))
  let running
  const begin = (name) => {
    running = name
    reporter.beginFile(name)
  }
  const end = () => {
    waiting.delete(running)
    reporter.endFile(running)
    running = undefined
  }
  // Until its first event, the process loads the modules of all.
  begin(names[0])
  const stream = run({ files: [group], timeout: timeout * files.length })
  stream.on('data', (event) => {
    const { name, nesting } = event.data
    const isFile = nesting === 0 && waiting.has(name)
    if (isFile && event.type === 'test:dequeue' && name !== running) begin(name)
    if (running) reporter.event(running, failUnlistedSkips(waiting.get(running), event))
    if (isFile && (event.type === 'test:pass' || event.type === 'test:fail')) end()
  })
  await new Promise((done, fail) => stream.once('end', done).once('error', fail))
  for (const name of waiting.keys()) {
    if (name !== running) begin(name)
    reporter.event(name, notRun)
    end()
  }
}

const error = new Error('the process ended before this file had run')
const notRun = { type: 'test:fail', data: { name: 'all tests', nesting: 0, details: { error } } }

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
