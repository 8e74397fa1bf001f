import { z } from 'zod'
import { dataTypeWords } from '../../shapes/data.js'
import { useTypeWords } from '../../shapes/link.js'
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

/** Of figure revisions: `figure_revision` is ignored, since it is the revision itself. */
export const linksBody = z.array(
  z.object({ asset_revision: z.uuid(), use_type: z.enum(useTypeWords).nullish() }),
)

export const revisionBody = z.object({
  metadata: z.unknown().optional(),
  is_clean_room: z.boolean().optional(),
  client_id: z.uuid().optional().meta(from('clientId')),
  short_id: z.string().nullish(),
  description: z.string().nullish(),
  data: dataBody.optional(),
})
