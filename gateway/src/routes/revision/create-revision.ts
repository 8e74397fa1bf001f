import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { created, type Endpoint, type Input, uploadEndpoint } from '../../endpoint.js'
import { found } from '../found.js'
import { etagOf } from '../if-match.js'
import { silentQuery } from '../members.js'
import { linksBody, revisionBody } from './body.js'
import type { RevisionKind } from './kinds.js'
import { type Progress, revisionParts } from './revision-parts.js'

export const createRevision = (kind: RevisionKind, path = `/${kind.segment}/`): Endpoint =>
  uploadEndpoint({
    method: 'POST',
    path,
    since: 'v1',
    auth: 'required',
    idempotent: false,
    summary: `Publish a revision ${placeOf(kind)}; its data is processed afterwards`,
    upload: true,
    query: silentQuery,
    body: revisionBody.extend({
      [kind.parent.member]: z.uuid(),
      ...(kind.hasLinks && { assets: linksBody.optional() }),
    }),
    responses: { 201: kind.fullSchema },
    async handle(input, upload) {
      // What is wrong with the body counts before what the service says of the broken stream.
      const progress: Progress = {}
      const parts = revisionParts(input, kind, upload, progress)
      const { revision } = await input.services.revisions
        .createRevision(parts, input.streamCall)
        .catch(async (error: unknown) => {
          if (progress.fault === undefined) throw error
          await refuseStranger(input, kind, progress.parentId)
          throw progress.fault
        })
      const { id } = found(revision)
      return created(await kind.full(input, found(revision)), {
        ...etagOf(found(revision)),
        location: `/api/${input.version}/${kind.segment}/${id}/`,
      })
    },
  })

const placeOf = ({ parent: { member } }: RevisionKind) =>
  member === 'analysis' ? 'to be assigned to a figure of an analysis' : `of a ${member}`

/** Who may not publish there is told so, rather than what is wrong with the body. */
async function refuseStranger(
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
