import { markdown } from '@figbase/kit/markdown'
import { type Html, html } from '@figbase/kit/text'
import { RevisionState, type Slide, SlideType, type Story } from '@figbase/proto/stories'
import type { Input, Route } from '../endpoint.js'
import { HttpError } from '../http/errors.js'
import { required } from '../required.js'
import { readStory } from '../routes/story/read-story.js'
import { heading } from './heading.js'
import { idIn } from './ids.js'
import { errorReply, type Page, page } from './page.js'
import { presentationScript } from './presentation-script.js'
import { nameHtml } from './text.js'

/** Longer side of the pictures in pixels. */
const sizePx = 1024

const readAt = (input: Input): Promise<Story> => {
  idIn(input)
  return readStory(input)
}

const picturePath = (storyId: string, revisionId: string) =>
  `/story/${storyId}/picture/${revisionId}/`

/** The picture of a revision that a story tells, for the pages: the browser sends the cookie of the session. */
const picture: Route = {
  method: 'GET',
  path: '/story/:id/picture/:revision/',
  since: 'v1',
  auth: 'optional',
  acceptsSession: true,
  errorReply,
  async handle(input) {
    const { revisions } = await readAt(input)
    const told = revisions.find(({ id }) => id === input.params.revision?.toLowerCase())
    if (!told?.node) throw noPicture()
    const request = { groups: [{ revisionIds: [told.id] }], sizePx }
    const { pngs } = await input.services.revisions.readThumbnails(request, input.call)
    const [bytes] = pngs
    if (!bytes || bytes.length === 0) throw noPicture()
    const headers = {
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
    }
    return { status: 200, headers, bytes, type: 'image/png' }
  },
}

const noPicture = () => new HttpError(404, 'not_found', 'this picture does not exist')

async function documentPage(input: Input): Promise<Page> {
  const story = await readAt(input)
  const node = required(story.node)
  const slides = await slidesOf(story, node.id)
  const first = story.revisions.find(({ node }) => node)
  return {
    title: node.name,
    picture: first && picturePath(node.id, first.id),
    content: html`<article class="story">${heading('Story', node)}
<p class="actions"><a class="button" href="/story/${node.id}/present/">Present</a></p>
${slides.map(({ className, content }) => html`<section class="${className}">${content}</section>`)}
</article>`,
  }
}

async function presentationPage(input: Input): Promise<Page> {
  const story = await readAt(input)
  const node = required(story.node)
  const slides = await slidesOf(story, node.id)
  const last = slides.length
  const linkTo = (number: number, label: string, text: string) =>
    number < 1 || number > last
      ? html``
      : html`<a href="#slide-${String(number)}" aria-label="${label}">${text}</a>`
  const shown = slides.map(
    ({ className, content }, i) => html`<section class="${className}" id="slide-${String(i + 1)}">
<div class="body">${content}</div>
<footer><a href="/story/${node.id}/">${nameHtml(node.name)}</a>
<nav>${linkTo(i, 'Previous slide', '‹')} <span>${`${i + 1} / ${last}`}</span> ${linkTo(i + 2, 'Next slide', '›')}</nav></footer>
</section>`,
  )
  const none = html`<section class="slide"><div class="body"><p>This story has no slides.</p>
<p><a href="/story/${node.id}/">Back to the story</a></p></div></section>`
  return {
    title: node.name,
    script: presentationScript,
    content: html`<div class="deck">${shown.length > 0 ? shown : none}</div>`,
  }
}

type Shown = { className: string; content: Html }

const slidesOf = ({ slides }: Story, storyId: string): Promise<Shown[]> =>
  Promise.all(
    slides.map(async (slide) => ({
      className: `slide ${SlideType[slide.type].toLowerCase()}`,
      content: html`${figureOf(slide, storyId)}${await written(slide)}`,
    })),
  )

async function written({ content }: Slide) {
  return content.trim() === ''
    ? html``
    : html`<div class="written" dir="auto">${await markdown(content)}</div>`
}

const reasons: Partial<Record<RevisionState, string>> = {
  [RevisionState.HIDDEN]: 'You may not view the figure on this slide.',
  [RevisionState.DELETED]: 'The figure on this slide was deleted.',
}

function figureOf({ revisionId, revisionState }: Slide, storyId: string) {
  if (!revisionId) return html``
  const reason = reasons[revisionState]
  if (reason) return html`<p class="empty">${reason}</p>`
  const shown = html`<img src="${picturePath(storyId, revisionId)}" alt="Figure" loading="lazy">`
  return revisionState === RevisionState.VISIBLE
    ? html`<a class="picture" href="/r/${revisionId}" title="Open the revision">${shown}</a>`
    : html`<div class="picture">${shown}</div>`
}

export const storyPages: Route[] = [
  page('/story/:id/', documentPage),
  page('/story/:id/present/', presentationPage),
  picture,
]
