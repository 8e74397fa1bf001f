import { html } from '@figbase/kit/text'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { type Kind, kinds } from '../kinds.js'
import { nextLink } from '../next-link.js'
import { type Page, page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { entryList } from './entries.js'

const { organization, workspace, analysis, figure, asset } = kinds
const query = { query: z.object({ cursor: z.string().max(1000).optional() }) }

export const activityPages: Route[] = [
  userPage('/activity/', allActivityPage, query),
  ...[organization, workspace, analysis, figure, asset].map((kind) =>
    page(`/${kind.segment}/:id/activity/`, (input) => activityPage(input, kind), query),
  ),
]

/** What happened in all workspaces of the reader, newest first. */
async function allActivityPage(input: Input): Promise<Page> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { cursor: pageToken = '' } = input.query as { cursor?: string }
  const request = { pageSize: cfg.pageItemsMax, pageToken }
  const { entries, nextPageToken } = await services.catalog.listMemberActivity(request, call)
  const title = texts.t('activity.ofAll')
  return {
    title,
    content: html`<h1>${title}</h1>
${entryList(texts, entries)}${nextLink(input, nextPageToken)}`,
  }
}

/** What happened to an object and to what is in it, newest first, as far as the reader may view it. */
async function activityPage(input: Input, { type }: Kind): Promise<Page> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { t } = texts
  const { cursor: pageToken = '' } = input.query as { cursor?: string }
  const id = idIn(input)
  const request = { id, type, pageSize: cfg.pageItemsMax, pageToken }
  const [placed, { entries, nextPageToken }] = await Promise.all([
    getPlaced(input, id, type),
    services.catalog.listActivity(request, call),
  ])
  return {
    title: t('activity.title'),
    content: html`${pathTo(texts, placed)}<h1>${t('activity.title')}</h1>
${entryList(texts, entries)}${nextLink(input, nextPageToken)}`,
  }
}
