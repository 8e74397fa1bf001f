import { type Html, html } from '@figbase/kit/text'
import { RevisionState, type Slide, SlideType } from '@figbase/proto/stories'
import type { MessageKey, Texts } from '../../texts/texts.js'
import { markdownHtml } from '../text.js'

type Shown = { className: string; content: Html }

/** The slides as HTML; `pictureOf` is the address of the picture of a revision. */
export const slidesHtml = (
  texts: Texts,
  slides: Slide[],
  pictureOf: (revisionId: string) => string,
): Promise<Shown[]> =>
  Promise.all(
    slides.map(async (slide) => ({
      className: `slide ${SlideType[slide.type].toLowerCase()}`,
      content: html`${figureOf(texts, slide, pictureOf)}${await written(texts, slide)}`,
    })),
  )

async function written(texts: Texts, { content }: Slide) {
  return content.trim() === ''
    ? html``
    : html`<div class="written" dir="auto">${await markdownHtml(texts, content)}</div>`
}

const reasons: Partial<Record<RevisionState, MessageKey>> = {
  [RevisionState.HIDDEN]: 'story.figureHidden',
  [RevisionState.DELETED]: 'story.figureDeleted',
}

function figureOf(
  { t }: Texts,
  { revisionId, revisionState }: Slide,
  pictureOf: (revisionId: string) => string,
) {
  if (!revisionId) return html``
  const reason = reasons[revisionState]
  if (reason) return html`<p class="empty">${t(reason)}</p>`
  const shown = html`<img src="${pictureOf(revisionId)}" alt="${t('kind.figure')}" loading="lazy">`
  return revisionState === RevisionState.VISIBLE
    ? html`<a class="picture" href="/r/${revisionId}" title="${t('story.open')}">${shown}</a>`
    : html`<div class="picture">${shown}</div>`
}
