import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { created, type Endpoint, type Input, uploadEndpoint } from '../../endpoint.js'
import { required } from '../../required.js'
import { etagOf } from '../if-match.js'
import { nounOf } from '../nouns.js'
import { silentQuery } from '../query-flags.js'
import { linksBody, revisionBody } from './body-schema.js'
import { assignedRevisions, type RevisionKind } from './kinds.js'
import { type Progress, revisionParts } from './revision-parts.js'

export const createRevision = (kind: RevisionKind, path = `/${kind.segment}/`): Endpoint =>
  uploadEndpoint({
    method: 'POST',
    path,
    since: 'v1',
    auth: 'required',
    idempotent: false,
    idempotencyKey: 'supported',
    operationId: `create${nameOf(kind)}`,
    summary: `Publish ${nounOf(kind.segment).a}${placeOf(kind)}`,
    description: `The data is processed in the background. The body is stored while it arrives, so its first member should be \`${kind.parent.member}\`.`,
    upload: true,
    query: silentQuery,
    body: revisionBody
      .extend({
        [kind.parent.member]: z.uuid(),
        ...(kind.hasLinks && { assets: linksBody.optional() }),
      })
      .meta({ id: `${nameOf(kind)}Create`, description: `The members of a new revision.` }),
    responses: { 201: kind.fullSchema },
    errors: {
      403: ['max_storage_bytes'],
      409: ['duplicate_client_id', ...(kind.hasShortId ? ['duplicate_short_id'] : [])],
    },
    responseHeaders: ['ETag', 'Location'],
    async handle(input, upload) {
      // An invalid body breaks the stream: report it rather than the resulting error of the service.
      const progress: Progress = {}
      const parts = revisionParts(input, kind, upload, progress)
      const { revision } = await input.services.revisions
        .createRevision(parts, input.streamCall)
        .catch(async (error: unknown) => {
          if (progress.fault === undefined) throw error
          await checkPermission(input, kind, progress.parentId)
          throw progress.fault
        })
      const { id } = required(revision)
      return created((await kind.full(input, required(revision))).body, {
        ...etagOf(required(revision)),
        location: `/api/${input.version}/${kind.segment}/${id}/`,
      })
    },
  })

const nameOf = (kind: RevisionKind) =>
  `${kind === assignedRevisions ? 'AutoAssigned' : ''}${nounOf(kind.segment).idPart}`

const placeOf = (kind: RevisionKind) =>
  kind === assignedRevisions ? ' that AI assigns to a figure of an analysis' : ''

/** Throws if the caller may not publish there, so that this is reported before an invalid body. */
async function checkPermission(
  { services, call }: Input,
  { parent }: RevisionKind,
  parentId: string | undefined,
) {
  if (parentId === undefined) return
  const request = { id: parentId, permission: Permission.CREATE, type: parent.type }
  await services.catalog.checkAccess(request, call).catch((error: unknown) => {
    if (!hasCode(error, Code.NotFound)) throw error
  })
}
