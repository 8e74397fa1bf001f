import { z } from 'zod'
import { dataTypeWords } from '../../shapes/data.js'
import { from } from '../../versions.js'

/** What a revision's body has in its `data`, for the documentation: the bytes are read as they come. */
export const dataBody = z.array(
  z.object({
    name: z.string().nullish(),
    type: z.enum(dataTypeWords as [string, ...string[]]),
    metadata: z.unknown().optional(),
    data: z.base64(),
    is_clean_room: z.boolean().optional(),
  }),
)

export const revisionBody = z.object({
  metadata: z.unknown().optional(),
  is_clean_room: z.boolean().optional(),
  client_id: z.uuid().optional().meta(from('clientId')),
  short_id: z.string().nullish(),
  description: z.string().nullish(),
  data: dataBody.optional(),
})
