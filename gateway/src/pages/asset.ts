import { html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { revisionsOf } from '../nodes/lists.js'
import { required } from '../required.js'
import { commentsOn } from './comments.js'
import { dataList } from './data-list.js'
import { heading } from './heading.js'
import { idIn } from './ids.js'
import { figuresUsing } from './linked-revisions.js'
import { rows } from './lists.js'
import { getNodeWithParent } from './node-with-parent.js'
import { type Page, page } from './page.js'
import { createdHtml, humanBytes } from './text.js'

export const asset = page('/asset/:id/', assetPage)

async function assetPage(input: Input): Promise<Page> {
  const { node, parent } = await getNodeWithParent(input, idIn(input), NodeType.ASSET)
  const [oldestFirst, comments] = await Promise.all([
    revisionsOf(input, node, NodeType.ASSET_REVISION),
    commentsOn(input, node),
  ])
  const revisions = oldestFirst.reverse()
  const items = revisions.slice(0, input.cfg.pageItemsMax).map((revision) => ({
    href: `/asset_revision/${revision.id}`,
    caption: html`Revision ${String(revision.revisionIndex + 1)}`,
    note: html`${createdHtml(revision)}, ${humanBytes(revision.sizeBytes)}`,
  }))
  const [newest] = revisions
  const content = newest ? await contentOf(input, newest.id) : html``
  return {
    title: node.name,
    content: html`<article>${heading('Asset', node, parent)}
${rows('Revisions, newest first', items, revisions.length)}
${content}${comments}</article>`,
  }
}

/** The data of the newest revision, and the figures that use it. */
async function contentOf(input: Input, id: string) {
  const request = { id, type: NodeType.ASSET_REVISION }
  const revision = required(
    (await input.services.revisions.getRevision(request, input.call)).revision,
  )
  const figures = await figuresUsing(input, revision)
  const title = 'Data of the newest revision'
  return html`${dataList(input, title, revision.data)}${figures}`
}
