import { z } from 'zod'
import { briefActivitySchema } from './activity.js'
import { datetime, uuid } from './common.js'
import { instanceEventSchema } from './compute.js'
import { shallowTaskSchema } from './task.js'

/** An event of a stream, as a client parses it. */
const live = <Name extends string>(event: Name, data: z.ZodObject) =>
  z.object({ id: z.string(), event: z.literal(event), data })

const activity = briefActivitySchema
  .extend({
    target_name: z.string().nullable(),
    workspace: uuid,
    analysis: uuid.nullable(),
    figure: uuid.nullable(),
  })
  .meta({
    id: 'LiveActivity',
    base: 'ActivityShallow',
    description: 'A new entry of an activity log.',
  })

const comment = z.object({
  username: z.string(),
  timestamp: datetime,
  action: z.string(),
  id: uuid,
  parent_comment_id: uuid.nullable(),
  target_type: z.string(),
  target_id: uuid,
  workspace: uuid,
})

const revision = z.object({
  api_id: uuid,
  figure: uuid.optional(),
  asset: uuid.optional(),
  is_processing: z.literal(false),
})

const stale = z
  .object({
    figure: uuid,
    figure_name: z.string(),
    analysis: uuid,
    workspace: uuid,
    timestamp: datetime,
  })
  .meta({
    id: 'LiveStaleFigure',
    description: 'A new revision of an asset made a figure stale.',
  })

const instance = instanceEventSchema
  .extend({ api_id: uuid, name: z.string(), workspace: uuid })
  .meta({
    id: 'LiveComputeInstanceEvent',
    base: 'ComputeInstanceEvent',
    description: 'What happened to a compute instance.',
  })

/** The events that `eventShape` makes. */
export const liveEventSchema = z
  .union([
    live('begun', z.object({ has_gap: z.boolean() })),
    live('task', shallowTaskSchema),
    live('activity', activity),
    live('revision', revision),
    live('comment', comment),
    live('compute_instance', instance),
    live('stale', stale),
  ])
  .meta({
    id: 'LiveEvent',
    description: 'An event of `events/`; its `id` resumes the stream after it.',
  })
