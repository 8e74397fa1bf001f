import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDataDir } from '../../../src/data-dir.js'
import { catchSignals } from '../../../src/signals.js'
import { startReplicated } from './replicated.js'
import { startServers } from './servers.js'

const bucketsOfUsers = 12
const openMsMax = 5000

/**
 * The product for `npm test -- --replicated`, until SIGTERM. Writes the settings of its object store to `settings.json`
 * in its data directory, and its URL to `url`.
 */
async function run() {
  const { FIGBASE_DATA_DIR: dataDir = '', ...env } = process.env
  using stop = catchSignals((signal) => {
    console.error(`second ${signal}: stopping immediately`)
    process.exit(1)
  })
  await createDataDir(dataDir)
  await using servers = await startServers()
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY, S3_SECRET_KEY } = servers.env
  const settings = {
    ...servers.env,
    // Uses the same server as AWS.
    FIGBASE_AWS_ENDPOINT: S3_ENDPOINT,
    FIGBASE_AWS_REGION: S3_REGION,
    FIGBASE_AWS_ACCESS_KEY: S3_ACCESS_KEY,
    FIGBASE_AWS_SECRET_KEY: S3_SECRET_KEY,
  }
  await using product = await startReplicated({ servers, dataDir, env: { ...env, ...settings } })
  const forTests = {
    FIGBASE_TEST_BUCKETS: (await servers.newBuckets(bucketsOfUsers)).join(),
    FIGBASE_TEST_REPLICAS: '2',
    FIGBASE_TEST_GATEWAYS: product.gateways.join(),
  }
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ ...settings, ...forTests }))
  await writeFile(join(dataDir, 'url.new'), product.url)
  await rename(join(dataDir, 'url.new'), join(dataDir, 'url'))
  await stop.requested
}

await run()
// Everything has ended. What keeps the process alive is reported, and does not delay the tests.
setTimeout(() => {
  console.log(`ending with open resources: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit()
}, openMsMax).unref()
