import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Load } from './faults/load.js'
import { verify } from './faults/verify.js'
import { startReplicated } from './replicated/replicated.js'
import { startServers, whyWithoutServers } from './replicated/servers.js'

const settings = {
  LOG_LEVEL: 'fatal',
  DATABASE_CONNECTIONS_MAX: '5',
  // Longer than the balancer takes to look, and than clients keep a connection that they do not use.
  SHUTDOWN_DELAY: '6s',
}

test('every process is restarted under load, one after the other: no request fails, nothing is lost', {
  skip: whyWithoutServers(),
}, async (t) => {
  await using servers = await startServers()
  await using product = await startReplicated({ servers, env: settings })
  const load = new Load({ ...product, seed: Number(process.env.SEED ?? 1), workers: 6 })
  await load.prepare()
  load.start()
  for (const replica of product.replicas) {
    await replica.stop()
    await replica.start()
  }
  await load.stop()
  const { tally } = load
  t.diagnostic(`${product.replicas.length} processes restarted: ${tally}`)
  assert.deepEqual(tally.wrong, [])
  assert.equal(tally.of('answered'), tally.sent)
  assert.deepEqual(await verify(load, product.dataDir), [])
})
