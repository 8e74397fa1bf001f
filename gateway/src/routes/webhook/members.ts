import { z } from 'zod'
import { formatSchema, payloadSchema } from '../../shapes/webhook.js'
import { idText } from '../body-members.js'

/** Members of bodies. */
export const members = {
  url: z.string('must be a string'),
  events: z.array(z.string('must be a string'), 'must be a list'),
  objects: z.array(idText, 'must be a list').optional(),
  format: formatSchema.optional(),
  payload: payloadSchema.optional(),
  active: z.boolean('must be true or false').optional(),
}
