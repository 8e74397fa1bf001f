import { create } from '@bufbuild/protobuf'
import { toTimestamp, toTimestampOrNone } from '@figbase/kit/db'
import {
  Health,
  type Instance,
  type InstanceEvent,
  InstanceEventSchema,
  InstanceSchema,
  Lifecycle,
} from '@figbase/proto/compute'
import { type Member, rightsOn } from './access.js'
import type { InstanceEventRow } from './db/schema.js'
import { effectiveIdle } from './domain/idle.js'
import type { Lifecycle as LifecycleName } from './domain/lifecycle.js'
import { type Health as HealthName, statusOf } from './domain/status.js'
import type { InstanceRow } from './queries/instances.js'

const lifecycles: Record<LifecycleName, Lifecycle> = {
  pending: Lifecycle.PENDING,
  starting: Lifecycle.STARTING,
  running: Lifecycle.RUNNING,
  stopping: Lifecycle.STOPPING,
  stopped: Lifecycle.STOPPED,
  failed: Lifecycle.FAILED,
  terminated: Lifecycle.TERMINATED,
}

const healths: Record<HealthName, Health> = {
  unknown: Health.UNKNOWN,
  healthy: Health.HEALTHY,
  unhealthy: Health.UNHEALTHY,
}

/** `member`: the caller; without it, what the caller may do is not said. Heartbeats are missing after `staleMs`. */
export function toInstance(
  row: InstanceRow,
  member: Member | undefined,
  staleMs: number,
): Instance {
  const status = statusOf(row, staleMs)
  const isRunning = row.observed === 'running' && row.idle_ms !== null
  const idle = effectiveIdle(row)
  return create(InstanceSchema, {
    id: row.id,
    name: row.name,
    tier: row.tier,
    workspaceId: row.workspace_id,
    owner: row.owner,
    lifecycle: lifecycles[status.lifecycle],
    health: healths[status.health],
    userFacingStatus: status.user_facing_status,
    statusDetail: status.status_detail,
    lastActivityOn: toTimestampOrNone(row.last_activity_on),
    runningSince: toTimestampOrNone(row.running_since),
    idleShutdownEnabled: idle.idle_shutdown_enabled,
    idleShutdownSeconds: idle.idle_shutdown_seconds,
    ...(isRunning && { idleSeconds: BigInt(Math.max(0, Math.floor((row.idle_ms ?? 0) / 1000))) }),
    dataVolumeGb: row.data_volume_gb,
    ...(member && rightsOn(row, member)),
    createdOn: toTimestamp(row.created_on),
    updatedOn: toTimestamp(row.updated_on),
  })
}

export const toEvent = (row: InstanceEventRow): InstanceEvent =>
  create(InstanceEventSchema, {
    kind: row.kind,
    lifecycle: lifecycles[row.lifecycle as LifecycleName],
    detail: row.detail,
    actor: row.actor,
    at: toTimestamp(row.created_on),
  })
