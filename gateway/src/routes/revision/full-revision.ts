import { NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { assetRevisionShape } from '../../shapes/asset-revision.js'
import { dataShape } from '../../shapes/data.js'
import { figureRevisionShape } from '../../shapes/figure-revision.js'
import { linkShape } from '../../shapes/link.js'
import { supports } from '../../versions.js'
import { thumbnailOf } from '../core/thumbnail-member.js'
import { readBytes } from '../data/read-bytes.js'
import type { Document } from '../document.js'
import type { Fields } from '../fields.js'
import { iteratePages } from '../pagination.js'

/** The detail form. Before v1.2 it includes the bytes of its data, which are streamed. */
export async function fullFigureRevision(input: Input, revision: Revision): Promise<Document> {
  const { version } = input
  const [figure, { thumbnail, isFinal }] = await Promise.all([
    figureOf(input, revision),
    thumbnailOf(input, revision),
  ])
  const data =
    supports(version, 'shallowRevisionData') || !showsData(input)
      ? revision.data.map((object) => dataShape(object, version))
      : await withBytes(input, revision)
  return { body: figureRevisionShape(revision, figure, thumbnail, data, version), isFinal }
}

/** False if the client chose other members: then the bytes are not read. */
const showsData = ({ query }: Input) => (query as { fields?: Fields }).fields?.has('data') !== false

/** Reads the first chunk at once, so that a storage error gets an error response. */
async function withBytes(input: Input, { data }: Revision) {
  const bytes = data.map(({ id }): AsyncIterable<Uint8Array> => readBytes(input, id))
  if (bytes[0]) bytes[0] = await prefetchFirst(bytes[0])
  return data.map((object, index) => dataShape(object, input.version, bytes[index]))
}

export async function fullAssetRevision(input: Input, revision: Revision): Promise<Document> {
  const { thumbnail, isFinal } = await thumbnailOf(input, revision)
  const data = revision.data.map((object) => dataShape(object, input.version))
  const links = linksOf(input, revision)
  return { body: assetRevisionShape(revision, thumbnail, data, links, input.version), isFinal }
}

/** The links to an asset revision; streamed if they do not fit into the first page. */
function linksOf(input: Input, revision: Revision) {
  const first = revision.links.map(linkShape)
  return revision.linksPageToken ? new JsonArrayStream(allLinks(first, input, revision)) : first
}

async function* allLinks(
  first: unknown[],
  { services, call }: Input,
  { id: assetRevisionId, linksPageToken }: Revision,
) {
  yield* first
  const rest = iteratePages(async (pageToken) => {
    const request = { assetRevisionId, pageToken: pageToken || linksPageToken }
    const page = await services.revisions.listLinks(request, call)
    return { items: page.links, nextPageToken: page.nextPageToken }
  })
  for await (const link of rest) yield linkShape(link)
}

/** The figure of a revision; undefined if the caller may not view it. */
async function figureOf({ services, call }: Input, { id, parent }: Revision) {
  if (parent) return parent.id ? parent : undefined
  const request = { id, type: NodeType.FIGURE_REVISION, withParent: true }
  return (await services.catalog.getNode(request, call)).parent
}
