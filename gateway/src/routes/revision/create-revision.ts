import type { MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { CreateFigureRevisionRequestSchema } from '@figbase/proto/revisions'
import { z } from 'zod'
import { created, type Input, uploadEndpoint } from '../../endpoint.js'
import { badRequest } from '../../http/errors.js'
import type { UploadEvent } from '../../http/json/upload-scanner.js'
import { dataTypeWords } from '../../shapes/data.js'
import { figureRevisionSchema } from '../../shapes/figure-revision.js'
import { from, has } from '../../versions.js'
import { found } from '../found.js'
import { etagOf } from '../if-match.js'
import { isSilent } from '../members.js'
import { dataObjectEnd } from './data-object-end.js'
import { fullRevision } from './full-revision.js'
import { optionalBool, optionalText, parseMember } from './raw-members.js'

type Part = MessageInitShape<typeof CreateFigureRevisionRequestSchema>

export const createRevision = uploadEndpoint({
  method: 'POST',
  path: '/revision/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  summary: 'Publish a revision of a figure; its data is processed afterwards',
  upload: true,
  body: z.object({
    figure: z.uuid(),
    metadata: z.unknown().optional(),
    is_clean_room: z.boolean().optional(),
    client_id: z.uuid().optional().meta(from('clientId')),
    data: z.array(
      z.object({
        name: z.string().nullish(),
        type: z.enum(dataTypeWords as [string, ...string[]]),
        metadata: z.unknown().optional(),
        data: z.base64(),
        is_clean_room: z.boolean().optional(),
      }),
    ),
  }),
  responses: { 201: figureRevisionSchema },
  async handle(input, upload) {
    // What is wrong with the body counts before what the service says of the broken stream.
    const progress: Progress = {}
    const parts = recording(partsOf(input, upload, progress), progress)
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

/** What is known of a body so far. */
type Progress = { figureId?: string; fault?: unknown }

async function* partsOf(
  input: Input,
  upload: AsyncIterable<UploadEvent>,
  progress: Progress,
): AsyncGenerator<Part> {
  const members = new Map<string, string>()
  let objectFault: unknown
  for await (const event of upload) {
    if (event.kind === 'member') {
      const repeated = members.has(event.name)
      members.set(event.name, event.raw)
      if (event.name !== 'figure') continue
      if (repeated) throw badRequest('figure: stands twice in the body')
      progress.figureId = figureIdIn(event.raw)
      if (objectFault) throw objectFault
      yield { part: { case: 'parent', value: { figureId: progress.figureId } } }
    } else if (objectFault) {
      // Wrong already: only the figure is still of interest, for what the caller may know.
    } else if (event.kind === 'chunk') {
      yield { part: { case: 'chunk', value: event.bytes } }
    } else {
      try {
        yield { part: { case: 'objectEnd', value: dataObjectEnd(event) } }
      } catch (error) {
        if (progress.figureId !== undefined) throw error
        objectFault = error
      }
    }
  }
  if (objectFault) throw objectFault
  yield { part: { case: 'finish', value: finish(input, members) } }
}

function figureIdIn(raw: string) {
  const figureId = parseMember(raw)
  if (typeof figureId !== 'string') throw badRequest('figure: must be a UUID')
  return figureId
}

/** Who may not publish there is told so, rather than what is wrong with the body. */
async function refuseStranger({ services, call }: Input, figureId: string | undefined) {
  if (figureId === undefined) return
  const request = { id: figureId, permission: Permission.CREATE, type: NodeType.FIGURE }
  await services.catalog.checkAccess(request, call).catch((error: unknown) => {
    if (!hasCode(error, Code.NotFound)) throw error
  })
}

function finish({ version, query }: Input, members: Map<string, string>) {
  if (!members.has('figure')) throw badRequest('figure: is required')
  if (optionalText(members, 'short_id')) {
    throw badRequest('short_id: its prefix was not reserved by you')
  }
  const links = parseMember(members.get('assets') ?? '[]')
  if (links !== null && !(Array.isArray(links) && links.length === 0)) {
    throw badRequest('assets: links to assets are not possible on this server yet')
  }
  const clientId = has(version, 'clientId') ? optionalText(members, 'client_id') : undefined
  return {
    metadataJson: members.get('metadata') ?? '',
    isCleanRoom: optionalBool(members, 'is_clean_room') ?? false,
    ...(clientId !== undefined && { clientId }),
    silent: isSilent(query as { silent?: string }),
  }
}

async function* recording<T>(items: AsyncIterable<T>, progress: Progress) {
  try {
    yield* items
  } catch (error) {
    progress.fault = error
    // For the service, the caller has gone: what is wrong with the body is not its concern.
    throw new ConnectError('the body was refused', Code.Canceled)
  }
}
