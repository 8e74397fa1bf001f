import { blockRendering, rule } from '@figbase/kit/markdown'
import { Html, html } from '@figbase/kit/text'
import type { RendererRule } from 'markdown-it'

/** A page of the guide as it was written; the name of the index is empty. */
export type PageText = { name: string; text: string }

export type Section = { id: string; title: string }

export type GuidePage = { name: string; title: string; sections: Section[]; content: Html }

/** Every page by itself, and the content of all as one page. */
export type RenderedGuide = { pages: GuidePage[]; all: Html }

/** How one rendering differs from another. */
type Place = {
  /** The address of a page, or of a heading in it. */
  hrefOf(page: string, anchor: string): string
  idOf(anchor: string): string
  /** Added to the level of each heading. */
  headingShift: number
}

type Heading = Section & { level: number }

/** A table of contents lists headings of this level. */
const sectionLevel = 2

export async function renderGuide(texts: PageText[]): Promise<RenderedGuide> {
  const render = await createRenderer()
  const pages = texts.map(({ name, text }): GuidePage => {
    const { content, headings } = render(text, name, apart)
    const title = headings.find(({ level }) => level === 1)?.title
    if (title === undefined) throw new Error(`the page '${name}' of the guide has no title`)
    return { name, title, content, sections: headings.filter(isSection) }
  })
  const parts = texts
    .filter(({ name }) => name !== '')
    .map(({ name, text }) => {
      const { content } = render(text, name, together(name))
      return html`<section>${content}</section>`
    })
  return { pages, all: html`${parts}` }
}

const isSection = ({ level }: Heading) => level === sectionLevel

/** Each page has an address of its own. */
const apart: Place = {
  hrefOf: (page, anchor) => `/docs/${page}${anchor && `#${anchor}`}`,
  idOf: (anchor) => anchor,
  headingShift: 0,
}

/** All pages have one address: the headings of a page are below its title, and their ids begin with its name. */
const together = (page: string): Place => ({
  hrefOf: (target, anchor) => (target === '' ? '/docs/' : `#${idIn(target, anchor)}`),
  idOf: (anchor) => idIn(page, anchor),
  headingShift: 1,
})

const idIn = (page: string, anchor: string) => (anchor ? `${page}--${anchor}` : page)

async function createRenderer() {
  // Imported here, because a start without it is faster.
  const { default: Parser } = await import('markdown-it')
  return (text: string, page: string, place: Place) => {
    const headings: Heading[] = []
    const parser = new Parser('commonmark', { html: false })
    parser.enable(['table', 'strikethrough'])
    Object.assign(parser.renderer.rules, blockRendering, rendering(page, place, headings))
    // Safe: the text is ours, and HTML in it is off.
    const content = new Html(parser.render(withoutComments(text)))
    return { content, headings }
  }
}

/** Comments tell the tests which blocks they cannot run. */
const withoutComments = (text: string) => text.replace(/^<!--.*-->\n/gm, '')

/** As GitHub makes them, so that a link works here and there. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const levelOf = (tag: string) => Number(tag.slice(1))
const headingTag = (tag: string, { headingShift }: Place) => `h${levelOf(tag) + headingShift}`

/** Collects the headings in `headings`. */
const rendering = (
  page: string,
  place: Place,
  headings: Heading[],
): Record<string, RendererRule> => ({
  heading_open(tokens, index) {
    const { tag = 'h1' } = tokens[index] ?? {}
    const title = tokens[index + 1]?.content.replace(/`/g, '') ?? ''
    const level = levelOf(tag)
    const anchor = anchorOf(title)
    headings.push({ id: anchor, title, level })
    // The title of a page needs no anchor of its own where the page has its own address.
    const id = place.idOf(level === 1 ? '' : anchor)
    return `<${headingTag(tag, place)}${id ? html` id="${id}"` : ''}>`
  },
  heading_close(tokens, index) {
    const { tag = 'h1' } = tokens[index] ?? {}
    const last = headings.at(-1)
    const link =
      last && last.level > 1
        ? html` <a class="anchor" href="#${place.idOf(last.id)}" aria-label="Link to this section">#</a>`
        : ''
    return `${link}</${headingTag(tag, place)}>\n`
  },
  link_open(tokens, index) {
    const target = String(tokens[index]?.attrGet('href') ?? '')
    return html`<a href="${addressOf(target, page, place)}">`.toString()
  },
  image: rule((token) => {
    const source = String(token.attrGet('src') ?? '')
    const file = /^images\/([\w-]+\.png)$/.exec(source)?.[1]
    if (!file) throw new Error(`the guide shows ${source}, which is not in its folder`)
    return html`<img class="screenshot" src="/docs/images/${file}" alt="${token.content}">`
  }),
})

/** A link between pages is relative to their folder; others lead elsewhere. */
function addressOf(target: string, page: string, place: Place): string {
  if (/^https?:/.test(target)) return target
  const [, file, anchor = ''] = /^(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(target) ?? []
  if (file === undefined && !anchor) {
    throw new Error(`the page '${page}' of the guide links to ${target}, which is outside`)
  }
  const name = file === 'README' ? '' : (file ?? page)
  return place.hrefOf(name, anchor)
}
