// Loaded into each process of the product before its own code: writes a CPU profile when it ends.
// Node.js 20 has --cpu-prof as well, but not for programs that others start.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'

const intervalUs = 500
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.setSamplingInterval', { interval: intervalUs })
session.post('Profiler.start')

process.once('exit', () => {
  // A session of one's own process answers at once.
  session.post('Profiler.stop', (_error, { profile }) => {
    const dir = process.env.BENCH_PROFILE_DIR ?? ''
    const name = process.argv[1]?.split('/').slice(-4).join('-')
    writeFileSync(join(dir, `${name}-${process.pid}.cpuprofile`), JSON.stringify(profile))
  })
})
