import type { MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import type { CreateRevisionRequestSchema } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import type { UploadEvent } from '../../http/json/upload-scanner.js'
import { isSilent } from '../query-flags.js'
import { assignedRevisions, type RevisionKind } from './kinds.js'
import { parseDataObject } from './parse-data-object.js'
import { parseLinks } from './parse-links.js'
import { optionalBool, optionalText, parseMember } from './raw-members.js'

type Part = MessageInitShape<typeof CreateRevisionRequestSchema>

/** An upper bound for everything but data (names and metadata, with escapes). */
const restBytesMax = 32 * 2 ** 20

/** The state of a body being read. */
export type Progress = Fault & { parentId?: string }

/** `fault` is the error of an invalid body. */
export type Fault = { fault?: unknown }

/** Converts the body to the messages of the RPC while it is received. Stores errors of the body in `progress`. */
export function revisionParts(
  input: Input,
  kind: RevisionKind,
  upload: AsyncIterable<UploadEvent>,
  progress: Progress,
): AsyncIterable<Part> {
  return recordFault(partsOf(input, kind, upload, progress), progress)
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
      if (repeated) throw invalid(member, 'must not be repeated')
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
      // The body is invalid: only read on for the parent, whose permission is checked first.
    } else if (event.kind === 'chunk') {
      yield { part: { case: 'chunk', value: event.bytes } }
    } else {
      try {
        yield { part: { case: 'objectEnd', value: parseDataObject(event) } }
      } catch (error) {
        if (progress.parentId !== undefined) throw error
        objectFault = error
      }
    }
  }
  if (objectFault) throw objectFault
  yield { part: { case: 'finish', value: finish(input, kind, members) } }
}

/** The minimum size of the data, so that an upload over the limit of the plan is rejected early. */
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
    links: kind.hasLinks ? (parseLinks(members) ?? []) : [],
    silent: isSilent(query as { silent?: string }),
  }
}

/** Stores errors of the body in `progress`. */
export async function* recordFault<T>(items: AsyncIterable<T>, progress: Fault): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    progress.fault = error
    // To the service this looks like a cancelled request.
    throw new ConnectError('invalid body', Code.Canceled)
  }
}
