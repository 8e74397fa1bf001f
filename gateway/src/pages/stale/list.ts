import { html } from '@figbase/kit/text'
import type { Node } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { kinds, pagePath } from '../kinds.js'
import { nextLink } from '../next-link.js'
import { type Page, userPage } from '../page.js'
import { newestPicture } from '../pictures.js'
import { getPlaced } from '../placed.js'
import { nameHtml } from '../text.js'
import { reasonsOf } from './reasons.js'

const query = z.object({ cursor: z.string().max(1000).optional() })

/** The stale figures of a workspace. */
export const staleList: Route = userPage('/workspace/:id/stale/', listPage, { query })

async function listPage(input: Input): Promise<Page> {
  const { services, call, cfg } = input
  const { cursor: pageToken = '' } = input.query as z.infer<typeof query>
  const texts = textsOf(input)
  const { t } = texts
  const id = idIn(input)
  const [placed, { figures, nextPageToken }] = await Promise.all([
    getPlaced(input, id, kinds.workspace.type),
    services.catalog.listStaleFigures(
      { workspaceId: id, pageSize: cfg.pageItemsMax, pageToken },
      call,
    ),
  ])
  const items = figures.map((node) => item(texts, node))
  // A page may be empty although more follow.
  const none = nextPageToken === '' ? html`<p class="empty">${t('stale.none')}</p>` : html``
  return {
    title: t('stale.title'),
    content: html`${pathTo(texts, placed)}<h1>${t('stale.title')}</h1>
<p>${t('stale.what')}</p>
${items.length > 0 ? html`<ul class="results">${items}</ul>` : none}${nextLink(input, nextPageToken)}`,
  }
}

/** The picture has no alternative text, because the link describes it. */
function item(texts: Texts, node: Node) {
  const picture = newestPicture(node)
  const reasons = reasonsOf(texts, node).map((text) => html`<p class="quiet">${text}</p>`)
  return html`<li>${picture ? html`<img src="${picture}" alt="" loading="lazy">` : html``}
<div><a href="${pagePath(node)}">${nameHtml(node.name)}</a>${reasons}</div></li>`
}
