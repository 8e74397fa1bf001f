import { type Html, html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input } from '../../endpoint.js'
import { ifAvailable } from '../../if-available.js'
import { pageOfNodes } from '../../nodes/lists.js'
import { textsOf } from '../../texts/texts.js'
import { accountPage, accountPath } from '../account/layout.js'
import { pagePath } from '../kinds.js'
import { rowList } from '../lists.js'
import { nextLink } from '../next-link.js'
import { userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { activityPlot, aiPlot, computePlot, unavailable } from './months.js'

const path = `${accountPath}usage/`
const query = z.object({ cursor: z.string().max(1000).optional() })

/** What a user did and used: in all workspaces. */
export const ownUsage = userPage(
  path,
  async (input) => accountPage(input, { path, content: await contentOf(input) }),
  { query },
)

async function contentOf(input: Input): Promise<Html> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { t, bytes } = texts
  const { cursor: pageToken = '' } = input.query as z.infer<typeof query>
  const [{ days }, { items, nextPageToken }, site, ai, compute] = await Promise.all([
    services.catalog.listContributions({}, call),
    pageOfNodes(input, { type: NodeType.WORKSPACE, pageSize: cfg.pageItemsMax, pageToken }),
    services.site.getPublicSettings({}, call),
    ifAvailable(services.aiUsage.listMonthlyTokens({}, call)),
    ifAvailable(services.compute.listOwnMonthlySeconds({}, call)),
  ])
  const workspaces = items.map((node) => ({
    href: pagePath(node),
    caption: nameHtml(node.name),
    note: html`${bytes(node.sizeBytes)}`,
  }))
  const tokens = ai ? aiPlot(texts, ai.months) : unavailable(texts, t('usage.tokens'))
  const hours = compute ? computePlot(texts, compute.months) : unavailable(texts, t('usage.hours'))
  const hasCompute = !compute || compute.months.some(({ billableSeconds }) => billableSeconds > 0n)
  return html`${activityPlot(texts, days)}
${site.aiEnabled ? tokens : html``}${hasCompute ? hours : html``}
<h2>${t('usage.storage')}</h2><p>${t('usage.storageNote')}</p>
${rowList(workspaces)}${nextLink(input, nextPageToken)}`
}
