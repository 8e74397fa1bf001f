import type { GetUsageResponse, InstanceUsage } from '@figbase/proto/compute'
import { z } from 'zod'
import { uuid } from './common.js'

const seconds = z.int().min(0)

export const usageSchema = z.object({
  period: z.string(),
  billable_seconds: seconds,
  /** Of the volumes that exist now. */
  data_volume_gb: z.int().min(0),
  tiers: z.array(z.object({ tier: z.string(), billable_seconds: seconds })),
  instances: z.array(
    z.object({
      api_id: uuid,
      name: z.string(),
      owner: z.string(),
      workspace: uuid,
      tier: z.string(),
      billable_seconds: seconds,
    }),
  ),
})

type Usage = Pick<GetUsageResponse, 'period' | 'billableSeconds' | 'dataVolumeGb' | 'tiers'>

/** `instances`: those of all pages. */
export const usageShape = (
  { period, billableSeconds, dataVolumeGb, tiers }: Usage,
  instances: InstanceUsage[],
): z.input<typeof usageSchema> => ({
  period,
  billable_seconds: Number(billableSeconds),
  data_volume_gb: Number(dataVolumeGb),
  tiers: tiers.map((one) => ({ tier: one.tier, billable_seconds: Number(one.billableSeconds) })),
  instances: instances.map((one) => ({
    api_id: one.instanceId,
    name: one.name,
    owner: one.owner,
    workspace: one.workspaceId,
    tier: one.tier,
    billable_seconds: Number(one.billableSeconds),
  })),
})

export const usageColumns = [
  'period',
  'api_id',
  'name',
  'owner',
  'workspace',
  'tier',
  'billable_seconds',
] as const

/** A row for each instance and tier. */
export const usageRows = ({ period, instances }: z.input<typeof usageSchema>) =>
  instances.map((one) => ({ period, ...one }))
