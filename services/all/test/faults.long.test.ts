import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Lifecycle } from '@figbase/kit'
import type { FaultyProxy } from '@figbase/kit/testing'
import { Load } from './faults/load.js'
import type { Tally } from './faults/tally.js'
import { verify } from './faults/verify.js'
import { type Replicated, startReplicated } from './replicated/replicated.js'
import {
  type ServerName,
  type Servers,
  startServers,
  whyWithoutServers,
} from './replicated/servers.js'

/**
 * Each server and each service fails under load, in a product of two processes of each service and of the gateway.
 * Nothing hangs, nothing is answered with an error that is not the caller's, what was acknowledged stays, what follows
 * from it by events and jobs comes, once; and what needs only what is up is answered all the while.
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
  // Shorter than a fault lasts.
  DATABASE_QUERY_TIMEOUT: '5s',
  DATABASE_CONNECT_TIMEOUT: '5s',
  S3_SILENCE_TIMEOUT: '3s',
  // All people come from one address.
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

  /** Healthy, faulty, and healthy again: what was answered in each time. */
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
    t.diagnostic(`afterwards: ${recovered}`)
    const losses = await verify(load, product.dataDir)
    t.diagnostic(`${load.comments.length + load.revisions.length} comments and revisions written`)
    assert.deepEqual(losses, [], 'lost, or done twice')
    for (const tally of [healthy, faulty, recovered]) {
      assert.deepEqual(tally.wrong, [])
      assert.equal(tally.of('hung'), 0)
    }
    assert.equal(healthy.sent, healthy.of('answered'))
    assert.ok(recovered.of('answered', 'write') > 0, 'nothing was written afterwards')
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

  /** Which reads are answered whether it is there or not. */
  const neededByNoRead: ServerName[] = ['NATS', 'Redis', 'S3']

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
        if (neededByNoRead.includes(name)) assert.equal(faulty.of('refused', 'read'), 0)
      })
    }
  }

  /** An answer that streams can only break off when what it comes from is gone; each person waits for one. */
  const breaksOffAtMost = (tally: Tally) => {
    assert.equal(tally.of('cut', 'write'), 0)
    assert.ok(tally.of('cut', 'read') <= workers, `${tally}`)
  }

  /** Reads that need a service, by the first word of their paths; every other is answered without it. */
  const readsWith: Record<string, string[]> = {
    identity: [],
    catalog: ['figure', 'analysis', 'revision', 'comment'],
    revisions: ['figure', 'revision'],
    comments: ['comment'],
    tasks: [],
  }

  const refusesOnly = (tally: Tally, service: string) => {
    const others = [...tally.refusedReads.keys()].filter(
      (word) => !readsWith[service]?.includes(word),
    )
    assert.deepEqual(others, [], 'reads that do not need the service were refused')
  }

  for (const name of ['identity', 'catalog', 'revisions', 'comments', 'tasks']) {
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

  for (const name of ['identity', 'catalog', 'revisions', 'comments', 'tasks']) {
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
