import type { MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { invalid } from '@figbase/kit'
import type { CreateRevisionRequestSchema } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import type { UploadEvent } from '../../http/json/upload-scanner.js'
import { isSilent } from '../members.js'
import { dataObjectEnd } from './data-object-end.js'
import { assignedRevisions, type RevisionKind } from './kinds.js'
import { linksIn } from './links-in.js'
import { optionalBool, optionalText, parseMember } from './raw-members.js'

type Part = MessageInitShape<typeof CreateRevisionRequestSchema>

/** Names and metadata, which are bounded, with room for what is escaped in them. */
const restBytesMax = 32 * 2 ** 20

/** What is known of a body so far. */
export type Progress = Fault & { parentId?: string }

/** What was wrong with a body, as soon as that is known. */
export type Fault = { fault?: unknown }

/** The parts of the call as the body comes; what is wrong with the body is kept in `progress`. */
export function revisionParts(
  input: Input,
  kind: RevisionKind,
  upload: AsyncIterable<UploadEvent>,
  progress: Progress,
): AsyncIterable<Part> {
  return recording(partsOf(input, kind, upload, progress), progress)
}

async function* partsOf(
  input: Input,
  kind: RevisionKind,
  upload: AsyncIterable<UploadEvent>,
  progress: Progress,
): AsyncGenerator<Part> {
  const { type, parent } = kind
  const { member } = parent
  const members = new Map<string, string>()
  let objectFault: unknown
  for await (const event of upload) {
    if (event.kind === 'member') {
      const repeated = members.has(event.name)
      members.set(event.name, event.raw)
      if (event.name !== member) continue
      if (repeated) throw invalid(member, 'stands twice in the body')
      progress.parentId = idIn(member, event.raw)
      if (objectFault) throw objectFault
      const value = {
        id: progress.parentId,
        type,
        expectedBytes: expectedBytes(input.headers),
        autoAssign: kind === assignedRevisions,
      }
      yield { part: { case: 'parent', value } }
    } else if (objectFault) {
      // Wrong already: only the parent is still of interest, for what the caller may know.
    } else if (event.kind === 'chunk') {
      yield { part: { case: 'chunk', value: event.bytes } }
    } else {
      try {
        yield { part: { case: 'objectEnd', value: dataObjectEnd(event) } }
      } catch (error) {
        if (progress.parentId !== undefined) throw error
        objectFault = error
      }
    }
  }
  if (objectFault) throw objectFault
  yield { part: { case: 'finish', value: finish(input, kind, members) } }
}

/** What the data will have at least: large uploads that a plan does not allow need not be sent. */
export function expectedBytes(headers: Input['headers']): bigint {
  const length = Number(headers['content-length'] ?? 0)
  return BigInt(Math.max(0, Math.floor(((length - restBytesMax) * 3) / 4)))
}

function idIn(member: string, raw: string) {
  const id = parseMember(raw)
  if (typeof id !== 'string') throw invalid(member, 'must be a UUID')
  return id
}

function finish({ version, query }: Input, kind: RevisionKind, members: Map<string, string>) {
  const { member } = kind.parent
  if (!members.has(member)) throw invalid(member, 'is required')
  const clientId = kind.hasClientId(version) ? optionalText(members, 'client_id') : undefined
  const shortId = kind.hasShortId ? optionalText(members, 'short_id') : undefined
  return {
    metadataJson: members.get('metadata') ?? '',
    isCleanRoom: optionalBool(members, 'is_clean_room') ?? false,
    ...(clientId !== undefined && { clientId }),
    ...(shortId !== undefined && { shortId }),
    description: optionalText(members, 'description') ?? '',
    links: kind.hasLinks ? (linksIn(members) ?? []) : [],
    silent: isSilent(query as { silent?: string }),
  }
}

/** Keeps what is wrong with the body in `progress`. */
export async function* recording<T>(items: AsyncIterable<T>, progress: Fault): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    progress.fault = error
    // For the service, the caller has gone: what is wrong with the body is not its concern.
    throw new ConnectError('the body was refused', Code.Canceled)
  }
}
