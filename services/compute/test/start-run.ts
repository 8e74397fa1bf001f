import { createLocalDriver } from '../src/drivers/local/index.js'
import { startSupervisor } from '../src/drivers/local/start-supervisor.js'
import { settings } from './local.js'

/** A process that is killed: it starts a run in a directory, or only the supervisor of one with a log. */
const [path = '', spec] = process.argv.slice(2)
if (spec) {
  const driver = createLocalDriver({ ...settings, directory: path })
  await driver.start(JSON.parse(spec), new AbortController().signal)
  process.send?.('started')
} else {
  process.send?.((await startSupervisor(path)).name)
}
setInterval(() => {}, 1000)
