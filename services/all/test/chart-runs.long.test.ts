import assert from 'node:assert/strict'
import { test } from 'node:test'
import { helmSkipReason } from './support/chart/helm.js'
import { imageSkipReason } from './support/image/image.js'
import { Installation } from './support/kubernetes/installation.js'
import { upgradeUnderLoad } from './support/kubernetes/upgrade-under-load.js'
import { whyWithoutServers } from './support/replicated/servers.js'

const skip = imageSkipReason() || whyWithoutServers() || (await helmSkipReason())

const settings = {
  LOG_LEVEL: 'warn',
  EMBEDDER: 'none',
  OCR_ENABLED: 'false',
}

test('a rolling update of every Deployment of the production set fails no request, and all pods stop in time', {
  skip,
}, async (t) => {
  await using installation = await Installation.prepare(settings)
  t.diagnostic(`${await installation.install()} pods`)
  const load = { settings: { ...settings, LOG_LEVEL: 'error' }, workers: 6 }
  t.diagnostic(await upgradeUnderLoad(installation, load))
  await installation.run('figbase-fsck')
  await installation.cluster.deleteAll()
  assert.deepEqual(installation.cluster.problems, [])
})

test('without a delay of the shutdown, requests fail', { skip }, async () => {
  await using installation = await Installation.prepare(settings, ['shutdown.delaySeconds=0'])
  await installation.install(1)
  const changed = { ...settings, LOG_LEVEL: 'error' }
  const load = { settings: changed, workers: 2, deployments: ['figbase-gateway'] }
  await assert.rejects(upgradeUnderLoad(installation, load), /[1-9]\d* cut/)
})
