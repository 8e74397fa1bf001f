import { type Html, html } from '@figbase/kit/text'
import type { Route } from '../../endpoint.js'
import { HttpError } from '../../http/errors.js'
import { errorReply, type Page, publicPage } from '../page.js'
import { type Guide, loadGuide } from './load.js'
import type { GuidePage } from './render.js'

const cache = { cache: 'no-cache' }

/** The user's guide: its index, each page, all pages as one, and its pictures. */
export const guidePages: Route[] = [
  publicPage('/docs/', () => pageOf(''), cache),
  publicPage('/docs/all/', allPages, cache),
  publicPage('/docs/:page/', ({ page = '' }) => pageOf(page), cache),
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

async function pageOf(name: string): Promise<Page> {
  const guide = await loadGuide()
  const at = guide.pages.findIndex((page) => page.name === name)
  const page = guide.pages[at]
  if (!page) throw notFound('page')
  const content = html`${page.content}${neighbors(guide.pages[at - 1], guide.pages[at + 1])}`
  return { title: page.title, content: framed(guide, content, page) }
}

async function allPages(): Promise<Page> {
  const guide = await loadGuide()
  const content = html`<h1>User's guide, all pages</h1>${guide.all}`
  return { title: "User's guide", content: framed(guide, content) }
}

/** The table of contents comes last in the document, so that a phone shows the page first. */
const framed = (guide: Guide, content: Html, current?: GuidePage) =>
  html`<div class="guide"><article class="written"><p class="to-contents"><a href="#contents">Contents</a></p>${content}</article>
<nav id="contents" aria-label="Contents"><ul>${guide.pages.map((page) => entry(page, current))}
<li>${link('/docs/all', 'All pages as one', current === undefined)}</li></ul></nav></div>`

/** Without a current page all of them are in one document. */
function entry(page: GuidePage, current: GuidePage | undefined): Html {
  const href = current || page.name === '' ? `/docs/${page.name}` : `#${page.name}`
  const isCurrent = page === current
  return html`<li>${link(href, page.title, isCurrent)}${isCurrent ? sectionsOf(page) : ''}</li>`
}

const link = (href: string, title: string, isCurrent: boolean) =>
  isCurrent
    ? html`<a href="${href}" aria-current="page">${title}</a>`
    : html`<a href="${href}">${title}</a>`

function sectionsOf({ sections }: GuidePage): Html {
  if (sections.length === 0) return html``
  const items = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  return html`<ul>${items}</ul>`
}

const neighbors = (previous: GuidePage | undefined, next: GuidePage | undefined) =>
  html`<nav class="neighbors" aria-label="Previous and next page">${neighbor('Previous', previous)}${neighbor('Next', next)}</nav>`

const neighbor = (label: string, page: GuidePage | undefined) =>
  page
    ? html`<a href="/docs/${page.name}"><span class="quiet">${label}</span> ${page.title}</a>`
    : html`<span></span>`
