import { type Html, html } from '@figbase/kit/text'
import type { Slide, Story } from '@figbase/proto/stories'
import type { Input } from '../../endpoint.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { formToken } from '../form.js'
import { storyPicturePath } from './picture.js'
import { storyPath } from './read.js'
import { slideTypes } from './slide-types.js'

const excerptChars = 160

/** The version that a form is made for. */
export const versionInput = ({ version }: Story) =>
  html`<input type="hidden" name="version" value="${String(version)}">`

/** The slides, with the buttons that change their order, and the links to their forms. */
export function slideList(input: Input, story: Story): Html {
  const texts = textsOf(input)
  const { t } = texts
  const id = story.node?.id ?? ''
  const path = storyPath(id)
  const { slides } = story
  const shown = new Set(story.revisions.filter(({ node }) => node).map((one) => one.id))
  const items = slides.map((slide, at) =>
    item(texts, slide, {
      at,
      last: slides.length - 1,
      path,
      picture: shown.has(slide.revisionId) ? storyPicturePath(id, slide.revisionId) : undefined,
    }),
  )
  const after = slides.at(-1)?.id ?? ''
  const list =
    slides.length > 0
      ? html`<form class="inline" method="post" action="${path}slides/">${formToken(input)}${versionInput(story)}
<ol class="results slides">${items}</ol></form>`
      : html`<p class="empty">${t('story.empty')}</p>`
  return html`${list}<p class="buttons">${insertLink('text', 'story.addText')}${insertLink('figure', 'story.addFigure')}</p>`

  function insertLink(kind: string, label: 'story.addText' | 'story.addFigure') {
    const href = `${path}slide/?${new URLSearchParams({ kind, after })}`
    return html`<a class="button secondary" href="${href}">${t(label)}</a>`
  }
}

type Place = { at: number; last: number; path: string; picture: string | undefined }

function item({ t }: Texts, { id, type, content }: Slide, place: Place): Html {
  const { at, last, path, picture } = place
  const number = at + 1
  const button = (name: string, label: Html, text: string) =>
    html`<button class="secondary" name="${name}" value="${id}" aria-label="${label}">${text}</button>`
  const plain = content
    .slice(0, 4 * excerptChars)
    .replace(/^#+ |\*\*/gm, '')
    .replace(/\n+/g, '\n')
  const excerpt = plain.length > excerptChars ? `${plain.slice(0, excerptChars)}…` : plain
  const link = (query: Record<string, string>) => `${path}slide/?${new URLSearchParams(query)}`
  return html`<li id="slide-${String(number)}">${picture ? html`<img src="${picture}" alt="" loading="lazy">` : html``}<div>
<p class="kind">${String(number)} · ${t(slideTypes.get(type) ?? 'story.type.custom')}</p>
<p class="words" dir="auto">${excerpt}</p>
<p class="quiet"><a href="${link({ slide: id })}" aria-label="${t('story.editSlide', { number })}">${t('action.edit')}</a> ·
<a href="${link({ after: id, kind: 'text' })}" aria-label="${t('story.insertAfter', { number })}">${t('story.insert')}</a></p></div>
<div class="buttons">${at > 0 ? button('up', t('story.up', { number }), '↑') : html``}${at < last ? button('down', t('story.down', { number }), '↓') : html``}${button('remove', t('story.remove', { number }), '×')}</div></li>`
}
