import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endWithUs } from './interrupt.js'
import type { Topology } from './options.js'
import { ProcessTrees } from './processes.js'

const fileOf = (path: string) =>
  fileURLToPath(new URL(`../../../services/all/${path}`, import.meta.url))
const launcher = fileOf('start.mjs')
const programs: Record<Topology | 'replicated', string[]> = {
  'all-in-one': [launcher],
  distributed: [launcher, '--distributed'],
  replicated: [fileOf('dist/test/replicated/main.js')],
}
const profiled = new URL('profiled.js', import.meta.url).href
const startMs = 120_000
const stopMs = 60_000

export type Product = AsyncDisposable & {
  url: string
  dataDir: string
  trees: ProcessTrees
}

/** Starts the product as people do, with its defaults, on a directory of its own. */
export async function startProduct(
  topology: keyof typeof programs,
  dataDir: string,
  profileDir?: string,
): Promise<Product> {
  const log = openSync(`${dataDir}.log`, 'a')
  const child = spawn(process.execPath, programs[topology], {
    env: environment(dataDir, profileDir),
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

/** -1 where it is not the product's own. */
function postgresPid(dataDir: string): number {
  const file = join(dataDir, 'postgres/postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : -1
}

function readUrl(dataDir: string): string {
  const file = join(dataDir, 'url')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

// The settings of whoever runs it are not the product's, save for how much it logs. A run may
// last longer than an access token.
function environment(dataDir: string, profileDir: string | undefined): NodeJS.ProcessEnv {
  const { PATH, HOME, LOG_LEVEL = 'info' } = process.env
  return {
    PATH,
    HOME,
    LOG_LEVEL,
    PORT: '0',
    FIGBASE_DATA_DIR: dataDir,
    ACCESS_TOKEN_LIFE: '1d',
    REQUESTS_PER_MINUTE_MAX: '1000000000',
    ...(profileDir && { NODE_OPTIONS: `--import=${profiled}`, BENCH_PROFILE_DIR: profileDir }),
  }
}
