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
  assert.equal(tally.of('answered'), tally.sent, `${tally}\n${tally.failed.join('\n')}`)
  assert.deepEqual(await verify(load, dataDir), [])
  return String(tally)
}
