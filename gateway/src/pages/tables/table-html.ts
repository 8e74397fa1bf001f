import { type Html, html } from '@figbase/kit/text'
import type { MessageKey, Texts } from '../../texts/texts.js'
import { type ColumnType, columnType } from './column-type.js'
import type { Table } from './table.js'

const columnsMax = 50
/** A longer value is cut. */
const cellCharsMax = 200

const typeNames: Record<ColumnType, MessageKey> = {
  number: 'table.type.number',
  date: 'table.type.date',
  boolean: 'table.type.boolean',
  text: 'table.type.text',
}

/** The first rows of a table, with the types of its columns. */
export function tableHtml({ t, number }: Texts, name: string, table: Table): Html {
  const columns = table.columns.slice(0, columnsMax).map((column, i) => {
    const type = columnType(table.rows.map((row) => row[i] ?? ''))
    return { column, type }
  })
  const heads = columns.map(
    ({ column, type }) =>
      html`<th scope="col">${cellText(column)} <span class="quiet">${t(typeNames[type])}</span></th>`,
  )
  const rows = table.rows.map(
    (row) =>
      html`<tr>${columns.map(({ type }, i) =>
        type === 'number'
          ? html`<td class="number">${cellText(row[i] ?? '')}</td>`
          : html`<td>${cellText(row[i] ?? '')}</td>`,
      )}</tr>`,
  )
  const notes = [
    ...(table.isComplete || table.rows.length === 0
      ? []
      : [t('table.firstRows', { count: table.rows.length })]),
    ...(table.columns.length > columnsMax
      ? [t('table.firstColumns', { shown: columnsMax, count: number(table.columns.length) })]
      : []),
  ]
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table class="cells">
<thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>${notes.map((note) => html`<p class="quiet">${note}</p>`)}`
}

/** The text of a cell, if it is not too long. */
export const cellText = (text: string): string =>
  text.length > cellCharsMax ? `${text.slice(0, cellCharsMax)}…` : text
