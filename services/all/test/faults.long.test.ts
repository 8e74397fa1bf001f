import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Lifecycle } from '@figbase/kit/service'
import type { FaultyProxy } from '@figbase/kit/testing'
import { Load } from './support/faults/load.js'
import type { Tally } from './support/faults/tally.js'
import { verify } from './support/faults/verify.js'
import { type Replicated, startReplicated } from './support/replicated/replicated.js'
import {
  type ServerName,
  type Servers,
  startServers,
  whyWithoutServers,
} from './support/replicated/servers.js'

/**
 * Each server and each service fails under load, with two processes per service and two gateways. No request hangs or
 * gets an unexpected error, acknowledged writes persist, their events and jobs take effect once, and requests that need
 * only available parts succeed.
 */

const missing = whyWithoutServers()
const seed = Number(process.env.SEED ?? 1)
const healthyMs = 2000
const workers = 6
const faultyMs = 8000
const recoveryMs = 4000

const settings = {
  LOG_LEVEL: 'fatal',
  DATABASE_CONNECTIONS_MAX: '5',
  // One user is mentioned again and again.
  NOTIFICATION_MAILS_PER_HOUR_MAX: '1000000',
  // Shorter than a fault.
  DATABASE_QUERY_TIMEOUT: '5s',
  DATABASE_CONNECT_TIMEOUT: '5s',
  S3_IDLE_TIMEOUT: '3s',
  // All users have one address.
  REGISTRATIONS_PER_HOUR_AND_ADDRESS_MAX: '1000000',
  MAILS_PER_HOUR_AND_ADDRESS_MAX: '1000000',
}

if (missing) test('faults under load', { skip: missing }, () => {})
else {
  const lifecycle = new Lifecycle()
  let servers: Servers
  let product: Replicated
  let run = 0

  before(async () => {
    servers = await startServers()
    lifecycle.onStop(() => servers[Symbol.asyncDispose]())
    product = await startReplicated({ servers, env: settings })
    lifecycle.onStop(() => product[Symbol.asyncDispose]())
  })
  after(() => lifecycle[Symbol.asyncDispose]())

  type Fault = { begin(): Promise<void> | void; end(): Promise<void> | void }
  type Run = { healthy: Tally; faulty: Tally; recovered: Tally }

  /** The results before, during and after the fault. */
  async function underLoad(t: TestContext, fault: Fault): Promise<Run> {
    run++
    const load = new Load({ ...product, seed: seed * 1000 + run, workers })
    await load.prepare()
    load.start()
    await sleep(healthyMs)
    const healthy = load.newTally()
    await fault.begin()
    await sleep(faultyMs)
    await fault.end()
    const faulty = load.newTally()
    await sleep(recoveryMs)
    await load.stop()
    const recovered = load.newTally()
    t.diagnostic(`healthy: ${healthy}`)
    t.diagnostic(`faulty: ${faulty}`)
    t.diagnostic(`recovered: ${recovered}`)
    const losses = await verify(load, product.dataDir)
    t.diagnostic(`${load.comments.length + load.revisions.length} comments and revisions written`)
    assert.deepEqual(losses, [], 'lost or duplicated')
    for (const tally of [healthy, faulty, recovered]) {
      assert.deepEqual(tally.wrong, [])
      assert.equal(tally.of('hung'), 0)
    }
    assert.equal(healthy.sent, healthy.of('answered'))
    assert.ok(recovered.of('answered', 'write') > 0, 'no successful write after the fault')
    return { healthy, faulty, recovered }
  }

  const stopped = (name: ServerName): Fault => ({
    begin: () => servers.named[name].stop(),
    end: () => servers.named[name].start(),
  })
  const proxied = (name: ServerName, fault: Parameters<FaultyProxy['set']>[0]): Fault => ({
    begin: () => servers.named[name].proxy.set(fault),
    end: () => servers.named[name].proxy.set('none'),
  })
  const replicasOf = (name: string) =>
    product.replicas.filter(({ program }) => program.name === name)
  const killed = (name: string, count: number): Fault => ({
    begin: async () => {
      await Promise.all(
        replicasOf(name)
          .slice(0, count)
          .map((replica) => replica.kill()),
      )
    },
    end: async () => {
      await Promise.all(
        replicasOf(name)
          .slice(0, count)
          .map((replica) => replica.start()),
      )
    },
  })

  const frozen = (name: string, count: number): Fault => ({
    begin: () => {
      for (const replica of replicasOf(name).slice(0, count)) replica.freeze()
    },
    end: () => {
      for (const replica of replicasOf(name).slice(0, count)) replica.thaw()
    },
  })

  /** Servers that no read depends on. */
  const notNeededByReads: ServerName[] = ['NATS', 'Redis', 'S3']

  for (const name of ['PostgreSQL', 'NATS', 'Redis', 'S3'] as const) {
    const faults: [string, Fault][] = [
      ['is stopped and started', stopped(name)],
      ['is silent', proxied(name, 'silent')],
      ['is slow', proxied(name, { bytesPerSecond: 20_000 })],
    ]
    for (const [what, fault] of faults) {
      test(`${name} ${what}`, async (t) => {
        const { faulty } = await underLoad(t, fault)
        assert.equal(faulty.of('cut'), 0)
        if (notNeededByReads.includes(name)) assert.equal(faulty.of('refused', 'read'), 0)
      })
    }
  }

  /** A streamed response breaks off when its source dies; each worker has one open. */
  const breaksOffAtMost = (tally: Tally) => {
    assert.equal(tally.of('cut', 'write'), 0)
    assert.ok(tally.of('cut', 'read') <= workers, `${tally}`)
  }

  /** Reads that need a service, by the first segment of their paths; all others succeed without it. */
  const readsWith: Record<string, string[]> = {
    identity: [],
    catalog: ['figure', 'analysis', 'revision', 'comment'],
    revisions: ['figure', 'revision'],
    comments: ['comment'],
    compute: [],
    search: [],
    'stories-ai': ['story'],
    tasks: [],
  }

  const refusesOnly = (tally: Tally, service: string) => {
    const others = [...tally.refusedReads.keys()].filter(
      (word) => !readsWith[service]?.includes(word),
    )
    assert.deepEqual(others, [], 'reads that do not need the service were refused')
  }

  for (const name of [
    'identity',
    'catalog',
    'revisions',
    'comments',
    'compute',
    'search',
    'stories-ai',
    'tasks',
  ]) {
    test(`a process of ${name} is killed and started`, async (t) => {
      const { faulty } = await underLoad(t, killed(name, 1))
      breaksOffAtMost(faulty)
      assert.equal(faulty.of('refused', 'read'), 0)
    })

    test(`all processes of ${name} are killed and started`, async (t) => {
      const { faulty } = await underLoad(t, killed(name, 2))
      breaksOffAtMost(faulty)
      refusesOnly(faulty, name)
    })
  }

  for (const name of [
    'identity',
    'catalog',
    'revisions',
    'comments',
    'compute',
    'search',
    'stories-ai',
    'tasks',
  ]) {
    test(`a process of ${name} is frozen`, async (t) => {
      const { faulty } = await underLoad(t, frozen(name, 1))
      breaksOffAtMost(faulty)
      assert.equal(faulty.of('refused', 'read'), 0)
    })

    test(`all processes of ${name} are frozen`, async (t) => {
      const { faulty } = await underLoad(t, frozen(name, 2))
      breaksOffAtMost(faulty)
      refusesOnly(faulty, name)
    })
  }

  test('a process of the gateway is killed and started', async (t) => {
    const { faulty } = await underLoad(t, killed('gateway', 1))
    assert.equal(faulty.of('refused'), 0)
  })
}
