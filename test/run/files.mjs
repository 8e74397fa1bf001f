import { relative, resolve } from 'node:path'
import { run } from 'node:test'
import { inspect } from 'node:util'
import { root } from '../../services/all/prepare.mjs'
import { sourceOf } from './find.mjs'

// More than there are cores: tests wait much, for databases and processes.
const concurrency = 3
// A file that leaves a handle open does not end: then this ends it, and it has failed.
const fileMs = 240_000
// The soak run alone takes half an hour.
const longFileMs = 2_700_000
const nodeOptions = process.env.NODE_OPTIONS ?? ''

/** What this run of `npm test` has come to. */
export const tally = { passed: 0, failed: 0, skipped: 0 }

/** Fault and soak runs, which take their time. */
export const runLongFiles = (files) => runFiles(files, '', longFileMs)

/** Runs test files, each in a process of its own: passes in brief, failures in full. */
export async function runFiles(files, where = '', timeout = fileMs) {
  const reports = new Map(files.map((file) => [sourceOf(file), newReport()]))
  const reportOf = (data) => {
    const file = sourceOf(relative(root, resolve(root, data.file ?? data.name)))
    if (!reports.has(file)) reports.set(file, newReport())
    return reports.get(file)
  }
  process.env.NODE_OPTIONS = `${nodeOptions} --enable-source-maps`
  const stream = run({ files: files.map((f) => resolve(root, f)), concurrency, timeout })
  stream.on('test:pass', (data) => count(reportOf(data), data, true))
  stream.on('test:fail', (data) => {
    const report = reportOf(data)
    count(report, data, false)
    if (isOwnFailure(data)) report.output += describe(data)
  })
  // Of a test, not of the runner itself: a figure that it came to.
  stream.on('test:diagnostic', (data) => {
    if (data.file) reportOf(data).figures.push(data.message)
  })
  for (const event of ['test:stdout', 'test:stderr']) {
    stream.on(event, (data) => {
      reportOf(data).output += data.message
    })
  }
  stream.resume()
  await new Promise((done, fail) => stream.once('end', done).once('error', fail))
  for (const [file, report] of reports) print(file + where, report)
}

const newReport = () => ({ passed: 0, failed: 0, ms: 0, figures: [], output: '' })

function count(report, data, passed) {
  if (data.nesting === 0) report.ms += data.details?.duration_ms ?? 0
  if (data.skip !== undefined || data.todo !== undefined) tally.skipped++
  else if (data.details?.type === 'suite') return
  else if (passed) add(report, 'passed')
  else if (isOwnFailure(data)) add(report, 'failed')
}

function add(report, what) {
  tally[what]++
  report[what]++
}

// A parent fails with its subtests; only they say why.
const isOwnFailure = ({ details }) => details?.error?.failureType !== 'subtestsFailed'

function describe({ name, details, line, file }) {
  const cause = details?.error?.cause ?? details?.error
  const isAssertion = cause?.code === 'ERR_ASSERTION'
  const text = isAssertion ? cause.stack : typeof cause === 'string' ? cause : inspect(cause)
  const at = file?.endsWith('.ts') ? `\n    at ${relative(root, file)}:${line}` : ''
  const hint = /timed out/.test(text) ? '\nDoes it leave something open?' : ''
  return `\n  ✗ ${name.replace(`${root}/`, '')}${at}\n${indent(text + hint)}\n`
}

function print(name, { passed, failed, ms, figures, output }) {
  const mark = failed > 0 ? '✗' : '✓'
  const counts = failed > 0 ? `${failed} failed, ${passed} passed` : `${passed} passed`
  console.log(`${mark} ${name}: ${counts} (${(ms / 1000).toFixed(1)} s)`)
  for (const figure of figures) console.log(indent(figure))
  if (failed > 0) console.log(indent(output.trimEnd()))
}

const indent = (text) => text.replace(/^/gm, '    ')
