import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDataDir } from '../../../src/data-dir.js'
import { declaredSettings } from '../../../src/settings-table.js'
import { catchSignals } from '../../../src/signals.js'
import { startComposeStack } from './compose-stack.js'
import { assembleImage } from './image.js'

const bucketsOfUsers = 12
const openMsMax = 5000
/** What is chosen here, and not by the tests. */
const own = new Set(['PORT', 'FIGBASE_DATA_DIR', 'FIGBASE_DEBUG'])

/** The product for `npm test -- --image`, until SIGTERM: the services of compose.yaml from the folder of the image. */
async function run() {
  const { FIGBASE_DATA_DIR: dataDir = '' } = process.env
  using stop = catchSignals((signal) => {
    console.error(`second ${signal}: stopping immediately`)
    process.exit(1)
  })
  await createDataDir(dataDir)
  await using image = await assembleImage()
  console.log(image.output)
  await using stack = await startComposeStack({
    root: image.root,
    profile: 'services',
    dataDir,
    // No proxy needs to notice the end of the gateway.
    env: { ...settingsOf(process.env), SHUTDOWN_DELAY: '0s' },
  })
  const forTests = {
    ...stack.env,
    FIGBASE_TEST_BUCKETS: (await stack.newBuckets(bucketsOfUsers)).join(),
  }
  await writeFile(join(dataDir, 'admin-password'), stack.adminPassword)
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify(forTests))
  await writeFile(join(dataDir, 'url.new'), stack.url)
  await rename(join(dataDir, 'url.new'), join(dataDir, 'url'))
  await stop.requested
  for (const [name, { output }] of stack.containers) console.log(`--- ${name}\n${output}`)
}

function settingsOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = new Set(declaredSettings().map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => names.has(name) && !own.has(name)),
  )
}

await run()
// Everything has ended. What keeps the process alive is reported, and does not delay the tests.
setTimeout(() => {
  console.log(`ending with open resources: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit()
}, openMsMax).unref()
