import type pptx from 'pptxgenjs'
import type { Paragraph, Run, Table } from './blocks.js'
import {
  type Fitted,
  indentInches,
  lineInches,
  missing,
  padding,
  pointsOf,
  rowHeight,
  spaceAfter,
  tablePoints,
} from './fit-blocks.js'

type DeckSlide = ReturnType<InstanceType<typeof pptx.default>['addSlide']>

const pointsPerInch = 72
const codeFont = 'Courier New'
const tableStyle = { line: 'BFBFBF', header: 'F2F2F2', note: '595959' }

/** Blocks with the places that `fitBlocks` found, from the point (x, y). */
export function addBlocks(
  slide: DeckSlide,
  { placed, scale }: Fitted,
  area: { x: number; y: number; w: number },
): void {
  for (const { block, y, h } of placed) {
    const place = { ...area, y: area.y + y, h }
    if ('paragraphs' in block) addParagraphs(slide, block.paragraphs, place, scale)
    else addTable(slide, block.table, indented(place), scale)
  }
}

/** A table is aligned with the text, which has a margin in its box. */
const indented = (place: Place): Place => ({
  ...place,
  x: place.x + padding.text,
  w: place.w - 2 * padding.text,
})

type Place = { x: number; y: number; w: number; h: number }

function addParagraphs(slide: DeckSlide, paragraphs: Paragraph[], place: Place, scale: number) {
  const runs = paragraphs.flatMap((paragraph) => {
    const { kind, item } = paragraph
    const options = {
      fontSize: pointsOf[kind] * scale,
      paraSpaceAfter: spaceAfter(kind, scale) * pointsPerInch,
      ...(item && { bullet: bulletOf(item), indentLevel: item.depth }),
    }
    return paragraph.runs.map((run, i) => {
      const more = i === 0 ? options : { fontSize: options.fontSize }
      const isLast = i === paragraph.runs.length - 1
      return styled(run, { ...more, breakLine: isLast }, kind !== 'text')
    })
  })
  slide.addText(runs, { ...place, margin: padding.text * pointsPerInch, valign: 'top' })
}

const bulletOf = ({ number }: NonNullable<Paragraph['item']>) => {
  const indent = indentInches * pointsPerInch
  return number === undefined
    ? { indent }
    : { type: 'number' as const, numberStartAt: number, indent }
}

const styled = (
  { text, bold, italic, code, link, breakBefore }: Run,
  options: object,
  isAlwaysBold: boolean,
) => ({
  text: printable(text),
  options: {
    ...options,
    bold: bold === true || isAlwaysBold,
    italic: italic === true,
    ...(code && { fontFace: codeFont }),
    ...(link && { hyperlink: { url: link } }),
    ...(breakBefore && { softBreakBefore: true }),
  },
})

function addTable(slide: DeckSlide, table: Table, { x, y, w, h }: Place, scale: number) {
  const fontSize = tablePoints * scale
  const columns = table.rows[0]?.length ?? 0
  if (columns === 0) return
  const rows = table.rows.map((cells, i) =>
    cells.map((runs) => ({
      text: runs.map((run) => styled(run, { fontSize }, i === 0)),
      options: i === 0 ? { fill: { color: tableStyle.header } } : {},
    })),
  )
  slide.addTable(rows, {
    ...{ x, y, w, fontSize },
    colW: w / columns,
    rowH: table.rows.map((cells) => rowHeight(cells, w / columns, scale)),
    margin: padding.cell,
    border: { type: 'solid', pt: 0.5, color: tableStyle.line },
    valign: 'middle',
    autoPage: false,
  })
  const note = missing(table)
  if (!note) return
  const place = { x, y: y + h - lineInches(fontSize), w, h: lineInches(fontSize) }
  slide.addText(note, { ...place, margin: 0, fontSize, italic: true, color: tableStyle.note })
}

/** XML 1.0 does not allow the other characters. */
export const printable = (text: string): string =>
  text.replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
