import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DriverHarness } from '../src/drivers/contract.js'
import { findConfinement } from '../src/drivers/local/find-confinement.js'
import { createLocalDriver, type LocalSettings } from '../src/drivers/local/index.js'
import { instanceDirectory } from '../src/drivers/local/instance-directory.js'

export const settings: Omit<LocalSettings, 'directory'> = {
  jupyterPath: '/usr/bin/jupyter-notebook',
  uids: { first: 1_900_000_000, last: 1_900_000_999 },
  mayRunUnconfined: false,
  processesMax: 200,
}

/** A driver with an empty directory. At the end, its instances are removed. */
export async function openLocal(
  change: Partial<LocalSettings> = {},
): Promise<DriverHarness & { root: string }> {
  const root = await mkdtemp(join(tmpdir(), 'figbase-compute-'))
  const all = { ...settings, directory: root, ...change }
  const driver = createLocalDriver(all)
  const { signal } = new AbortController()
  const fileIn = (instanceId: string, name: string) =>
    join(instanceDirectory(root, instanceId).volume, name)
  return {
    root,
    driver,
    inAnotherProcess: async () => createLocalDriver(all),
    writeFile: (instanceId, name) => writeFile(fileIn(instanceId, name), ''),
    hasFile: (instanceId, name) =>
      stat(fileIn(instanceId, name)).then(
        () => true,
        () => false,
      ),
    async [Symbol.asyncDispose]() {
      for (const { instanceId } of await driver.observe(signal)) {
        await driver.remove(instanceId, signal)
      }
      await rm(root, { recursive: true })
    },
  }
}

const probed = await mkdtemp(join(tmpdir(), 'figbase-compute-'))
const found = await findConfinement({ ...settings, directory: probed })
await rm(probed, { recursive: true })

/** Why tests of the driver are skipped. */
export const withoutLocal: string | false = 'reason' in found ? found.reason : false
if (withoutLocal && process.env.FIGBASE_CI) {
  throw new Error(
    `${withoutLocal}: .ci/run installs jupyter-notebook, python3-ipykernel and bubblewrap`,
  )
}
