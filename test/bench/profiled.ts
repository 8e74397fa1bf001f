// Loaded into each process of the product before its own code: writes a CPU profile when the process exits.
// (--cpu-prof of Node.js 20 does not work for child processes.)
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'

const intervalUs = 1000
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.setSamplingInterval', { interval: intervalUs })
session.post('Profiler.start')

process.once('exit', () => {
  // A session with the own process responds synchronously.
  session.post('Profiler.stop', (_error, { profile }) => {
    const dir = process.env.BENCH_PROFILE_DIR ?? ''
    const name = process.argv[1]?.split('/').slice(-4).join('-')
    writeFileSync(join(dir, `${name}-${process.pid}.cpuprofile`), JSON.stringify(profile))
  })
})
