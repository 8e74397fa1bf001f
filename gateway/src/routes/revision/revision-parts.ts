import type { MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import type { CreateFigureRevisionRequestSchema } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import { badRequest } from '../../http/errors.js'
import type { UploadEvent } from '../../http/json/upload-scanner.js'
import { has } from '../../versions.js'
import { isSilent } from '../members.js'
import { dataObjectEnd } from './data-object-end.js'
import { optionalBool, optionalText, parseMember } from './raw-members.js'

type Part = MessageInitShape<typeof CreateFigureRevisionRequestSchema>

/** Names and metadata, which are bounded, with room for what is escaped in them. */
const restBytesMax = 32 * 2 ** 20

/** What is known of a body so far. */
export type Progress = { figureId?: string; fault?: unknown }

/** The parts of the call as the body comes; what is wrong with the body is kept in `progress`. */
export function revisionParts(
  input: Input,
  upload: AsyncIterable<UploadEvent>,
  progress: Progress,
): AsyncIterable<Part> {
  return recording(partsOf(input, upload, progress), progress)
}

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
      const parent = { figureId: progress.figureId, expectedBytes: expectedBytes(input.headers) }
      yield { part: { case: 'parent', value: parent } }
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

/** What the data will have at least: large uploads that a plan does not allow need not be sent. */
function expectedBytes(headers: Input['headers']): bigint {
  const length = Number(headers['content-length'] ?? 0)
  return BigInt(Math.max(0, Math.floor(((length - restBytesMax) * 3) / 4)))
}

function figureIdIn(raw: string) {
  const figureId = parseMember(raw)
  if (typeof figureId !== 'string') throw badRequest('figure: must be a UUID')
  return figureId
}

function finish({ version, query }: Input, members: Map<string, string>) {
  if (!members.has('figure')) throw badRequest('figure: is required')
  const links = parseMember(members.get('assets') ?? '[]')
  if (links !== null && !(Array.isArray(links) && links.length === 0)) {
    throw badRequest('assets: links to assets are not possible on this server yet')
  }
  const clientId = has(version, 'clientId') ? optionalText(members, 'client_id') : undefined
  const shortId = optionalText(members, 'short_id')
  return {
    metadataJson: members.get('metadata') ?? '',
    isCleanRoom: optionalBool(members, 'is_clean_room') ?? false,
    ...(clientId !== undefined && { clientId }),
    ...(shortId !== undefined && { shortId }),
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
