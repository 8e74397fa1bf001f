import { invalid } from '@figbase/kit/errors'
import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { created, type Input, uploadEndpoint } from '../../endpoint.js'
import type { UploadEvent } from '../../http/json/upload-scanner.js'
import { required } from '../../required.js'
import { addedWith, supports } from '../../versions.js'
import { etagOf } from '../if-match.js'
import { isSilent, silentQuery } from '../query-flags.js'
import { figureRevisions } from './kinds.js'
import { optionalText } from './raw-members.js'

export const deriveRevision = uploadEndpoint({
  method: 'POST',
  path: '/revision/:id/derive/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'supported',
  operationId: 'deriveRevision',
  summary: 'Create a figure revision with the data objects of another one',
  description: 'The bytes are shared, not copied. The answer is the new revision.',
  // Streamed, because metadata is stored unchanged.
  upload: true,
  query: silentQuery,
  body: z.object({
    figure: z.uuid().nullish(),
    metadata: z.unknown().optional(),
    client_id: z.uuid().nullish().meta(addedWith('clientId')),
    short_id: z.string().nullish(),
  }),
  responses: { 201: figureRevisions.fullSchema },
  errors: { 403: ['max_storage_bytes'], 409: ['duplicate_client_id', 'duplicate_short_id'] },
  responseHeaders: ['ETag', 'Location'],
  async handle(input, upload) {
    const { services, call, params, version } = input
    const sourceId = params.id ?? ''
    const request = await parseRequest(input, upload).catch(async (fault: unknown) => {
      const guard = { id: sourceId, permission: Permission.VIEW, type: NodeType.FIGURE_REVISION }
      await services.catalog.checkAccess(guard, call)
      throw fault
    })
    const answer = await services.revisions.deriveRevision({ sourceId, ...request }, call)
    const revision = required(answer.revision)
    return created((await figureRevisions.full(input, revision)).body, {
      ...etagOf(revision),
      location: `/api/${version}/revision/${revision.id}/`,
    })
  },
})

async function parseRequest(input: Input, upload: AsyncIterable<UploadEvent>) {
  const members = isEmpty(input) ? new Map<string, string>() : await membersOf(upload)
  const clientId = supports(input.version, 'clientId')
    ? optionalText(members, 'client_id')
    : undefined
  const shortId = optionalText(members, 'short_id')
  const metadata = members.get('metadata') ?? 'null'
  return {
    figureId: optionalText(members, 'figure') ?? '',
    metadataJson: metadata === 'null' ? '' : metadata,
    ...(clientId !== undefined && { clientId }),
    ...(shortId !== undefined && { shortId }),
    silent: isSilent(input.query as { silent?: string }),
  }
}

/** The body may be empty, because all members are optional. */
const isEmpty = ({ headers }: Input) =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0

async function membersOf(upload: AsyncIterable<UploadEvent>) {
  const members = new Map<string, string>()
  for await (const event of upload) {
    if (event.kind !== 'member') throw invalid('data', 'is not allowed here: use append_data/')
    members.set(event.name, event.raw)
  }
  return members
}
