import assert from 'node:assert/strict'
import { test } from 'node:test'
import { helmSkipReason } from './support/chart/helm.js'
import { imageSkipReason } from './support/image/image.js'
import { runEndToEnd } from './support/kubernetes/end-to-end.js'
import { Installation } from './support/kubernetes/installation.js'
import { upgradeUnderLoad } from './support/kubernetes/upgrade-under-load.js'
import { whyWithoutServers } from './support/replicated/servers.js'

const skip = imageSkipReason() || whyWithoutServers() || (await helmSkipReason())

// Uploads, pictures, events, mail and pages: all processes, and the native modules of the image.
const endToEnd = ['comments', 'search', 'thumbnails', 'users']
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

test('end-to-end tests pass, and then a rolling update with one replica fails no request', {
  skip,
}, async (t) => {
  const ofTests = {
    ...settings,
    // Clients close idle connections before a gateway that stops does, which is after 15 s.
    KEEP_ALIVE_TIMEOUT: '10s',
    // All tests come from one address.
    REGISTRATIONS_PER_HOUR_AND_ADDRESS_MAX: '1000000',
    MAILS_PER_HOUR_AND_ADDRESS_MAX: '1000000',
    SEARCHES_PER_MINUTE_MAX: '1000000',
  }
  await using installation = await Installation.prepare(ofTests)
  await installation.install(1)
  const { url, dataDir } = installation
  t.diagnostic(`${await runEndToEnd(endToEnd, url, dataDir)} tests`)
  const deployments = ['figbase-gateway', 'figbase-catalog']
  const load = { settings: { ...ofTests, LOG_LEVEL: 'error' }, workers: 2, deployments }
  t.diagnostic(await upgradeUnderLoad(installation, load))
  assert.deepEqual(installation.cluster.problems, [])
  await installation.run('figbase-fsck')
})

test('without a delay of the shutdown, requests fail', { skip }, async () => {
  await using installation = await Installation.prepare(settings, ['shutdown.delaySeconds=0'])
  await installation.install(1)
  const changed = { ...settings, LOG_LEVEL: 'error' }
  const load = { settings: changed, workers: 2, deployments: ['figbase-gateway'] }
  await assert.rejects(upgradeUnderLoad(installation, load), /[1-9]\d* cut/)
})
