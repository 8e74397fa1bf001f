import { html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { kinds } from '../kinds.js'
import { nextLink } from '../next-link.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { accountsPath, adminPage, storedPath } from './layout.js'

const query = z.object({
  of: z.enum(['workspace', 'organization']).optional(),
  cursor: z.string().max(1000).optional(),
})

/** What workspaces and organizations store, the largest first. */
export const storedPage = userPage(storedPath, show, { query })

async function show(input: Input): Promise<Page> {
  const { services, call, cfg } = input
  const { t, bytes } = textsOf(input)
  const { of = 'workspace', cursor: pageToken = '' } = input.query as z.infer<typeof query>
  const other = of === 'workspace' ? 'organization' : 'workspace'
  const type = of === 'workspace' ? NodeType.WORKSPACE : NodeType.ORGANIZATION
  const request = { type, pageSize: cfg.pageItemsMax, pageToken }
  const { items, nextPageToken } = await services.plans.listStoredBytes(request, call)
  const rows = items.map(
    ({ id, owner, bytes: size }) =>
      html`<li><span><a href="${accountsPath}${encodeURIComponent(owner)}/">${nameHtml(owner)}</a> <span class="quiet">${id}</span></span> <span class="quiet">${bytes(size)}</span></li>`,
  )
  return adminPage(input, {
    path: storedPath,
    title: t('stored.title'),
    content: html`<p>${t('stored.what')}</p><h2>${t(kinds[of].names)}</h2>
<p class="way"><a href="${storedPath}?of=${other}">${t(kinds[other].names)}</a></p>
<ul class="rows">${rows}</ul>${nextLink(input, nextPageToken, { of })}`,
  })
}
