import type { Block, Paragraph, Run, Table } from './blocks.js'

/** A block with its place from the top of its area, and the size of its text in relation to the usual one. */
export type Placed = { block: Block; y: number; h: number }
export type Fitted = { placed: Placed[]; scale: number; h: number }

/** Inches. */
export type Area = { w: number; h: number }

export const pointsOf = { title: 36, heading: 26, text: 20 }
export const tablePoints = 14
/** Inside of text boxes and of cells, in inches. */
export const padding = { text: 0.1, cell: 0.06 }

const pointsPerInch = 72
const lineHeight = 1.2
/** Of the size of the text, on average in Arial; other scripts have characters that are as wide as high. */
const charWidth = { latin: 0.52, wide: 1 }
const wide =
  /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]|[\u{1f000}-\u{3ffff}]/gu
export const indentInches = 0.375
const gap = 0.1
const scales = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4]

/**
 * The largest text with which blocks fit into an area, by an estimate, since nothing here knows fonts. If the smallest
 * one is too large, tables lose rows at their ends, and then text extends below the area.
 */
export function fitBlocks(blocks: Block[], area: Area, scaleMax = 1): Fitted {
  const possible = scales.filter((scale) => scale <= scaleMax)
  const fitting = possible.find((scale) => heightOf(blocks, area.w, scale) <= area.h)
  const scale = fitting ?? possible.at(-1) ?? scaleMax
  const shown = fitting ? blocks : shortened(blocks, area, scale)
  const placed: Placed[] = []
  let y = 0
  for (const block of shown) {
    const h = blockHeight(block, area.w, scale)
    placed.push({ block, y, h })
    y += h + gap
  }
  return { placed, scale, h: Math.max(0, y - gap) }
}

/** What a table does not show. */
export function missing({ rowsMissing, columnsMissing }: Table): string | undefined {
  const parts = [
    ...(rowsMissing > 0 ? [`${rowsMissing} more ${rowsMissing === 1 ? 'row' : 'rows'}`] : []),
    ...(columnsMissing > 0
      ? [`${columnsMissing} more ${columnsMissing === 1 ? 'column' : 'columns'}`]
      : []),
  ]
  return parts.length > 0 ? `… and ${parts.join(' and ')} in the story` : undefined
}

function shortened(blocks: Block[], { w, h }: Area, scale: number): Block[] {
  const texts = blocks.filter((block) => !('table' in block))
  const tables = blocks.length - texts.length
  const left = h - heightOf(texts, w, scale) - gap * tables
  return blocks.map((block) =>
    'table' in block ? { table: withoutRows(block.table, { w, h: left / tables }, scale) } : block,
  )
}

function withoutRows(table: Table, area: Area, scale: number): Table {
  const rows = [...table.rows]
  let { rowsMissing } = table
  const isTooHigh = () =>
    tableHeight({ ...table, rows, rowsMissing }, area.w, scale) > area.h && rows.length > 1
  while (isTooHigh()) {
    rows.pop()
    rowsMissing++
  }
  return { ...table, rows, rowsMissing }
}

const heightOf = (blocks: Block[], w: number, scale: number) =>
  blocks.reduce((sum, block) => sum + blockHeight(block, w, scale), 0) +
  gap * Math.max(0, blocks.length - 1)

const blockHeight = (block: Block, w: number, scale: number): number =>
  'table' in block ? tableHeight(block.table, w, scale) : textHeight(block.paragraphs, w, scale)

const textHeight = (paragraphs: Paragraph[], w: number, scale: number) =>
  paragraphs.reduce((sum, { runs, kind, item }) => {
    const points = pointsOf[kind] * scale
    const inner = w - 2 * padding.text - (item ? indentInches * (item.depth + 1) : 0)
    return sum + linesOf(runs, inner, points) * lineInches(points) + spaceAfter(kind, scale)
  }, 2 * padding.text)

/** Below a paragraph, in inches. */
export const spaceAfter = (kind: Paragraph['kind'], scale: number): number =>
  ((pointsOf[kind] * scale) / pointsPerInch) * 0.3

function tableHeight(table: Table, w: number, scale: number): number {
  const inner = w - 2 * padding.text
  const rows = table.rows.map((row) => rowHeight(row, inner / (row.length || 1), scale))
  const note = missing(table) ? lineInches(tablePoints * scale) + gap : 0
  return rows.reduce((sum, h) => sum + h, note)
}

export function rowHeight(cells: Run[][], cellWidth: number, scale: number): number {
  const points = tablePoints * scale
  const lines = cells.map((runs) => linesOf(runs, cellWidth - 2 * padding.cell, points))
  return Math.max(1, ...lines) * lineInches(points) + 2 * padding.cell
}

export const lineInches = (points: number): number => (points * lineHeight) / pointsPerInch

function linesOf(runs: Run[], w: number, points: number): number {
  let lines = 1
  let used = 0
  for (const { text, breakBefore, code } of runs) {
    if (breakBefore) {
      lines++
      used = 0
    }
    const wides = text.match(wide)?.length ?? 0
    const latins = [...text].length - wides
    const latin = code ? 0.6 : charWidth.latin
    used += ((latins * latin + wides * charWidth.wide) * points) / pointsPerInch
    while (used > w) {
      lines++
      used -= w
    }
  }
  return lines
}
