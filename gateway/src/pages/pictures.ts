import { type Html, html } from '@figbase/kit/text'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Texts } from '../texts/texts.js'
import { newest } from '../versions.js'
import { kindOf } from './kinds.js'

/** Longer sides of pictures in pixels. */
export const largePx = 1024
export const smallPx = 256

/** For link previews of other sites, which do not read the pictures of pages. */
export const previewPath = ({ id, type }: Revision): string =>
  `/api/${newest}/${kindOf(type).segment}/${id}/thumbnail/${largePx}/?dl=1`

const pathOf = ({ id, type }: { id: string; type: NodeType }): string =>
  `/${type === NodeType.FIGURE_REVISION ? 'r' : kindOf(type).segment}/${id}/picture/`

/** The address of the picture in its full size; see `picture.ts`. */
export const fullPath = (revision: Pick<Revision, 'id' | 'type'>): string => pathOf(revision)

const sizedPath = (of: { id: string; type: NodeType }, sizePx: number, version: string) =>
  `${pathOf(of)}?size=${sizePx}&v=${version}`

/** The small picture of a revision, if it has one. */
export const smallPicture = (revision: Revision): string | undefined =>
  revision.hasThumbnail ? sizedPath(revision, smallPx, versionOf(revision)) : undefined

/** The small picture of the newest revision below an object that has one. */
export const newestPicture = (node: Node): string | undefined =>
  node.children > 0 ? sizedPath(node, smallPx, String(node.changesBelow)) : undefined

/** The small picture of a figure revision of which it is not known whether it has one. */
export const possiblePicture = (node: Node): string | undefined =>
  node.type === NodeType.FIGURE_REVISION ? `${pathOf(node)}?size=${smallPx}` : undefined

/** Changes with the picture, so that its address may be cached. */
const versionOf = ({ thumbnail }: Revision) => thumbnail?.digest.slice(0, 16) ?? ''

/** The large picture of a revision. It leads to its full size, where the browser can zoom. */
export function largePicture({ t }: Texts, revision: Revision, name: Html): Html {
  const src = sizedPath(revision, largePx, versionOf(revision))
  return html`<a class="picture" href="${fullPath(revision)}" title="${t('picture.full')}"><img src="${src}"${sizeOf(revision)} alt="${name}"></a>`
}

/** Reserves the place of a large picture until it is loaded. */
function sizeOf({ thumbnail }: Revision) {
  if (!thumbnail) return html``
  const { widthPx, heightPx } = thumbnail
  const scale = Math.min(1, largePx / Math.max(widthPx, heightPx, 1))
  const scaled = (px: number) => String(Math.max(1, Math.round(px * scale)))
  return html` width="${scaled(widthPx)}" height="${scaled(heightPx)}"`
}
