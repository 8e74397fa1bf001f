import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  UpdateRevisionRequest_TargetSchema as TargetSchema,
  UpdateRevisionRequestSchema,
} from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import type { UploadEvent } from '../../http/json/upload-scanner.js'
import { isSilent } from '../members.js'
import { dataObjectEnd } from './data-object-end.js'
import type { RevisionKind } from './kinds.js'
import { linksIn } from './links-in.js'
import { optionalBool, optionalText, parseMember } from './raw-members.js'
import { expectedBytes } from './revision-parts.js'

type Part = MessageInitShape<typeof UpdateRevisionRequestSchema>
export type Target = MessageInitShape<typeof TargetSchema>

/** The parts of the call as the body comes: what is there, and what it becomes. */
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
    else yield { part: { case: 'objectEnd', value: keptOrNew(event) } }
  }
  yield { part: { case: 'finish', value: finish(input, kind, members) } }
}

/** An element with an id and without bytes or an upload is one that is there and stays. */
function keptOrNew(event: UploadEvent & { kind: 'object-end' }) {
  const { members, hasData } = event
  const isNew = hasData || optionalText(members, 'upload', pathOf(event)) !== undefined
  const keepId = isNew ? undefined : optionalText(members, 'api_id', pathOf(event))
  return keepId === undefined ? dataObjectEnd(event) : { keepId }
}

const pathOf = ({ index }: { index: number }) => `data[${index}].`

/** What is left out, or null, keeps its value; only a description is taken away by null. */
function finish({ query }: Input, kind: RevisionKind, members: Map<string, string>) {
  const metadata = members.get('metadata') ?? 'null'
  const isCleanRoom = optionalBool(members, 'is_clean_room')
  const links = kind.hasLinks ? linksIn(members) : undefined
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

/** The same of `append_data/`, where nothing but the data is read. */
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
      yield { part: { case: 'objectEnd', value: dataObjectEnd(event) } }
    }
  }
  const silent = isSilent(input.query as { silent?: string })
  yield { part: { case: 'finish', value: { silent } } }
}
