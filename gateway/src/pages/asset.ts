import { html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { required } from '../required.js'
import { textsOf } from '../texts/texts.js'
import { commentsOn } from './comments.js'
import { comparisonLink } from './compare/comparison-link.js'
import { dataList } from './data-list.js'
import { heading } from './heading.js'
import { idIn } from './ids.js'
import { figuresUsing } from './linked-revisions.js'
import { rows } from './lists.js'
import { followed, withComments } from './live.js'
import { nextLink } from './next-link.js'
import { type Page, page } from './page.js'
import { pageOfRevisions, revisionsQuery } from './page-of-revisions.js'
import { getPlaced } from './placed.js'
import { creatorHtml } from './text.js'

export const asset = page('/asset/:id/', assetPage, revisionsQuery)

async function assetPage(input: Input): Promise<Page> {
  const texts = textsOf(input)
  const { t, dateTime, bytes } = texts
  const [id, type] = [idIn(input), NodeType.ASSET]
  const [placed, { shown, nextPageToken, isFirst }, comments] = await Promise.all([
    getPlaced(input, id, type),
    pageOfRevisions(input, id, NodeType.ASSET_REVISION),
    commentsOn(input, { id, type }),
  ])
  const items = shown.map((listed) => {
    const { revision } = listed
    const time = dateTime(revision.createdOn)
    return {
      href: `/asset_revision/${revision.id}`,
      caption: t('revision.number', { number: revision.revisionIndex + 1 }),
      note: html`${t('time.by', { time, author: creatorHtml(revision) })}, ${bytes(revision.sizeBytes)} ${comparisonLink(texts, listed)}`,
    }
  })
  const newest = isFirst ? shown[0]?.revision : undefined
  const content = newest ? await contentOf(input, newest.id) : html``
  return {
    title: html`${placed.node.name}`,
    ...withComments(input),
    content: html`<article>${await heading(texts, placed)}
<div ${followed(input, { id: 'revisions', event: 'revision', object: placed.node.id, news: t('revision.news') })}>
${rows(texts, t('revision.newestFirst'), items)}${nextLink(input, nextPageToken)}
${content}</div>${comments}</article>`,
  }
}

/** The data of the newest revision, and the figures that use it. */
async function contentOf(input: Input, id: string) {
  const request = { id, type: NodeType.ASSET_REVISION }
  const revision = required(
    (await input.services.revisions.getRevision(request, input.call)).revision,
  )
  const { list } = await figuresUsing(input, revision)
  const title = textsOf(input).t('asset.newestData')
  return html`${dataList(input, title, revision.data)}${list}`
}
