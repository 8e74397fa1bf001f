import type { Ctx } from '../context.js'
import { type Driver, DriverFailed } from '../drivers/port.js'
import type { ActiveRow } from '../queries/reconciling.js'
import { ensureKeys } from './notebook-keys.js'

const gb = 2 ** 30

/** Starts the current run of an instance. Does nothing if the instance was changed meanwhile. */
export async function startRun(
  ctx: Ctx,
  driver: Driver,
  row: ActiveRow,
  signal: AbortSignal,
): Promise<void> {
  const { cfg } = ctx
  const tier = cfg.tiers.find(({ id }) => id === row.tier)
  if (!tier) throw new DriverFailed(`There is no tier ${row.tier} any more.`)
  const keys = await ensureKeys(ctx, row, signal)
  if (!keys) return
  const spec = {
    instanceId: row.id,
    runId: row.run_id,
    vcpu: tier.vcpu,
    memoryBytes: tier.memoryGb * gb,
    volumeBytesMax: row.data_volume_gb * gb,
    environment: {
      GF_URL: cfg.publicUrl || `http://localhost:${cfg.port}`,
      GF_API_KEY: keys.apiKey,
      GF_WORKSPACE: row.workspace_id,
    },
    basePath: `/instance/${row.id}/`,
    token: keys.token,
  }
  await driver.start(spec, signal)
}
