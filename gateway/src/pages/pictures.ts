import { NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { ifAvailable } from '../if-available.js'
import { newest } from '../versions.js'

/** Longer side in pixels. */
const large = 1024
const small = 256
/** The size of pictures inlined as data URLs, and how many of them one `ReadThumbnails` call returns. */
const inlined = 128
const inlinedMax = 100

const thumbnailPath = (segment: string, id: string, sizePx: number): string =>
  `/api/${newest}/${segment}/${id}/thumbnail/${sizePx}/?dl=1`

export const largePath = ({ id, type }: Revision): string =>
  thumbnailPath(type === NodeType.ASSET_REVISION ? 'asset_revision' : 'revision', id, large)

export const smallPath = (segment: string, id: string): string => thumbnailPath(segment, id, small)

/**
 * The picture of a revision, if it has one. Signed-in users get a data URL, because the browser would not send
 * their credentials to the address of the picture.
 */
export async function largePicture(input: Input, revision: Revision): Promise<string | undefined> {
  if (!revision.hasThumbnail) return undefined
  if (input.username === '') return largePath(revision)
  const { id: revisionId, type } = revision
  const request = { revisionId, type, sizePx: large }
  const answer = await ifAvailable(input.services.revisions.readThumbnail(request, input.call))
  return dataAddress(answer?.png)
}

/** Small pictures of figure revisions, by revision id; takes one RPC. */
export async function smallPictures(
  input: Input,
  revisions: Revision[],
): Promise<Map<string, string>> {
  const ids = revisions.filter(({ hasThumbnail }) => hasThumbnail).map(({ id }) => id)
  if (input.username === '') return new Map(ids.map((id) => [id, smallPath('revision', id)]))
  return inlinePictures(input, new Map(ids.map((id) => [id, [id]])))
}

/** The first picture of each group of revisions, by group key; only for the first `inlinedMax` groups. */
export async function inlinePictures(
  { services, call }: Input,
  groups: Map<string, string[]>,
): Promise<Map<string, string>> {
  if (groups.size === 0) return new Map()
  const requested = [...groups].slice(0, inlinedMax)
  const request = { groups: requested.map(([, revisionIds]) => ({ revisionIds })), sizePx: inlined }
  const answer = await ifAvailable(services.revisions.readThumbnails(request, call))
  const pictures = new Map<string, string>()
  for (const [i, [id]] of requested.entries()) {
    const address = dataAddress(answer?.pngs[i])
    if (address) pictures.set(id, address)
  }
  return pictures
}

const dataAddress = (png: Uint8Array | undefined) =>
  png && png.length > 0 ? `data:image/png;base64,${Buffer.from(png).toString('base64')}` : undefined
