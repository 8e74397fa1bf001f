import { type Html, html } from '@figbase/kit'
import type { FigureRevision } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { newest } from '../versions.js'

/** Longer side in pixels. */
const large = 1024
const small = 256
/** Of what stands in the page itself. */
const inlined = 128

type Pictured = Pick<FigureRevision, 'id' | 'imageHash'>

export const thumbnailPath = (segment: string, id: string, sizePx: number): string =>
  `/api/${newest}/${segment}/${id}/thumbnail/${sizePx}/?dl=1`

export const largePath = ({ id, imageHash }: Pictured): string | undefined =>
  imageHash ? thumbnailPath('revision', id, large) : undefined

/**
 * A picture of a revision, if it has one: an address, or for who sent credentials the picture itself, since
 * a browser would not send them again to get it.
 */
export async function largePicture(input: Input, revision: Pictured): Promise<string | undefined> {
  const { services, call, username } = input
  if (!revision.imageHash || username === '') return largePath(revision)
  const request = { revisionId: revision.id, sizePx: large }
  return dataAddress((await services.revisions.readThumbnail(request, call)).png)
}

/** Small pictures of revisions by their ids; one call for all. */
export async function smallPictures(
  input: Input,
  revisions: Pictured[],
): Promise<Map<string, string>> {
  const ids = revisions.filter(({ imageHash }) => imageHash).map(({ id }) => id)
  if (input.username === '') {
    return new Map(ids.map((id) => [id, thumbnailPath('revision', id, small)]))
  }
  return inlinePictures(
    input,
    ids.map((id) => [id, [id]]),
  )
}

/** Of each group of revisions, newest first, the first picture, by the id that the group is for. */
export async function inlinePictures(
  { services, call }: Input,
  groups: [id: string, revisionIds: string[]][],
): Promise<Map<string, string>> {
  if (groups.length === 0) return new Map()
  const request = { groups: groups.map(([, revisionIds]) => ({ revisionIds })), sizePx: inlined }
  const { pngs } = await services.revisions.readThumbnails(request, call)
  return new Map(
    groups.flatMap(([id], i) => {
      const address = dataAddress(pngs[i])
      return address === undefined ? [] : [[id, address] as const]
    }),
  )
}

const dataAddress = (png: Uint8Array | undefined) =>
  png && png.length > 0 ? `data:image/png;base64,${Buffer.from(png).toString('base64')}` : undefined

type Card = { href: string; picture: string | undefined; caption: Html; note: Html }

/** A link with a small picture; its caption says what the picture would. */
export const card = ({ href, picture, caption, note }: Card): Html => {
  const frame = picture ? html`<img src="${picture}" alt="" loading="lazy">` : html`no picture`
  return html`<li><a href="${href}"><span class="frame">${frame}</span>${caption}</a>
<span class="quiet">${note}</span></li>`
}
