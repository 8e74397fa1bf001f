import { Html, html } from '@figbase/kit'
import type { MarkdownIt, RendererRule, Token } from 'markdown-it'

/** All that is known of Markdown: no HTML, and no definitions of links, as they make much of little text. */
const rules = [
  ...['blockquote', 'code', 'fence', 'heading', 'hr', 'lheading', 'list'],
  ...['autolink', 'backticks', 'entity', 'escape', 'image', 'link', 'linkify', 'newline'],
  ...['emphasis', 'strikethrough'],
]
const levelsMax = 20

type Parsers = { withTables: MarkdownIt; withoutTables: MarkdownIt }
let loading: Promise<Parsers> | undefined

/**
 * What anybody may have written, as CommonMark with tables and bare links. Nothing of it runs, and nothing is
 * loaded: pictures become links. The markup of odd texts is up to 30 times as long as they are.
 */
export async function markdown(text: string): Promise<Html> {
  loading ??= load()
  const { withTables, withoutTables } = await loading
  const parser = mayHaveTables(text) ? withTables : withoutTables
  // Safe: HTML is off, so text and attributes are escaped, by the library or by `html`; what else comes out are
  // the elements of the rules above, without attributes that could do anything, and links that `mayLead` allows.
  return new Html(parser.render(text))
}

/** Rows are filled up to the width of their table: that makes no more cells than there are characters. */
function mayHaveTables(text: string) {
  const lines = text.split(/\r\n?|\n/)
  const widest = lines.reduce((most, line) => Math.max(most, line.split('|').length), 0)
  return lines.length * widest <= text.length
}

async function load(): Promise<Parsers> {
  // Loaded only where it is used: a start without it is faster.
  const { default: Parser } = await import('markdown-it')
  const parserOf = (enabled: string[]) => {
    const parser = new Parser('zero', { linkify: true, breaks: true, maxNesting: levelsMax })
    parser.enable(enabled)
    parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
    parser.validateLink = mayLead
    Object.assign(parser.renderer.rules, rendering)
    return parser
  }
  return { withTables: parserOf([...rules, 'table']), withoutTables: parserOf(rules) }
}

const mayLead = (address: string) => /^(?:https?:\/\/|mailto:)/i.test(address)

const rule =
  (render: (token: Token) => Html): RendererRule =>
  (tokens, index) => {
    const token = tokens[index]
    return token ? render(token).toString() : ''
  }

/** Below the title of the page and that of its part. */
const headingOf = ({ tag }: Token) => `h${Math.min(Number(tag.slice(1)) + 2, 6)}`

/** Without the language, which could be any word. */
const code = rule(
  ({ content }) =>
    html`<pre tabindex="0" role="region" aria-label="Code"><code>${content}</code></pre>`,
)

/** The policy of pages allows no `style`, by which the library aligns. */
const cell = rule(({ tag, attrs }) => {
  const [, side] = String(attrs?.[0]?.[1] ?? '').split(':')
  return side ? html`<${tag} class="${side}">` : html`<${tag}>`
})

const linkTo = (address: unknown) =>
  address ? html`<a href="${String(address)}" rel="nofollow ugc noopener noreferrer">` : html`<a>`

const rendering: Record<string, RendererRule> = {
  heading_open: rule((token) => html`<${headingOf(token)}>`),
  heading_close: rule((token) => html`</${headingOf(token)}>`),
  code_block: code,
  fence: code,
  table_open: rule(
    () => html`<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>`,
  ),
  table_close: rule(() => html`</table></div>`),
  th_open: cell,
  td_open: cell,
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
