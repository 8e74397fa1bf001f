import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@figbase/kit/testing'
import { driverContract } from '../../src/drivers/contract.js'
import { openKubernetes } from './harness.js'
import { changed, conflict } from './status-error.js'

driverContract('kubernetes', () => openKubernetes())

driverContract('kubernetes with conflicts, latency and gaps', async () => {
  const at = await openKubernetes()
  const random = seededRandom(1)
  at.server.interfere = async ({ verb, plural, name }, when) => {
    if (when === 'before' && random() < 0.2) await sleep(10)
    if (random() < 0.05) at.server.compact()
    if (random() < 0.05) at.server.interruptWatches()
    const isWrite = ['update', 'patch', 'delete'].includes(verb)
    if (when === 'before' && isWrite && random() < 0.3) throw conflict(plural, name, changed)
  }
  return at
})
