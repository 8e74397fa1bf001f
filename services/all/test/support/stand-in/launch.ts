import { fileURLToPath } from 'node:url'
import { startDistributed } from '../../../src/distributed.js'
import { main } from '../../../src/main.js'
import { startStandIn } from './product.js'

// The launcher as `start.mjs` runs it, with small programs instead of the product.
const file = fileURLToPath(new URL('child.js', import.meta.url))
const programs = {
  services: [{ name: 'identity', file }],
  gateway: { name: 'gateway', file },
}
process.exitCode = await main(
  {
    args: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    root: process.cwd(),
    progress: (_title, work) => work(),
  },
  {
    allInOne: async () => startStandIn,
    distributed: async () => (options) => startDistributed(options, programs),
    requireSettings: async () => {},
  },
)
