import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Lifecycle } from '@figbase/kit/service'
import { createTestDatabase, startCollector } from '@figbase/kit/testing'
import { startAllInOne } from '../src/all-in-one.js'

/** The products run in this process in turn, so that its CPU usage is theirs. */
const rounds = 12
const warmUpRounds = 3

const requestsPerRound = 250

type Variant = { name: string; url: string; token: string; figure: string; us: number }

test('measures the cost of tracing', async (t) => {
  await using stop = new Lifecycle()
  const collector = await startCollector()
  stop.onStop(() => collector[Symbol.asyncDispose]())
  const sender = fork(fileURLToPath(new URL('support/sender.js', import.meta.url)))
  stop.onStop(() => sender.kill())
  const on = (ratio: string) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: ratio,
  })
  const settings: [string, NodeJS.ProcessEnv][] = [
    ['off', {}],
    ['on, none recorded', on('0')],
    ['on, 1 % recorded', on('0.01')],
    ['on, all recorded', on('1')],
  ]
  const variants: Variant[] = []
  for (const [name, env] of settings) variants.push(await start(name, env, stop))
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    for (const variant of variants) {
      const { url, token, figure } = variant
      const before = process.cpuUsage()
      await send(sender, { url, token, count: requestsPerRound, path: `figure/${figure}/` })
      const { user, system } = process.cpuUsage(before)
      if (round >= warmUpRounds) variant.us += (user + system) / (requestsPerRound * rounds)
    }
    // Varies the order of the variants.
    variants.push(...variants.splice(0, 1 + (round % 2)))
  }
  const off = variants.find(({ name }) => name === 'off')
  assert.ok(off)
  for (const { name, us } of variants) {
    const ratio = (us / off.us).toFixed(3)
    t.diagnostic(`reading a figure, ${name}: ${us.toFixed(0)} µs CPU, ${ratio} of off`)
  }
  assert.ok(collector.spans.length > 0, 'no span was recorded')
})

async function send(sender: ChildProcess, order: object): Promise<void> {
  sender.send(order)
  const [answer] = await once(sender, 'message')
  assert.equal(answer, 'done')
}

async function start(name: string, env: NodeJS.ProcessEnv, stop: Lifecycle): Promise<Variant> {
  const database = await createTestDatabase()
  stop.onStop(() => database[Symbol.asyncDispose]())
  const dataDir = await mkdtemp(join(tmpdir(), 'figbase-cost-'))
  stop.onStop(() => rm(dataDir, { recursive: true, force: true }))
  const quiet = { PORT: '0', LOG_LEVEL: 'error', REQUESTS_PER_MINUTE_MAX: '1000000' }
  const secrets = { current: 'a secret of the tests', previous: [] }
  const product = await startAllInOne({
    env: { ...quiet, ...env },
    databaseUrl: database.url,
    dataDir,
    secrets,
  })
  stop.onStop(() => product[Symbol.asyncDispose]())
  let token = ''
  const post = async (path: string, body: object) => {
    const response = await fetch(`${product.url}/api/v1.4.1/${path}/`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    assert.ok(response.ok, `${path}: ${response.status}`)
    return (await response.json()) as { api_id: string; auth: { access: string } }
  }
  const user = { username: 'ada', email: 'ada@example.org', password: 'correct horse' }
  token = (await post('user', user)).auth.access
  const workspace = (await post('workspace', { name: 'W' })).api_id
  const analysis = (await post('analysis', { name: 'A', workspace })).api_id
  const figure = (await post('figure', { name: 'F', analysis })).api_id
  return { name, url: product.url, token, figure, us: 0 }
}
