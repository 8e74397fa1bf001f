import { type Html, html } from '@figbase/kit/text'
import type { Route } from '../../endpoint.js'
import { HttpError } from '../../http/errors.js'
import type { Texts } from '../../texts/texts.js'
import { errorReply, type Page, publicPage } from '../page.js'
import { type Guide, loadGuide } from './load.js'
import type { GuidePage } from './render.js'

const cache = { cache: 'no-cache' }

/** The user's guide: its index, each page, all pages as one, and its pictures. */
export const guidePages: Route[] = [
  publicPage('/docs/', (_, texts) => pageOf(texts, ''), cache),
  publicPage('/docs/all/', (_, texts) => allPages(texts), cache),
  publicPage('/docs/:page/', ({ params }, texts) => pageOf(texts, params.page ?? ''), cache),
  {
    method: 'GET',
    path: '/docs/images/:name/',
    since: 'v1',
    auth: 'none',
    errorReply,
    async handle({ params: { name = '' } }) {
      const bytes = (await loadGuide()).images.get(name)
      if (!bytes) throw notFound('picture')
      const headers = { 'cache-control': 'public, max-age=3600' }
      return { status: 200, headers, bytes, type: 'image/png' }
    },
  },
]

const notFound = (what: string) => new HttpError(404, 'not_found', `${what} not found`)

async function pageOf(texts: Texts, name: string): Promise<Page> {
  const guide = await loadGuide()
  const at = guide.pages.findIndex((page) => page.name === name)
  const page = guide.pages[at]
  if (!page) throw notFound('page')
  const content = html`${english(page.content)}
${neighbors(texts, guide.pages[at - 1], guide.pages[at + 1])}`
  return { title: html`${page.title}`, content: withContents(texts, guide, content, page) }
}

async function allPages(texts: Texts): Promise<Page> {
  const guide = await loadGuide()
  const content = html`<h1>${texts.t('guide.all')}</h1>${english(guide.all)}`
  return { title: texts.t('guide.title'), content: withContents(texts, guide, content) }
}

const english = (content: Html) => html`<article class="written" lang="en">${content}</article>`

/** The table of contents comes last in the document, so that a phone shows the page first. */
const withContents = ({ t }: Texts, guide: Guide, content: Html, current?: GuidePage) =>
  html`<div class="guide"><div><p class="to-contents"><a href="#contents">${t('guide.contents')}</a></p>
${content}</div>
<nav id="contents" aria-label="${t('guide.contents')}"><ul lang="en">${guide.pages.map((page) => entry(page, current))}</ul>
<p>${link('/docs/all', t('guide.allLink'), current === undefined)}</p></nav></div>`

/** Without a current page all of them are in one document. */
function entry(page: GuidePage, current: GuidePage | undefined): Html {
  const href = current || page.name === '' ? `/docs/${page.name}` : `#${page.name}`
  const isCurrent = page === current
  return html`<li>${link(href, page.title, isCurrent)}${isCurrent ? sectionsOf(page) : ''}</li>`
}

const link = (href: string, title: string | Html, isCurrent: boolean) =>
  isCurrent
    ? html`<a href="${href}" aria-current="page">${title}</a>`
    : html`<a href="${href}">${title}</a>`

function sectionsOf({ sections }: GuidePage): Html {
  if (sections.length === 0) return html``
  const items = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  return html`<ul>${items}</ul>`
}

const neighbors = (
  { t }: Texts,
  previous: GuidePage | undefined,
  next: GuidePage | undefined,
) => html`<nav class="neighbors" aria-label="${t('guide.neighbors')}">
${neighbor(t('guide.previous'), previous)}${neighbor(t('guide.next'), next)}</nav>`

const neighbor = (label: Html, page: GuidePage | undefined) =>
  page
    ? html`<a href="/docs/${page.name}"><span class="quiet">${label}</span> <span lang="en">${page.title}</span></a>`
    : html`<span></span>`
