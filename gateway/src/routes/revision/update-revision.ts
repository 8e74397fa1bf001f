import type { MessageInitShape } from '@bufbuild/protobuf'
import { Permission } from '@figbase/proto/catalog'
import {
  UpdateRevisionRequest_Mode as Mode,
  type UpdateRevisionRequestSchema,
} from '@figbase/proto/revisions'
import { z } from 'zod'
import { type Endpoint, type Input, ok, uploadEndpoint } from '../../endpoint.js'
import { required } from '../../required.js'
import { etagOf, expectedVersion, ifMatchHeader } from '../if-match.js'
import { nounOf } from '../nouns.js'
import { silentQuery } from '../query-flags.js'
import { dataBody, linksBody, updateBody } from './body-schema.js'
import { figureRevisions, type RevisionKind } from './kinds.js'
import { type Fault, recordFault } from './revision-parts.js'
import { summaryOf } from './summary.js'
import { appendParts, type Target, updateParts } from './update-parts.js'

export const updateRevision = (kind: RevisionKind, method: 'PUT' | 'PATCH'): Endpoint =>
  uploadEndpoint({
    method,
    path: `/${kind.segment}/:id/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `${method === 'PUT' ? 'replace' : 'update'}${nounOf(kind.segment).idPart}`,
    summary: `Update ${nounOf(kind.segment).a}`,
    description:
      'Omitted members keep their values. `data` replaces all data objects; an element with `api_id` keeps one.',
    upload: true,
    query: silentQuery,
    body: updateBody.extend({ ...(kind.hasLinks && { assets: linksBody.nullish() }) }).meta({
      id: `${nounOf(kind.segment).idPart}Update`,
      ...(kind.hasLinks && { base: 'AssetRevisionUpdate' }),
      description: 'The members of a revision to change.',
    }),
    requestHeaders: ifMatchHeader,
    responses: { 200: kind.fullSchema },
    errors: { 403: ['max_storage_bytes'] },
    responseHeaders: ['ETag'],
    async handle(input, upload) {
      const target = await targetOf(input, kind, Mode.REPLACE)
      return update(input, kind, updateParts(input, kind, target, upload))
    },
  })

export const appendData: Endpoint = uploadEndpoint({
  method: 'POST',
  path: '/revision/:id/append_data/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'supported',
  operationId: 'appendRevisionData',
  summary: 'Add data objects to a figure revision',
  description: 'Existing data objects are kept.',
  upload: true,
  query: silentQuery,
  body: z.object({ data: dataBody.optional() }),
  requestHeaders: ifMatchHeader,
  responses: { 200: figureRevisions.fullSchema },
  errors: { 403: ['max_storage_bytes'] },
  responseHeaders: ['ETag'],
  async handle(input, upload) {
    const target = await targetOf(input, figureRevisions, Mode.APPEND)
    return update(input, figureRevisions, appendParts(input, target, upload))
  },
})

async function targetOf(input: Input, { type }: RevisionKind, mode: Mode): Promise<Target> {
  const condition = await expectedVersion(input, () => summaryOf(input, type))
  return { id: input.params.id ?? '', type, mode, ...condition }
}

type Parts = AsyncIterable<MessageInitShape<typeof UpdateRevisionRequestSchema>>

async function update(input: Input, kind: RevisionKind, parts: Parts) {
  // An invalid body breaks the stream: report it rather than the resulting error of the service.
  const progress: Fault = {}
  const { revision } = await input.services.revisions
    .updateRevision(recordFault(parts, progress), input.streamCall)
    .catch(async (error: unknown) => {
      if (progress.fault === undefined) throw error
      await checkPermission(input, kind)
      throw progress.fault
    })
  return ok((await kind.full(input, required(revision))).body, etagOf(required(revision)))
}

/** Throws if the caller may not update the revision, so that this is reported before an invalid body. */
async function checkPermission({ services, call, params }: Input, { type }: RevisionKind) {
  const request = { id: params.id ?? '', permission: Permission.UPDATE, type }
  await services.catalog.checkAccess(request, call)
}
