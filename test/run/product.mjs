import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../services/all/prepare.mjs'
import { fail, tally } from './files.mjs'
import { endOnInterrupt } from './interrupt.mjs'

const startMs = 120_000
// Includes the time in which the servers of a deployment remove their files.
const stopMs = 120_000
const outputMax = 1_000_000
const outputMs = 1000

const launcher = join(root, 'services/all/start.mjs')
const programs = {
  'all-in-one': [launcher],
  distributed: [launcher, '--distributed'],
  replicated: [
    '--enable-source-maps',
    join(root, 'services/all/dist/test/support/replicated/main.js'),
  ],
  image: ['--enable-source-maps', join(root, 'services/all/dist/test/support/image/main.js')],
}

/** Starts the product like `npm start`, runs `work`, and stops the product like a service manager. */
export async function withProduct({ name, topology, dataDir, settings }, progress, work) {
  const product = launch(topology, dataDir, settings)
  const settled = endOnInterrupt(() => product.child.kill('SIGTERM'))
  try {
    const url = await progress(`Starting the product, ${name}`, () => ready(product, dataDir))
    if (settings.AI_PROVIDER) await switchAiOn(url, dataDir)
    const testSettings = {
      ...settings,
      ...readIfThere(join(dataDir, 'settings.json')),
      FIGBASE_URL: url,
      FIGBASE_TOPOLOGY: topology,
      FIGBASE_ADMIN_PASSWORD_FILE: join(dataDir, 'admin-password'),
      FIGBASE_DATA_DIR: dataDir,
      FIGBASE_TEST_LOG: logOf(dataDir),
    }
    const before = Object.fromEntries(
      Object.keys(testSettings).map((name) => [name, process.env[name]]),
    )
    Object.assign(process.env, testSettings)
    const failures = tally.failed
    await work()
    restore(before)
    const ms = await stop(product)
    tally.passed++
    const seconds = (ms / 1000).toFixed(1)
    console.log(`✓ the product, ${name}: started and stopped (${seconds} s)`)
    if (tally.failed > failures) console.log(`Output of the product:\n${product.output}`)
  } catch (error) {
    // Its last output, for example an error at the exit, may still arrive.
    await Promise.race([product.closed, sleep(outputMs)])
    fail(`the product, ${name}: ${error.message}`, product.output)
    product.child.kill('SIGKILL')
  } finally {
    settled()
  }
}

// The product must not use the settings of the environment.
function launch(topology, dataDir, settings) {
  const { DATABASE_URL, PUBLIC_URL, ...env } = process.env
  const child = spawn(process.execPath, programs[topology], {
    cwd: root,
    env: {
      ...env,
      ...settings,
      PORT: '0',
      FIGBASE_DATA_DIR: dataDir,
      FIGBASE_DEBUG: '1',
      LOG_LEVEL: env.LOG_LEVEL ?? 'warn',
      // All tests come from one address.
      MAILS_PER_HOUR_AND_ADDRESS_MAX: '100000',
      // Serialize calls also in one process, so that it rejects the same messages.
      CALLS_ISOLATED: 'true',
      BILLING_PROVIDER: 'none',
      BILLING_TAXES: '*:VAT:19',
      BILLING_SELLER_NAME: 'Figures Ltd.',
      // Models take processor time from the other tests; services/search/test has tests with them.
      EMBEDDER: 'none',
      OCR_ENABLED: 'false',
      // Tests search until an object is indexed.
      SEARCHES_PER_MINUTE_MAX: '1000000',
      IMAGE_SEARCHES_PER_MINUTE_MAX: '1000000',
      // All test users sign up from one address.
      REGISTRATIONS_PER_HOUR_AND_ADDRESS_MAX: '1000000',
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const product = { child, output: '', ended: undefined, closed: once(child, 'close') }
  const keep = (chunk) => {
    product.output = (product.output + chunk).slice(-outputMax)
    appendFileSync(logOf(dataDir), chunk)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  child.once('exit', (code, signal) => {
    product.ended = signal ?? code
  })
  return product
}

/** The whole output of the product. */
const logOf = (dataDir) => `${dataDir}.log`

/** Settings that a deployment chose itself, for example those of its object store. */
const readIfThere = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})

async function ready(product, dataDir) {
  const file = join(dataDir, 'url')
  const end = performance.now() + startMs
  while (performance.now() < end) {
    if (product.ended !== undefined) throw new Error(`exited during the start (${product.ended})`)
    if (existsSync(file)) {
      const url = readFileSync(file, 'utf8').trim()
      const response = await fetch(`${url}/readyz`).catch(() => undefined)
      if (response?.ok) return url
    }
    await sleep(50)
  }
  throw new Error(`not ready after ${startMs / 1000} s`)
}

// Before the tests, because they run at the same time.
async function switchAiOn(url, dataDir) {
  const password = readFileSync(join(dataDir, 'admin-password'), 'utf8').trim()
  const { access } = await sendJson(`${url}/api/token/`, 'POST', { username: 'admin', password })
  const authorization = `Bearer ${access}`
  await sendJson(`${url}/api/v1.4.1/settings/`, 'PATCH', { ai_enabled: true }, { authorization })
}

async function sendJson(url, method, body, headers = {}) {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status}`)
  return response.json()
}

/** Stops the product, and returns the duration in milliseconds. */
async function stop(product) {
  if (product.ended !== undefined) throw new Error(`exited unexpectedly (${product.ended})`)
  const started = performance.now()
  product.child.kill('SIGTERM')
  while (product.ended === undefined) {
    if (performance.now() - started > stopMs)
      throw new Error(`did not stop within ${stopMs / 1000} s`)
    await sleep(20)
  }
  if (product.ended !== 0) throw new Error(`exited with ${product.ended} instead of 0`)
  return performance.now() - started
}

function restore(before) {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}
