#!/usr/bin/env node
// `npm test`: installs and builds like `npm start`, then checks style and contracts, and runs the tests of all packages
// and the end-to-end tests: all of them in one process, and those that may differ there with two processes of each
// service and separate servers. `npm test -- unit`, `-- <part of a path>` and `-- --e2e` select tests;
// `-- --all-in-one`, `-- --distributed`, `-- --replicated` and `-- --image` the topology; `-- --s3` stores objects on S3, and
// `-- --typesense` searches with Typesense. `npm run test:long` also runs the long end-to-end tests, in the same topologies.
import { rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PrepareError, prepare, runQuietly, toolEnv } from '../services/all/prepare.mjs'
import { createProgress } from '../services/all/progress.mjs'
import { readChoice } from './run/choice.mjs'
import { createReporter, fail, otherFailures, runFiles, runLongFiles, tally } from './run/files.mjs'
import { findTests, isOfBothTopologies, isOfSearch, isPossibleInImage } from './run/find.mjs'
import { withGitServer } from './run/git-server.mjs'
import { endOnInterrupt } from './run/interrupt.mjs'
import { withModelServer } from './run/model-server.mjs'
import { withOpenIdProvider } from './run/openid-provider.mjs'
import { withProduct } from './run/product.mjs'
import { withProductS3, withS3For } from './run/s3.mjs'
import { makeScratch } from './run/scratch.mjs'
import { withTypesense } from './run/typesense.mjs'

const checks = [
  [
    'format and lint',
    'biome',
    ['ci', '--error-on-warnings', '--diagnostic-level=warn', '--colors=off', '.'],
  ],
  ['contracts', 'pnpm', ['-r', '--if-present', 'run', 'lint']],
]
/** Limits of the product that the many requests of one client would exceed, or wait for. */
const settingsOfLongE2e = {
  REQUESTS_PER_MINUTE_MAX: '10000000',
  FAILED_SIGN_INS_PER_MINUTE_AND_ADDRESS_MAX: '1000000',
  BODY_IDLE_TIMEOUT: '3s',
}

const progress = createProgress()
let reporter
const scratch = makeScratch()
// Temporary files of the tests and their servers.
process.env.TMPDIR = scratch
// Also after an interrupt, because it may be in memory.
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }))

// An interrupt exits this process normally, so that the status line is cleared.
endOnInterrupt(() => {})

try {
  const choice = readChoice(process.argv.slice(2))
  setNodeOptions(choice)
  await prepare(progress)
  reporter = await createReporter()
  const { unit, e2e, long, longE2e } = findTests(choice.fragments)
  const phases = [
    ...(choice.unit && unit.length > 0 ? [{ files: unit, run: runUnit }] : []),
    ...(choice.long && long.length > 0 ? [{ files: long, run: runLong }] : []),
    ...(choice.long && longE2e.length > 0 ? phasesOfLongE2e(choice, longE2e) : []),
    ...(choice.long && choice.fragments.length === 0
      ? await phasesOfImage(e2e.filter(isPossibleInImage))
      : []),
    ...(!choice.long && e2e.length > 0 ? await topologiesOf(choice, e2e) : []),
  ]
  for (const { files } of phases) reporter.expect(files.length)
  if (choice.checks) await runChecks()
  for (const { files, run } of phases) await run(files)
} catch (error) {
  tally.failed++
  console.error(error instanceof PrepareError ? error.message : error)
}

if (tally.passed + tally.failed === 0) console.error('no tests found')
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0
const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : ''
if (reporter) console.log(`\n${reporter.summary()}`)
for (const failure of [...otherFailures, ...(reporter?.failures() ?? [])]) console.log(failure)
console.log(`${tally.passed} passed, ${tally.failed} failed${skipped}`)

/** Of the tests and of the product. */
function setNodeOptions({ long }) {
  const { NODE_OPTIONS = '' } = process.env
  // More room for new objects saves a tenth of the processor time. Some long tests measure memory.
  const room = long ? '' : ' --max-semi-space-size=64'
  process.env.NODE_OPTIONS = `${NODE_OPTIONS} --enable-source-maps${room}`
}

async function runChecks() {
  for (const [name, command, args] of checks) {
    try {
      await progress(name, () => runQuietly(command, args, toolEnv(process.env), { lines: 200 }))
      tally.passed++
      console.log(`✓ ${name}`)
    } catch (error) {
      fail(name, error.message)
    }
  }
}

function runUnit(files) {
  return withServers(files, () => runFiles(files, reporter))
}

function runLong(files) {
  return withServers(files, () => runLongFiles(files, reporter))
}

function phasesOfLongE2e({ topologies }, files) {
  const run = (topology) => (files) =>
    runProduct(topology, topology, settingsOfLongE2e, files, runLongFiles)
  return topologies.map((topology) => ({ files, run: run(topology) }))
}

async function topologiesOf(choice, e2e) {
  const topologies = choice.checks ? await topologiesOfFullRun() : choice.topologies
  const phases = topologies.map((topology, index) => ({
    files: choice.checks && index > 0 ? e2e.filter(isOfBothTopologies) : e2e,
    run: (files) => runnerOf(choice)(topology, files),
  }))
  if (!choice.checks) return phases
  const run = (files) => runOnTypesense('all-in-one', files)
  return [...phases, { files: e2e.filter(isOfSearch), run }]
}

/** The services of compose.yaml in the image, if it can be made here. */
async function phasesOfImage(files) {
  // Imported late, because it is built first.
  const { imageSkipReason } = await import('../services/all/dist/test/support/image/image.js')
  const missing = imageSkipReason() || (await whyWithoutServers())
  if (missing) console.log(`- the product in the image: ${missing}`)
  const run = (files) => runProduct('image', 'image', {}, files)
  return missing ? [] : [{ files, run }]
}

function runnerOf({ s3, typesense }) {
  if (s3) return runOnS3
  if (typesense) return runOnTypesense
  return (topology, files) => runProduct(topology, topology, {}, files)
}

async function runProduct(name, topology, settings, files, runAll = runFiles) {
  const work = () => runAll(files, reporter, ` (${name})`)
  await withOpenIdProvider((openId) =>
    withModelServer((models) =>
      withGitServer((git) => {
        const all = { ...settings, ...openId, ...models, ...git }
        const product = { name, topology, dataDir: join(scratch, name), settings: all }
        return withProduct(product, progress, work)
      }),
    ),
  )
}

/** One process with the included servers, and replicas with separate servers, if those are installed. */
async function topologiesOfFullRun() {
  const missing = await whyWithoutServers()
  if (missing) console.log(`- the product in replicas: ${missing}`)
  return ['all-in-one', missing ? 'distributed' : 'replicated']
}

// Imported late, because it is built first.
async function whyWithoutServers() {
  return (await import('../services/all/dist/test/support/replicated/index.js')).whyWithoutServers()
}

function runOnS3(topology, files) {
  const run = (settings) => runProduct(`${topology} on S3`, topology, settings, files)
  return withProductS3(progress, run)
}

function runOnTypesense(topology, files) {
  const run = (settings) => runProduct(`${topology} on Typesense`, topology, settings, files)
  return withTypesense(run)
}

function withServers(files, work) {
  return withDatabase(() => withS3For(files, progress, work))
}

// One server for the whole run. Its data is temporary, so it need not sync to disk.
async function withDatabase(work) {
  if (process.env.TEST_DATABASE_URL) return work()
  const { startPostgres } = await import('../services/all/dist/src/postgres/embedded.js')
  const { openCluster } = await import('../services/all/dist/src/postgres/cluster.js')
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    // Several products run at once, each with a pool for each service.
    max_connections: '600',
  }
  const start = () => startPostgres({ dataDir: scratch, settings })
  const postgres = await progress('Starting PostgreSQL', start)
  const settled = endOnInterrupt(() => postgres.abandon())
  process.env.TEST_DATABASE_URL = postgres.databaseUrl
  process.env.TEST_CLUSTER_DIR = join(scratch, 'cluster')
  await mkdir(process.env.TEST_CLUSTER_DIR, { mode: 0o711 })
  await openCluster(process.env.TEST_CLUSTER_DIR, false)
  try {
    await work()
  } finally {
    delete process.env.TEST_DATABASE_URL
    delete process.env.TEST_CLUSTER_DIR
    await postgres[Symbol.asyncDispose]()
    settled()
  }
}
