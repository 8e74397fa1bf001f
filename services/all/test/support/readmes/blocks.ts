/** A fenced block of a document; `line` is that of its first line of text. */
export type Block = {
  document: string
  line: number
  language: string
  text: string
  notRun?: string
}

const shells = new Set(['sh', 'bash', 'console'])
const mark = /^<!-- not run(?:: (\S.*))? -->$/

/** All blocks of a document, in order. Throws for a block that is neither runnable nor marked with a reason. */
export function readBlocks(name: string, document: string): Block[] {
  const lines = document.split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at++) {
    const fence = /^( *)(`{3,}|~{3,})([^\s`]*)/.exec(lines[at] ?? '')
    const notRun = at > 0 ? readMark(`${name}:${at}`, lines[at - 1], fence !== null) : undefined
    if (!fence) continue
    const [, indent = '', quotes = '', language = ''] = fence
    const end = lines.findIndex((line, index) => index > at && line.trim() === quotes)
    if (end < 0) throw new Error(`${name}:${at + 1}: unterminated block`)
    const text = lines.slice(at + 1, end).map((line) => line.replace(new RegExp(`^${indent}`), ''))
    if (!shells.has(language) && notRun === undefined)
      throw new Error(
        `${name}:${at + 1}: '${language}' is not run: put <!-- not run: the reason --> on the line before`,
      )
    const commands = language === 'console' ? typedLines(text) : text
    const block = { document: name, line: at + 2, language, text: `${commands.join('\n')}\n` }
    blocks.push(notRun === undefined ? block : { ...block, notRun })
    at = end
  }
  return blocks
}

/** The lines after a prompt. */
const typedLines = (lines: string[]) =>
  lines.filter((line) => /^[$>] /.test(line)).map((line) => line.slice(2))

function readMark(where: string, line = '', hasBlock: boolean): string | undefined {
  const found = mark.exec(line.trim())
  if (!found) return undefined
  if (!found[1]) throw new Error(`${where}: a skipped block needs a reason`)
  if (!hasBlock) throw new Error(`${where}: no block follows`)
  return found[1]
}
