import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  UpdateRevisionRequest_TargetSchema as TargetSchema,
  UpdateRevisionRequestSchema,
} from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import type { UploadEvent } from '../../http/json/upload-scanner.js'
import { isSilent } from '../query-flags.js'
import type { RevisionKind } from './kinds.js'
import { parseDataObject } from './parse-data-object.js'
import { parseLinks } from './parse-links.js'
import { optionalBool, optionalText, parseMember } from './raw-members.js'
import { expectedBytes } from './revision-parts.js'

type Part = MessageInitShape<typeof UpdateRevisionRequestSchema>
export type Target = MessageInitShape<typeof TargetSchema>

/** Converts the body to the messages of the RPC while it is received. */
export async function* updateParts(
  input: Input,
  kind: RevisionKind,
  target: Target,
  upload: AsyncIterable<UploadEvent>,
): AsyncGenerator<Part> {
  const sizes = { expectedBytes: expectedBytes(input.headers) }
  yield { part: { case: 'target', value: { ...target, ...sizes } } }
  const members = new Map<string, string>()
  for await (const event of upload) {
    if (event.kind === 'member') members.set(event.name, event.raw)
    else if (event.kind === 'chunk') yield { part: { case: 'chunk', value: event.bytes } }
    else yield { part: { case: 'objectEnd', value: existingOrNew(event) } }
  }
  yield { part: { case: 'finish', value: finish(input, kind, members) } }
}

/** An element with an id, and without bytes or an upload, is an existing data object to keep. */
function existingOrNew(event: UploadEvent & { kind: 'object-end' }) {
  const { members, hasData } = event
  const isNew = hasData || optionalText(members, 'upload', pathOf(event)) !== undefined
  const keepId = isNew ? undefined : optionalText(members, 'api_id', pathOf(event))
  return keepId === undefined ? parseDataObject(event) : { keepId }
}

const pathOf = ({ index }: { index: number }) => `data[${index}].`

/** Members that are omitted or null keep their values, except that a null description is removed. */
function finish({ query }: Input, kind: RevisionKind, members: Map<string, string>) {
  const metadata = members.get('metadata') ?? 'null'
  const isCleanRoom = optionalBool(members, 'is_clean_room')
  const links = kind.hasLinks ? parseLinks(members) : undefined
  const parentId = optionalText(members, kind.parent.member)
  return {
    ...(parseMember(metadata) !== null && { metadataJson: metadata }),
    ...(isCleanRoom !== undefined && { isCleanRoom }),
    ...(members.has('description') && { description: optionalText(members, 'description') ?? '' }),
    ...(links && { links: { links } }),
    ...(parentId !== undefined && { parentId }),
    silent: isSilent(query as { silent?: string }),
  }
}

/** The same for `append_data/`, which reads only the data. */
export async function* appendParts(
  input: Input,
  target: Target,
  upload: AsyncIterable<UploadEvent>,
): AsyncGenerator<Part> {
  const sizes = { expectedBytes: expectedBytes(input.headers) }
  yield { part: { case: 'target', value: { ...target, ...sizes } } }
  for await (const event of upload) {
    if (event.kind === 'chunk') yield { part: { case: 'chunk', value: event.bytes } }
    else if (event.kind === 'object-end') {
      yield { part: { case: 'objectEnd', value: parseDataObject(event) } }
    }
  }
  const silent = isSilent(input.query as { silent?: string })
  yield { part: { case: 'finish', value: { silent } } }
}
