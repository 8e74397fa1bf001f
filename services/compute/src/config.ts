import type { EnvReader } from '@figbase/kit/config'
import { readComputeDriver } from '@figbase/kit/settings'
import { readConnectSettings } from './connect/settings.js'
import { parseTier, type Tier } from './domain/tiers.js'
import { readKubernetesSettings } from './drivers/kubernetes/index.js'
import { readLocalSettings } from './drivers/local/index.js'

const dataVolumeBound = 16_384
const standardTiers =
  'small:1:2:For reading and small tables,medium:2:8:For most work,large:4:16:For large tables and models'

/** The first one is the default. */
function readTiers(env: EnvReader): Tier[] {
  const about =
    'sizes of compute instances, comma-separated: id, vCPU, GB of memory and, optionally, a description'
  const text = env.text('COMPUTE_TIERS', standardTiers, about)
  const items = text.split(',').map((item) => item.trim())
  const tiers = items.flatMap((item) => parseTier(item) ?? [])
  const ids = new Set(tiers.map(({ id }) => id))
  if (ids.size < items.length) env.reportInvalid('COMPUTE_TIERS', text, about, 'small:1:2')
  return tiers
}

export function readConfig(env: EnvReader) {
  const dataVolumeGb = env.positiveInt(
    'COMPUTE_DATA_VOLUME_GB',
    10,
    `size of the volume of an instance, in GB, unless its user chooses another; at most ${dataVolumeBound}`,
  )
  if (dataVolumeGb > dataVolumeBound) {
    env.problems.push(`COMPUTE_DATA_VOLUME_GB: must be at most ${dataVolumeBound}`)
  }
  const driver = readComputeDriver(env)
  const local = readLocalSettings(env)
  if (driver === 'local' && !local.directory) {
    env.problems.push('COMPUTE_LOCAL_DIR is required with COMPUTE_DRIVER=local')
  }
  return {
    driver,
    local,
    connect: readConnectSettings(env, { isUsed: driver !== 'off' }),
    kubernetes: readKubernetesSettings(env, driver === 'kubernetes'),
    tiers: readTiers(env),
    dataVolumeGb,
    dataVolumeGbMax: dataVolumeBound,
    instancesMax: env.positiveInt(
      'COMPUTE_INSTANCES_MAX',
      100,
      'maximum number of instances of a workspace, running or not; terminated ones count until their files are deleted',
    ),
    attemptsMax: env.int(
      'COMPUTE_ATTEMPTS_MAX',
      3,
      'how often an instance that cannot be started, or fails, is started again by itself',
    ),
    retryDelayMs: env.duration(
      'COMPUTE_RETRY_DELAY',
      '2s',
      'delay before an instance is started again; doubled with each attempt, up to 5m',
    ),
    pollMs: env.duration(
      'COMPUTE_POLL_INTERVAL',
      '1s',
      'how often instances that are not at rest are looked at',
    ),
    heartbeatMs: env.duration(
      'COMPUTE_HEARTBEAT_INTERVAL',
      '10s',
      'how often running instances are measured; without a heartbeat for three times as long, one is unhealthy',
    ),
    idleWarningMs: env.duration(
      'COMPUTE_IDLE_WARNING',
      '5m',
      'how long before it is stopped the owner of an idle instance is warned; at most half of the idle limit',
    ),
    idleCpuPct: env.positiveInt(
      'COMPUTE_IDLE_CPU_PCT',
      5,
      'use of processors, in percent of one, from which an instance is not idle',
    ),
    graceMs: env.duration(
      'COMPUTE_ALLOWANCE_GRACE',
      '10m',
      'how long instances may run when the allowance of their plan is exhausted',
    ),
    volumeRetentionMs: env.duration(
      'COMPUTE_VOLUME_RETENTION',
      '7d',
      'how long the files of a terminated instance are kept',
    ),
    callTimeoutMs: env.duration(
      'COMPUTE_CALL_TIMEOUT',
      '30s',
      'timeout for each call to what runs instances',
    ),
    publicUrl: env.url('PUBLIC_URL', '', 'the public URL of Figbase, behind a proxy'),
    port: env.port('PORT', 8000, 'the port to listen on; 0: the system chooses one'),
  }
}

export type Config = ReturnType<typeof readConfig>

/** After this time without a heartbeat, a running instance is unhealthy. */
export const staleMs = ({ heartbeatMs }: Config): number => 3 * heartbeatMs
