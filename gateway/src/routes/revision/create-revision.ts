import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit'
import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { created, type Input, uploadEndpoint } from '../../endpoint.js'
import { dataTypeWords } from '../../shapes/data.js'
import { figureRevisionSchema } from '../../shapes/figure-revision.js'
import { from } from '../../versions.js'
import { found } from '../found.js'
import { etagOf } from '../if-match.js'
import { silentQuery } from '../members.js'
import { fullRevision } from './full-revision.js'
import { type Progress, revisionParts } from './revision-parts.js'

export const createRevision = uploadEndpoint({
  method: 'POST',
  path: '/revision/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  summary: 'Publish a revision of a figure; its data is processed afterwards',
  upload: true,
  query: silentQuery,
  body: z.object({
    figure: z.uuid(),
    metadata: z.unknown().optional(),
    is_clean_room: z.boolean().optional(),
    client_id: z.uuid().optional().meta(from('clientId')),
    short_id: z.string().optional(),
    data: z
      .array(
        z.object({
          name: z.string().nullish(),
          type: z.enum(dataTypeWords as [string, ...string[]]),
          metadata: z.unknown().optional(),
          data: z.base64(),
          is_clean_room: z.boolean().optional(),
        }),
      )
      .optional(),
  }),
  responses: { 201: figureRevisionSchema },
  async handle(input, upload) {
    // What is wrong with the body counts before what the service says of the broken stream.
    const progress: Progress = {}
    const parts = revisionParts(input, upload, progress)
    const { revision } = await input.services.revisions
      .createFigureRevision(parts, input.streamCall)
      .catch(async (error: unknown) => {
        if (progress.fault === undefined) throw error
        await refuseStranger(input, progress.figureId)
        throw progress.fault
      })
    const { id } = found(revision)
    return created(await fullRevision(input, found(revision)), {
      ...etagOf(found(revision)),
      location: `/api/${input.version}/revision/${id}/`,
    })
  },
})

/** Who may not publish there is told so, rather than what is wrong with the body. */
async function refuseStranger({ services, call }: Input, figureId: string | undefined) {
  if (figureId === undefined) return
  const request = { id: figureId, permission: Permission.CREATE, type: NodeType.FIGURE }
  await services.catalog.checkAccess(request, call).catch((error: unknown) => {
    if (!hasCode(error, Code.NotFound)) throw error
  })
}
