import type { CallOptions } from '@connectrpc/connect'
import { type Node, NodeType } from '@figbase/proto/catalog'
import { type DataObject, DataType, type Revision } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'

/** What an export shows of a revision. */
export type Figure = {
  revisionId: string
  name: string
  revisionIndex: number
  codeNames: string[]
  /** Ids of the asset revisions that the caller may view. */
  assetIds: string[]
  /** Undefined if the revision has none. Its bytes must be read. */
  openPicture(): Promise<Picture | undefined>
  /** The bytes of an SVG that may be the same picture, and may be anything. Undefined if the revision has none. */
  openDrawing(): AsyncIterable<Uint8Array> | undefined
}

export type Picture = { extension: 'png' | 'jpg'; bytes: AsyncIterable<Uint8Array> }

const type = NodeType.FIGURE_REVISION

/** Reads a revision as the owner of the export; throws if they may not view it. */
export async function readFigure(ctx: Ctx, { id }: Node, as: CallOptions): Promise<Figure> {
  const { revision } = await ctx.revisions.getRevision({ id, type }, as)
  if (!revision) throw new Error('revisions returned no revision')
  const { data, parent, revisionIndex } = revision
  return {
    revisionId: id,
    name: parent?.name ?? '',
    revisionIndex,
    codeNames: data.filter((one) => one.type === DataType.CODE).map(({ name = 'code' }) => name),
    assetIds: await visibleAssets(ctx, revision, as),
    openPicture: () => openPicture(ctx, revision, as),
    openDrawing: () => openDrawing(ctx, revision, as),
  }
}

async function visibleAssets({ catalog }: Ctx, { links }: Revision, as: CallOptions) {
  if (links.length === 0) return []
  const ids = links.map(({ assetRevisionId }) => assetRevisionId)
  const { nodes } = await catalog.resolveNodes({ ids, type: NodeType.ASSET_REVISION }, as)
  return nodes.map(({ id }) => id)
}

/** The stored PNG or JPEG in its full resolution, or else the thumbnail. */
async function openPicture(
  ctx: Ctx,
  { id, data }: Revision,
  as: CallOptions,
): Promise<Picture | undefined> {
  for (const image of candidates(data)) {
    const picture = await readImage(ctx, image, as)
    if (picture) return picture
  }
  const { png } = await ctx.revisions.readThumbnail({ revisionId: id, sizePx: 0, type }, as)
  return png.length > 0 ? { extension: 'png', bytes: chunksOf([png]) } : undefined
}

const candidatesMax = 3

/** Images with the name of a raster format, those without a watermark first. */
const candidates = (data: DataObject[]): DataObject[] =>
  imagesOf(data, /^(png|jpe?g)$/i).slice(0, candidatesMax)

/** Images whose metadata has such a format, those without a watermark first. */
function imagesOf(data: DataObject[], format: RegExp): DataObject[] {
  const known = data.flatMap((object) => {
    if (object.type !== DataType.IMAGE || object.sizeBytes === 0n) return []
    const metadata = JSON.parse(object.metadataJson || '{}')
    if (!format.test(String(metadata?.format))) return []
    return [{ object, isLast: metadata.is_watermarked === true }]
  })
  known.sort((a, b) => Number(a.isLast) - Number(b.isLast))
  return known.map(({ object }) => object)
}

/** Larger ones are shown as pictures. */
const drawingBytesMax = 2 * 2 ** 20

/** An SVG with the name of the picture that is shown. */
function openDrawing(ctx: Ctx, { data }: Revision, as: CallOptions) {
  const [picture] = candidates(data)
  const drawing = imagesOf(data, /^svg$/i).find(
    (one) => !picture || baseName(one) === baseName(picture),
  )
  if (!drawing || drawing.sizeBytes > drawingBytesMax) return undefined
  const { timeoutMs: _, ...unlimited } = as
  return chunksOf([], ctx.revisions.readData({ id: drawing.id }, unlimited))
}

const baseName = ({ name }: DataObject) => name?.replace(/\.\w+$/, '')

/** Undefined if its first bytes are neither PNG nor JPEG. */
async function readImage(
  { revisions }: Ctx,
  { id }: DataObject,
  as: CallOptions,
): Promise<Picture | undefined> {
  // A picture may be large: only the signal of the export ends the stream.
  const { timeoutMs: _, ...unlimited } = as
  const parts = revisions.readData({ id }, unlimited)[Symbol.asyncIterator]()
  let first: Uint8Array | undefined
  while (!first) {
    const { value, done } = await parts.next()
    if (done) return undefined
    if (value.part.case === 'chunk') first = value.part.value
  }
  const extension = extensionOf(first)
  if (!extension) {
    await parts.return?.()
    return undefined
  }
  return { extension, bytes: chunksOf([first], { [Symbol.asyncIterator]: () => parts }) }
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

function extensionOf(bytes: Uint8Array): Picture['extension'] | undefined {
  if (pngSignature.equals(bytes.subarray(0, 8))) return 'png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpg'
  return undefined
}

type Parts = AsyncIterable<{ part: { case?: string | undefined; value?: unknown } }>

async function* chunksOf(first: Uint8Array[], rest?: Parts): AsyncGenerator<Uint8Array> {
  yield* first
  if (!rest) return
  for await (const { part } of rest) if (part.case === 'chunk') yield part.value as Uint8Array
}
