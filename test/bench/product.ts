import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endWithUs } from './interrupt.js'
import type { Topology } from './options.js'
import { ProcessTrees } from './processes.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const launcher = 'start.mjs'
/** The programs with their arguments, relative to services/all. */
const programs: Record<Topology | 'replicated', string[]> = {
  'all-in-one': [launcher],
  distributed: [launcher, '--distributed'],
  replicated: ['dist/test/support/replicated/main.js'],
}
const profiled = new URL('profiled.js', import.meta.url).href
const startMs = 120_000
const stopMs = 60_000

export type Product = AsyncDisposable & {
  url: string
  dataDir: string
  trees: ProcessTrees
}

type ProductOptions = {
  profileDir?: string | undefined
  checkout?: string
  /** In place of defaults. */
  settings?: Record<string, string>
}

/** Starts the product like `npm start`, with default settings and a new data directory; by default that of this checkout. */
export async function startProduct(
  topology: keyof typeof programs,
  dataDir: string,
  { profileDir, checkout = root, settings = {} }: ProductOptions = {},
): Promise<Product> {
  const log = openSync(`${dataDir}.log`, 'a')
  const [program = '', ...args] = programs[topology]
  const child = spawn(process.execPath, [join(checkout, 'services/all', program), ...args], {
    env: { ...environment(dataDir, profileDir), ...settings },
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const what = () => `the product, ${topology}:\n${readFileSync(`${dataDir}.log`, 'utf8')}`
  const stop = async () => {
    if (!hasEnded()) {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await Promise.race([exit, sleep(stopMs, undefined, { ref: false })])
      if (!hasEnded()) child.kill('SIGKILL')
    }
    settled()
  }
  const settled = endWithUs(stop)
  const end = performance.now() + startMs
  let url = ''
  while (url === '') {
    if (hasEnded() || performance.now() > end) {
      await stop()
      throw new Error(`did not start: ${what()}`)
    }
    await sleep(50)
    url = readUrl(dataDir)
  }
  return {
    url,
    dataDir,
    trees: new ProcessTrees(child.pid ?? 0, postgresPid(dataDir)),
    [Symbol.asyncDispose]: stop,
  }
}

/** -1 if PostgreSQL was not started by the product. */
function postgresPid(dataDir: string): number {
  const file = join(dataDir, 'postgres/postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : -1
}

function readUrl(dataDir: string): string {
  const file = join(dataDir, 'url')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

// The product must not use the settings of the environment, except the log level. Access tokens must last for the
// whole run.
function environment(dataDir: string, profileDir: string | undefined): NodeJS.ProcessEnv {
  const { PATH, HOME, LOG_LEVEL = 'info' } = process.env
  return {
    PATH,
    HOME,
    LOG_LEVEL,
    PORT: '0',
    FIGBASE_DATA_DIR: dataDir,
    ACCESS_TOKEN_LIFETIME: '1d',
    REQUESTS_PER_MINUTE_MAX: '1000000000',
    SEARCHES_PER_MINUTE_MAX: '1000000000',
    IMAGE_SEARCHES_PER_MINUTE_MAX: '1000000000',
    ...(profileDir && { NODE_OPTIONS: `--import=${profiled}`, BENCH_PROFILE_DIR: profileDir }),
  }
}
