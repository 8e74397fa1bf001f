import { z } from 'zod'
import { uuid } from '../../shapes/common.js'
import { dataTypeNames } from '../../shapes/data.js'
import { useTypeValues } from '../../shapes/link.js'
import { addedWith } from '../../versions.js'

const dataObject = z.object({
  name: z.string().nullish(),
  type: z.enum(dataTypeNames as [string, ...string[]]),
  metadata: z.unknown().optional(),
  is_clean_room: z.boolean().optional(),
})

const withBytes = z.union([
  dataObject
    .extend({ data: z.base64() })
    .meta({ id: 'NewDataObject', description: 'A data object whose bytes are in the body.' }),
  dataObject.extend({ upload: z.string() }).meta({
    id: 'UploadedDataObject',
    description: 'A data object whose bytes were uploaded before.',
  }),
])

/** `data` in the body of a revision; only for the OpenAPI document, because bodies are parsed as a stream. */
export const dataBody = z.array(withBytes)

/** `assets` of figure revisions. `figure_revision` is ignored: it is the revision itself. */
export const linksBody = z.array(
  z.object({ asset_revision: uuid, use_type: z.enum(useTypeValues).nullish() }).meta({
    id: 'NewAssetLink',
    description: 'A link of the revision to an asset revision.',
  }),
)

export const revisionBody = z.object({
  metadata: z.unknown().optional(),
  is_clean_room: z.boolean().optional(),
  client_id: uuid.optional().meta(addedWith('clientId')),
  short_id: z.string().nullish(),
  description: z.string().nullish(),
  data: dataBody.optional(),
})

/** An element with an id and without bytes is an existing data object to keep. */
const existingObject = z
  .object({ api_id: uuid })
  .meta({ id: 'KeptDataObject', description: 'A data object of the revision, which is kept.' })

export const updateBody = revisionBody
  .omit({ client_id: true, short_id: true })
  .extend({ data: z.array(z.union([withBytes, existingObject])).nullish() })
