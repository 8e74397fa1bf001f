import { z } from 'zod'
import { dataTypeWords } from '../../shapes/data.js'
import { useTypeWords } from '../../shapes/link.js'
import { from } from '../../versions.js'

const dataObject = z.object({
  name: z.string().nullish(),
  type: z.enum(dataTypeWords as [string, ...string[]]),
  metadata: z.unknown().optional(),
  is_clean_room: z.boolean().optional(),
})

const withBytes = z.union([
  dataObject.extend({ data: z.base64() }),
  dataObject.extend({
    upload: z.string().meta({ description: 'The id or the address of an upload (`POST upload/`)' }),
  }),
])

/** What a revision's body has in its `data`, for the documentation: the bytes are read as they come. */
export const dataBody = z.array(withBytes)

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

/** An element with an id and without bytes is one that is there and stays. */
const kept = z.object({ api_id: z.uuid() })

export const updateBody = revisionBody
  .omit({ client_id: true, short_id: true })
  .extend({ data: z.array(z.union([withBytes, kept])).nullish() })
