import {
  type ConnectInstanceResponse,
  type GetAllowanceResponse,
  type GetHeartbeatResponse,
  type GetLaunchOptionsResponse,
  Health,
  type Instance,
  type InstanceEvent,
  Lifecycle,
  type Tier,
} from '@figbase/proto/compute'
import { z } from 'zod'
import { datetime, isoOrNull, uuid } from './common.js'

const limit = z.int().min(0).nullable()
const period = z.string()

export const tierSchema = z.object({
  id: z.string(),
  label: z.string(),
  vcpu: z.number(),
  memory_gb: z.number(),
  description: z.string(),
})

export const tierShape = ({ id, label, vcpu, memoryGb, description }: Tier) => ({
  id,
  label,
  vcpu,
  memory_gb: memoryGb,
  description,
})

const lifecycles = [
  'pending',
  'starting',
  'running',
  'stopping',
  'stopped',
  'failed',
  'terminated',
] as const
const lifecycleSchema = z.enum(lifecycles)
const lifecycleOf = (lifecycle: Lifecycle) => Lifecycle[lifecycle].toLowerCase()

export const instanceSchema = z.object({
  api_id: uuid,
  name: z.string(),
  tier: z.string(),
  workspace: uuid,
  owner: z.string(),
  user_facing_status: z.string(),
  lifecycle: lifecycleSchema,
  health: z.enum(['unknown', 'healthy', 'unhealthy']),
  status_detail: z.string(),
  last_activity_at: datetime.nullable(),
  running_since: datetime.nullable(),
  idle_shutdown_enabled: z.boolean(),
  idle_shutdown_seconds: z.int(),
  idle_seconds: z.int().nullable(),
  data_volume_gb: z.int(),
  can_operate: z.boolean(),
  can_connect: z.boolean(),
  can_terminate: z.boolean(),
  created_at: datetime,
  updated_at: datetime,
})

export const instanceShape = (instance: Instance) => ({
  api_id: instance.id,
  name: instance.name,
  tier: instance.tier,
  workspace: instance.workspaceId,
  owner: instance.owner,
  user_facing_status: instance.userFacingStatus,
  lifecycle: lifecycleOf(instance.lifecycle),
  health: Health[instance.health].toLowerCase(),
  status_detail: instance.statusDetail,
  last_activity_at: isoOrNull(instance.lastActivityOn),
  running_since: isoOrNull(instance.runningSince),
  idle_shutdown_enabled: instance.idleShutdownEnabled,
  idle_shutdown_seconds: instance.idleShutdownSeconds,
  idle_seconds: numberOrNull(instance.idleSeconds),
  data_volume_gb: instance.dataVolumeGb,
  can_operate: instance.canOperate,
  can_connect: instance.canConnect,
  can_terminate: instance.canTerminate,
  created_at: isoOrNull(instance.createdOn),
  updated_at: isoOrNull(instance.updatedOn),
})

const numberOrNull = (value: bigint | undefined) => (value === undefined ? null : Number(value))

/** For the export of an account. */
export const ownInstanceSchema = instanceSchema.omit({
  can_operate: true,
  can_connect: true,
  can_terminate: true,
})

export function ownInstanceShape(instance: Instance) {
  const { can_operate: _, can_connect: _c, can_terminate: _t, ...shape } = instanceShape(instance)
  return shape
}

export const connectionSchema = z.object({
  redirect_url: z.string(),
  expires_in_seconds: z.int(),
})

export const connectionShape = ({ redirectUrl, expiresInSeconds }: ConnectInstanceResponse) => ({
  redirect_url: redirectUrl,
  expires_in_seconds: expiresInSeconds,
})

export const launchOptionsSchema = z.object({
  can_launch: z.boolean(),
  /** The `error` of a launch, and its `detail`; null if the caller can launch an instance. */
  reason: z.string().nullable(),
  reason_detail: z.string().nullable(),
  tiers: z.array(tierSchema),
  default_tier: z.string(),
  default_data_volume_gb: z.int(),
  max_data_volume_gb: limit,
  max_running_instances: limit,
  running_instances: z.int(),
  idle_shutdown_required: z.boolean(),
  max_idle_seconds: limit,
  default_idle_seconds: limit,
})

export const launchOptionsShape = (options: GetLaunchOptionsResponse) => ({
  can_launch: options.canLaunch,
  reason: options.reason || null,
  reason_detail: options.reasonDetail || null,
  tiers: options.tiers.map(tierShape),
  default_tier: options.defaultTier,
  default_data_volume_gb: options.defaultDataVolumeGb,
  max_data_volume_gb: options.maxDataVolumeGb ?? null,
  max_running_instances: options.maxRunningInstances ?? null,
  running_instances: options.runningInstances,
  idle_shutdown_required: options.idleShutdownRequired,
  max_idle_seconds: options.maxIdleSeconds ?? null,
  default_idle_seconds: options.defaultIdleSeconds ?? null,
})

export const allowanceSchema = z.object({
  period,
  monthly_compute_seconds: limit,
  used_seconds: z.int(),
  remaining_seconds: limit,
  compute_overages_enabled: z.boolean(),
  is_exhausted: z.boolean(),
})

export const allowanceShape = (allowance: GetAllowanceResponse) => ({
  period: allowance.period,
  monthly_compute_seconds: numberOrNull(allowance.monthlySeconds),
  used_seconds: Number(allowance.usedSeconds),
  remaining_seconds: numberOrNull(allowance.remainingSeconds),
  compute_overages_enabled: allowance.overagesEnabled,
  is_exhausted: allowance.isExhausted,
})

/** Both are null before the first heartbeat. */
export const heartbeatSchema = z.object({
  heartbeat_at: datetime.nullable(),
  heartbeat: z
    .object({
      jupyter_up: z.boolean(),
      active_kernel_count: z.int(),
      busy_kernel_count: z.int(),
      cpu_pct: z.number(),
      mem_pct: z.number(),
      disk_pct: z.number(),
    })
    .nullable(),
})

export const heartbeatShape = ({ heartbeat }: GetHeartbeatResponse) => ({
  heartbeat_at: isoOrNull(heartbeat?.at),
  heartbeat: heartbeat
    ? {
        jupyter_up: heartbeat.jupyterUp,
        active_kernel_count: heartbeat.activeKernelCount,
        busy_kernel_count: heartbeat.busyKernelCount,
        cpu_pct: heartbeat.cpuPct,
        mem_pct: heartbeat.memPct,
        disk_pct: heartbeat.diskPct,
      }
    : null,
})

export const instanceEventSchema = z.object({
  kind: z.string(),
  lifecycle: lifecycleSchema,
  detail: z.string(),
  actor: z.string().nullable(),
  created_at: datetime,
})

type EventParts = Pick<InstanceEvent, 'kind' | 'lifecycle' | 'detail' | 'actor' | 'at'>

export const instanceEventShape = ({ kind, lifecycle, detail, actor, at }: EventParts) => ({
  kind,
  lifecycle: lifecycleOf(lifecycle),
  detail,
  actor: actor || null,
  created_at: isoOrNull(at),
})
