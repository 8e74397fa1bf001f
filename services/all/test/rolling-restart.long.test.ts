import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Load } from './support/faults/load.js'
import { verify } from './support/faults/verify.js'
import { startReplicated } from './support/replicated/replicated.js'
import { startServers, whyWithoutServers } from './support/replicated/servers.js'

const settings = {
  LOG_LEVEL: 'fatal',
  DATABASE_CONNECTIONS_MAX: '5',
  // One user is mentioned again and again.
  NOTIFICATION_MAILS_PER_HOUR_MAX: '1000000',
  // Longer than the poll interval of the balancer, and than clients keep idle connections.
  SHUTDOWN_DELAY: '6s',
}

test('a rolling restart under load fails no request and loses no data', {
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
