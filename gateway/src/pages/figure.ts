import { html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { type Texts, textsOf } from '../texts/texts.js'
import { commentsOn } from './comments.js'
import { comparisonLink } from './compare/comparison-link.js'
import { figureImportedFrom } from './git/imported-from.js'
import { heading } from './heading.js'
import { idIn } from './ids.js'
import { cards } from './lists.js'
import { followed, withComments } from './live.js'
import { nextLink } from './next-link.js'
import { type Page, page } from './page.js'
import { pageOfRevisions, revisionsQuery } from './page-of-revisions.js'
import { previewPath, smallPicture } from './pictures.js'
import { getPlaced } from './placed.js'
import { dropAssets } from './publish/assets.js'
import { descriptionOf, pictureOf } from './revision-parts.js'
import { staleNotice, type Typed } from './stale/notice.js'
import { creatorHtml } from './text.js'

export const figure = page('/figure/:id/', (input) => figurePage(input), revisionsQuery)

/** `typed`: what was typed into the form of a stale figure. */
export async function figurePage(input: Input, typed: Typed = {}): Promise<Page> {
  const texts = textsOf(input)
  const { t, date } = texts
  const [id, type] = [idIn(input), NodeType.FIGURE]
  const [placed, { shown, nextPageToken, isFirst }, comments] = await Promise.all([
    getPlaced(input, id, type),
    pageOfRevisions(input, id, NodeType.FIGURE_REVISION),
    commentsOn(input, { id, type }),
  ])
  const newest = isFirst ? shown[0]?.revision : undefined
  const items = shown.map((listed) => {
    const { revision } = listed
    return {
      href: `/r/${revision.id}`,
      picture: smallPicture(revision),
      caption: t('revision.number', { number: revision.revisionIndex + 1 }),
      note: html`${t('time.by', { time: date(revision.createdOn), author: creatorHtml(revision) })}${comparisonLink(texts, listed)}`,
    }
  })
  const withPicture = shown.find(({ revision }) => revision.hasThumbnail)?.revision
  const { problem } = typed
  return {
    ...(problem && { status: problem.status }),
    title: html`${placed.node.name}`,
    picture: withPicture && previewPath(withPicture),
    ...dropAssets(placed),
    ...withComments(input),
    content: html`<article>${await heading(texts, placed)}
${staleNotice(input, placed, typed)}${figureImportedFrom(texts, placed.node)}
<div ${followed(input, { id: 'revisions', event: 'revision', object: placed.node.id, news: t('revision.news') })}>
${newest ? newestOf(texts, newest) : html``}
${cards(texts, t('revision.newestFirst'), items)}${nextLink(input, nextPageToken)}</div>
${comments}</article>`,
  }
}

function newestOf(texts: Texts, revision: Revision) {
  const { t } = texts
  const number = revision.revisionIndex + 1
  const link = html`<a href="/r/${revision.id}">${t('figure.newest', { number })}</a>`
  return html`${pictureOf(texts, revision, t('revision.number', { number }))}
<p>${link}</p>${descriptionOf(texts, revision)}`
}
