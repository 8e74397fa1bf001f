import { type Html, html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Story } from '@figbase/proto/stories'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { heading } from '../heading.js'
import { idIn } from '../ids.js'
import { type Page, page } from '../page.js'
import { getPlaced } from '../placed.js'
import { nameHtml } from '../text.js'
import { storyPicturePath } from './picture.js'
import { readStory, storyPath } from './read.js'
import { slidesHtml } from './slides-html.js'

/** A story as a document, and as a presentation. */
export const showPages: Route[] = [
  page('/story/:id/', documentPage),
  page('/story/:id/present/', presentationPage),
]

const slidesOf = (texts: Texts, { slides }: Story, storyId: string) =>
  slidesHtml(texts, slides, (revisionId) => storyPicturePath(storyId, revisionId))

async function documentPage(input: Input): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const [story, placed] = await Promise.all([
    readStory(input),
    getPlaced(input, idIn(input), NodeType.STORY),
  ])
  const { node } = placed
  const slides = await slidesOf(texts, story, node.id)
  const first = story.revisions.find(({ node }) => node)
  return {
    title: html`${node.name}`,
    picture: first && storyPicturePath(node.id, first.id),
    content: html`<article class="story">${await heading(texts, placed)}
<p class="actions"><a class="button" href="${storyPath(node.id)}present/">${t('story.present')}</a></p>
${slides.map(({ className, content }) => html`<section class="${className}">${content}</section>`)}
</article>`,
  }
}

async function presentationPage(input: Input): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const story = await readStory(input)
  const node = required(story.node)
  const slides = await slidesOf(texts, story, node.id)
  const last = slides.length
  const linkTo = (number: number, label: Html, text: string) =>
    number < 1 || number > last
      ? html``
      : html`<a href="#slide-${String(number)}" aria-label="${label}">${text}</a>`
  const shown = slides.map(
    ({ className, content }, i) => html`<section class="${className}" id="slide-${String(i + 1)}">
<div class="body">${content}</div>
<footer><a href="${storyPath(node.id)}">${nameHtml(node.name)}</a>
<nav>${linkTo(i, t('story.previous'), '‹')} <span>${`${i + 1} / ${last}`}</span> ${linkTo(i + 2, t('story.next'), '›')}</nav></footer>
</section>`,
  )
  const none = html`<section class="slide"><div class="body"><p>${t('story.empty')}</p>
<p><a href="${storyPath(node.id)}">${t('story.back')}</a></p></div></section>`
  return {
    title: html`${node.name}`,
    content: html`<div class="deck">${shown.length > 0 ? shown : none}</div>`,
  }
}
