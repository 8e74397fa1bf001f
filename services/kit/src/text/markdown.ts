import type { MarkdownIt, RendererRule, Token } from 'markdown-it'
import { Html, html } from './html.js'

/** The enabled Markdown rules. HTML is off, and so are link definitions, which can expand a short text into a long one. */
const rules = [
  ...['blockquote', 'code', 'fence', 'heading', 'hr', 'lheading', 'list'],
  ...['autolink', 'backticks', 'entity', 'escape', 'image', 'link', 'linkify', 'newline'],
  ...['emphasis', 'strikethrough'],
]
const levelsMax = 20

/** The names of blocks that scroll by themselves, for screen readers. */
type Labels = { code: string | Html; table: string | Html }
const english: Labels = { code: 'Code', table: 'Table' }

type Parsers = { withTables: MarkdownIt; withoutTables: MarkdownIt }
let loading: Promise<Parsers> | undefined

/**
 * Renders untrusted text as CommonMark with tables and bare links. The output runs no scripts and loads nothing:
 * images become links. In the worst case it is 30 times as long as the text.
 */
export async function markdown(text: string, labels: Labels = english): Promise<Html> {
  loading ??= load()
  const { withTables, withoutTables } = await loading
  const parser = mayHaveTables(text) ? withTables : withoutTables
  // Safe: HTML is off, so the library or `html` escapes all text and attributes. The rest of the output is the
  // elements of the rules above, without active attributes, and links that `isAllowedLink` accepts.
  return new Html(parser.render(text, { labels }))
}

/** The library pads rows to the width of their table: refuse tables that would get more cells than there are characters. */
function mayHaveTables(text: string) {
  const lines = text.split(/\r\n?|\n/)
  const widest = lines.reduce((most, line) => Math.max(most, line.split('|').length), 0)
  return lines.length * widest <= text.length
}

async function load(): Promise<Parsers> {
  // Loaded on first use, so that the gateway starts faster.
  const { default: Parser } = await import('markdown-it')
  const parserOf = (enabled: string[]) => {
    const parser = new Parser('zero', { linkify: true, breaks: true, maxNesting: levelsMax })
    parser.enable(enabled)
    parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
    parser.validateLink = isAllowedLink
    Object.assign(parser.renderer.rules, rendering)
    return parser
  }
  return { withTables: parserOf([...rules, 'table']), withoutTables: parserOf(rules) }
}

const isAllowedLink = (address: string) => /^(?:https?:\/\/|mailto:)/i.test(address)

export const rule =
  (render: (token: Token, labels: Labels) => Html): RendererRule =>
  (tokens, index, _options, env) => {
    const token = tokens[index]
    return token ? render(token, (env?.labels as Labels | undefined) ?? english).toString() : ''
  }

/** The page has an h1 and an h2 above the text. */
const headingOf = ({ tag }: Token) => `h${Math.min(Number(tag.slice(1)) + 2, 6)}`

/** Omits the language, which is arbitrary text. */
const code = rule(
  ({ content }, labels) =>
    html`<pre tabindex="0" role="region" aria-label="${labels.code}"><code>${content}</code></pre>`,
)

/** Aligns with a class: the content security policy forbids the `style` attributes of the library. */
const cell = rule(({ tag, attrs }) => {
  const [, side] = String(attrs?.[0]?.[1] ?? '').split(':')
  return side ? html`<${tag} class="${side}">` : html`<${tag}>`
})

const linkTo = (address: unknown) =>
  address ? html`<a href="${String(address)}" rel="nofollow ugc noopener noreferrer">` : html`<a>`

/** Code and tables, which scroll by themselves. */
export const blockRendering: Record<string, RendererRule> = {
  code_block: code,
  fence: code,
  table_open: rule(
    (_, { table }) =>
      html`<div class="scroll" tabindex="0" role="region" aria-label="${table}"><table>`,
  ),
  table_close: rule(() => html`</table></div>`),
  th_open: cell,
  td_open: cell,
}

const rendering: Record<string, RendererRule> = {
  ...blockRendering,
  heading_open: rule((token) => html`<${headingOf(token)}>`),
  heading_close: rule((token) => html`</${headingOf(token)}>`),
  link_open(tokens, index, _options, env) {
    if (env) env.isInLink = true
    return linkTo(tokens[index]?.attrGet('href')).toString()
  },
  link_close(_tokens, _index, _options, env) {
    if (env) env.isInLink = false
    return '</a>'
  },
  image(tokens, index, options, env, renderer) {
    const token = tokens[index]
    const address = token?.attrGet('src')
    const name = renderer.renderInlineAsText(token?.children ?? [], options, env)
    const shown = html`${name || String(address)}`
    return (env?.isInLink ? shown : html`${linkTo(address)}${shown}</a>`).toString()
  },
}
