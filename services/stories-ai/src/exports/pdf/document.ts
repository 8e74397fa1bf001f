import { createHash } from 'node:crypto'
import { markdown } from '@figbase/kit/markdown'
import { type Html, html } from '@figbase/kit/text'
import { page, styleOf } from './style.js'

/** What a page says about the origin of its figure. */
export type Origin = {
  name: string
  revisionIndex: number
  revisionId: string
  link: string | undefined
  codeNames: string[]
  assetIds: string[]
}

export type DocumentSlide = {
  type: string
  /** Markdown. */
  content: string
  absence: string | undefined
  origin: Origin | undefined
  /** The path of its picture in the document, and its width divided by its height. */
  picture: { path: string; aspect: number } | undefined
}

export type StoryDocument = { html: string; policy: string }

/** A story as a document that is printed. It loads only its pictures, and has no scripts. */
export async function documentOf(title: string, slides: DocumentSlide[]): Promise<StoryDocument> {
  const style = styleOf(title)
  const sections: Html[] = []
  for (const slide of slides) sections.push(await sectionOf(slide))
  const none = html`<section class="slide title"><div class="written"><h3>${title}</h3></div></section>`
  const body = html`${sections.length > 0 ? sections : none}`
  return {
    policy: policyFor(style),
    html: `<!doctype html>
<html><head><meta charset="utf-8">${html`<title>${title}</title>`}<style>${style}</style></head>
<body>${body}</body></html>
`,
  }
}

const policyFor = (style: string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

async function sectionOf({ type, content, absence, origin, picture }: DocumentSlide) {
  const hasText = content.trim() !== ''
  const isBeside = hasText && picture !== undefined && picture.aspect < besideAspectMax
  const classes = ['slide', type, isBeside ? 'beside' : '', lengthOf(content, isBeside)]
  const written = hasText
    ? html`<div class="written" dir="auto">${await markdown(content)}</div>`
    : html``
  const shown = picture
    ? html`<div class="shown">${pictureOf(picture, isBeside)}${written}</div>`
    : html`${absence ? html`<p class="empty">${absence}</p>` : html``}${written}`
  return html`<section class="${classes.filter(Boolean).join(' ')}">${shown}${origin ? originOf(origin) : html``}</section>`
}

/** Text stands beside pictures that are not wider than this, in relation to their height. */
const besideAspectMax = 1.15
/** In inches; the text needs room, too. */
const besideHeight = page.height - page.top - page.bottom - 0.6
const besideWidth = 0.55 * (page.width - 2 * page.side)

function pictureOf({ path, aspect }: { path: string; aspect: number }, isBeside: boolean) {
  if (!isBeside) return html`<div class="picture"><img src="${path}" alt="Figure"></div>`
  const width = Math.min(besideWidth, besideHeight * aspect)
  const [w, h] = [width, width / aspect].map((inches) => String(Math.round(96 * inches)))
  return html`<div class="picture"><img src="${path}" alt="Figure" width="${w ?? ''}" height="${h ?? ''}"></div>`
}

/** Characters of a line, and lines, that fit in the largest font, and in the next. */
const lineChars = 90
const lines = { long: 12, longest: 20 }
/** Below or beside a picture is less room. */
const besidePart = 0.6

/** How long a text is, so that a longer one gets a smaller font. What does not fit then goes on with the next page. */
export function lengthOf(content: string, isBeside = false): '' | 'long' | 'longest' {
  const width = isBeside ? lineChars * besidePart : lineChars
  let count = 0
  for (const line of content.trim().split('\n'))
    count += Math.max(1, Math.ceil(line.length / width))
  if (count > lines.longest) return 'longest'
  return count > lines.long ? 'long' : ''
}

const namesMax = 6

function originOf({ name, revisionIndex, revisionId, link, codeNames, assetIds }: Origin): Html {
  const title = `${name}, revision ${revisionIndex + 1}`
  const parts = [
    html`Source: ${link ? html`<a href="${link}">${title}</a>` : title} (${revisionId})`,
  ]
  if (codeNames.length > 0) parts.push(html`Code: ${listOf(codeNames)}`)
  if (assetIds.length > 0) parts.push(html`Assets: ${listOf(assetIds)}`)
  return html`<p class="origin" dir="auto">${parts.map((part, i) => html`${i > 0 ? ' · ' : ''}${part}`)}</p>`
}

function listOf(names: string[]): string {
  const more = names.length - namesMax
  const shown = names.slice(0, namesMax).join(', ')
  return more > 0 ? `${shown} and ${more} more` : shown
}
