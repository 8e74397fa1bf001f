import MarkdownIt, { type Token } from 'markdown-it'

/** A piece of text in one style. */
export type Run = {
  text: string
  bold?: boolean
  italic?: boolean
  code?: boolean
  /** An address of http or https. */
  link?: string
  /** It begins a line in the same paragraph. */
  breakBefore?: boolean
}
export type Paragraph = {
  runs: Run[]
  kind: 'title' | 'heading' | 'text'
  /** For the first paragraph of an item of a list; `number` is that of a numbered one. */
  item?: { depth: number; number?: number }
}
/** Rows of cells, the header first. */
export type Table = { rows: Run[][][]; rowsMissing: number; columnsMissing: number }
export type Block = { paragraphs: Paragraph[] } | { table: Table }

/** More would not be readable on a slide. */
const rowsMax = 20
const columnsMax = 10
const depthMax = 4

const parser = new MarkdownIt({ html: false }).disable(['reference'])

/** Untrusted Markdown as text and tables in their order; pictures and other links than those of the web become their text. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  const add = (paragraph: Paragraph) => {
    if (paragraph.runs.length === 0) return
    const last = blocks.at(-1)
    if (last && 'paragraphs' in last) last.paragraphs.push(paragraph)
    else blocks.push({ paragraphs: [paragraph] })
  }
  const tokens = parser.parse(markdown, {})
  /** The next number of each open list, undefined if it is not numbered. */
  const lists: (number | undefined)[] = []
  let item: Paragraph['item']
  let kind: Paragraph['kind'] = 'text'
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    switch (token.type) {
      case 'bullet_list_open':
        lists.push(undefined)
        break
      case 'ordered_list_open':
        lists.push(Number(token.attrGet('start') ?? 1))
        break
      case 'bullet_list_close':
      case 'ordered_list_close':
        lists.pop()
        break
      case 'list_item_open': {
        const number = lists.at(-1)
        const depth = Math.min(lists.length - 1, depthMax)
        item = { depth, ...(number !== undefined && { number }) }
        if (number !== undefined) lists[lists.length - 1] = number + 1
        break
      }
      case 'heading_open':
        kind = token.tag === 'h1' ? 'title' : 'heading'
        break
      case 'heading_close':
        kind = 'text'
        break
      case 'fence':
      case 'code_block':
        add({ runs: codeLines(token.content.trimEnd()), kind: 'text' })
        break
      case 'table_open': {
        const end = tokens.findIndex(({ type }, i) => i > at && type === 'table_close')
        blocks.push({ table: tableOf(tokens.slice(at, end)) })
        at = end
        break
      }
      case 'inline':
        add({ runs: runsOf(token.children ?? []), kind, ...(item && { item }) })
        item = undefined
    }
  }
  return blocks
}

function tableOf(tokens: Token[]): Table {
  const rows: Run[][][] = []
  for (const { type, children } of tokens) {
    if (type === 'tr_open') rows.push([])
    if (type === 'inline') rows.at(-1)?.push(runsOf(children ?? []))
  }
  const columns = rows[0]?.length ?? 0
  return {
    rows: rows.slice(0, rowsMax + 1).map((cells) => cells.slice(0, columnsMax)),
    rowsMissing: Math.max(0, rows.length - 1 - rowsMax),
    columnsMissing: Math.max(0, columns - columnsMax),
  }
}

const codeLines = (text: string): Run[] =>
  text
    .split('\n')
    .map((line, i) => ({ text: line, code: true, ...(i > 0 && { breakBefore: true }) }))

function runsOf(tokens: Token[]): Run[] {
  const runs: Run[] = []
  let bold = false
  let italic = false
  let link: string | undefined
  let breakBefore = false
  for (const token of tokens) {
    const { type, content } = token
    if (type === 'strong_open' || type === 'strong_close') bold = type === 'strong_open'
    if (type === 'em_open' || type === 'em_close') italic = type === 'em_open'
    if (type === 'link_open' || type === 'link_close') link = webAddress(token.attrGet('href'))
    if (type === 'hardbreak') breakBefore = true
    const text = type === 'softbreak' ? ' ' : content
    if (text === '') continue
    runs.push({
      text,
      ...(bold && { bold }),
      ...(italic && { italic }),
      ...(type === 'code_inline' && { code: true }),
      ...(link && { link }),
      ...(breakBefore && { breakBefore }),
    })
    breakBefore = false
  }
  return runs
}

function webAddress(href: string | number | null) {
  return typeof href === 'string' && /^https?:/i.test(href) ? href : undefined
}
