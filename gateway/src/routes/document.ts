import { hash } from 'node:crypto'
import { create, type DescMessage, type MessageShape, toBinary } from '@bufbuild/protobuf'
import { NodeSchema } from '@figbase/proto/catalog'
import { type Revision, RevisionSchema } from '@figbase/proto/revisions'
import { SlideSchema, type Story, StorySchema } from '@figbase/proto/stories'
import { type Input, ok, type Reply } from '../endpoint.js'
import { matchesEtag } from '../http/conditions.js'
import type { NodeWithLists } from '../nodes/node-with-lists.js'
import { readServerVersion } from '../server-version.js'
import { type Fields, onlyFields } from './fields.js'
import { etagOf } from './if-match.js'

/** `isFinal`: the body does not change unless the ETag of the document does. */
export type Document = { body: unknown; isFinal: boolean }

/**
 * The ETag of a document: the version of the object, for `If-Match`, and a digest of the versions of all that the
 * document shows. It is known before most of the document is read. Undefined if the versions take more than one page.
 */
export type DocumentEtag = string | undefined

/**
 * The node counts the changes below it. Other nodes that the document shows must be in the lists; a shallow document
 * (`isShallow`) shows none, nor why a figure is stale.
 */
export function containerEtag(opened: NodeWithLists, isShallow = false): DocumentEtag {
  if (isShallow) {
    return documentEtag(opened.node, bytesWithout(NodeSchema, opened.node, { staleBecause: [] }))
  }
  const { node, firstChildren, firstScopedAssets } = opened
  const pages = [...firstChildren.values(), ...(firstScopedAssets ? [firstScopedAssets] : [])]
  if (pages.some(({ nextPageToken }) => nextPageToken !== '')) return undefined
  const nodes = [node, ...pages.flatMap((page) => page.nodes)]
  return documentEtag(node, ...nodes.map((one) => toBinary(NodeSchema, one)))
}

/** The version of the revision covers its data and metadata. */
export function revisionEtag(revision: Revision): DocumentEtag {
  if (revision.linksPageToken !== '') return undefined
  return documentEtag(
    revision,
    bytesWithout(RevisionSchema, revision, { data: [], metadataJson: '' }),
  )
}

/** The version of the story covers the content of its slides. */
export function storyEtag(story: Story): DocumentEtag {
  const slides = story.slides.map(({ id, revisionState }) =>
    create(SlideSchema, { id, revisionState }),
  )
  return documentEtag(story, bytesWithout(StorySchema, story, { slides }))
}

const bytesWithout = <Message extends DescMessage>(
  schema: Message,
  message: MessageShape<Message>,
  omitted: Partial<MessageShape<Message>>,
) => toBinary(schema, create(schema, { ...message, ...omitted } as never))

/** A new release may show the same objects in another way, so its version counts, too. */
function documentEtag({ version }: { version: number }, ...parts: Uint8Array[]) {
  const digest = hash(
    'sha256',
    Buffer.concat([Buffer.from(readServerVersion()), ...parts]),
    'base64url',
  )
  return `"${version}-${digest.slice(0, 20)}"`
}

/** A 304 if the client has this document. */
export const notModified = ({ headers }: Input, etag: DocumentEtag): Reply | undefined =>
  etag !== undefined && matchesEtag(headers['if-none-match'], etag)
    ? { status: 304, headers: { etag }, empty: true }
    : undefined

/** While a part is missing or may still change, the ETag has only the version of the object. */
export const documentReply = (
  { body, isFinal }: Document,
  object: { version: number },
  etag: DocumentEtag,
  fields?: Fields,
): Reply => ok(onlyFields(body, fields), isFinal && etag !== undefined ? { etag } : etagOf(object))
