import assert from 'node:assert/strict'
import { test } from 'node:test'
import { helmSkipReason } from './support/chart/helm.js'
import { Load } from './support/faults/load.js'
import { verify } from './support/faults/verify.js'
import { imageSkipReason } from './support/image/image.js'
import { Installation } from './support/kubernetes/installation.js'
import { whyWithoutServers } from './support/replicated/servers.js'

const skip = imageSkipReason() || whyWithoutServers() || (await helmSkipReason())

const settings = { LOG_LEVEL: 'warn', EMBEDDER: 'none', OCR_ENABLED: 'false' }

test('a rolling update of every Deployment of the production set fails no request, and loses no data', {
  skip,
}, async (t) => {
  await using installation = await Installation.prepare(settings)
  const { url, dataDir, cluster } = installation
  t.diagnostic(`${await installation.install()} pods`)
  const load = new Load({ url, dataDir, seed: Number(process.env.SEED ?? 1), workers: 6 })
  await load.prepare()
  load.start()
  await installation.upgrade({ ...settings, LOG_LEVEL: 'error' })
  await load.stop()
  t.diagnostic(String(load.tally))
  assert.deepEqual(load.tally.wrong, [])
  assert.equal(load.tally.of('answered'), load.tally.sent)
  assert.deepEqual(await verify(load, dataDir), [])
  await installation.run('figbase-fsck')
  await cluster.deleteAll()
  assert.deepEqual(cluster.problems, [])
})
