import { z } from 'zod'
import { datetime, uuid } from './common.js'
import { instanceEventSchema } from './compute.js'
import { taskSchema } from './task.js'

/** An event of a stream, as a client parses it. */
const live = <Name extends string>(event: Name, data: z.ZodObject) =>
  z.object({ id: z.string(), event: z.literal(event), data })

const change = z.object({ username: z.string(), timestamp: datetime, action: z.string() })

const activity = change.extend({
  api_id: uuid,
  target_id: uuid,
  target_type: z.string(),
  target_name: z.string().nullable(),
  workspace: uuid,
  analysis: uuid.nullable(),
  figure: uuid.nullable(),
})

const comment = change.extend({
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

const instance = instanceEventSchema.extend({ api_id: uuid, name: z.string(), workspace: uuid })

/** The events that `eventShape` makes. */
export const liveEventSchema = z
  .union([
    live('begun', z.object({ has_gap: z.boolean() })),
    live('task', taskSchema.omit({ task_detail: true, result: true })),
    live('activity', activity),
    live('revision', revision),
    live('comment', comment),
    live('compute_instance', instance),
  ])
  .meta({
    id: 'LiveEvent',
    description: 'An event of `events/`; its `id` resumes the stream after it.',
  })
