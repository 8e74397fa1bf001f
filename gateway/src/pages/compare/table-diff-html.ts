import { type Html, html } from '@figbase/kit/text'
import type { Texts } from '../../texts/texts.js'
import { moreThan } from '../lists.js'
import type { Table } from '../tables/table.js'
import { cellText } from '../tables/table-html.js'
import type { TableDiff } from './table-diff.js'

/** How the columns, the rows and the cells of two tables differ. */
export function tableDiffHtml(
  texts: Texts,
  name: string,
  { before, after }: { before: Table; after: Table },
  diff: TableDiff,
): Html {
  const { t, number } = texts
  const columns = [
    ...diff.addedColumns.map((column) => html`<li><ins>+ ${cellText(column)}</ins></li>`),
    ...diff.removedColumns.map((column) => html`<li><del>- ${cellText(column)}</del></li>`),
  ]
  const counts = t('compare.rows', {
    before: number(before.rows.length),
    after: number(after.rows.length),
    added: diff.addedRows,
    removed: diff.removedRows,
    cells: diff.changedCells,
  })
  const isPart = !before.isComplete || !after.isComplete
  return html`<p>${counts}</p>${isPart ? html`<p class="quiet">${t('compare.tablePart')}</p>` : html``}
${columns.length > 0 ? html`<p>${t('compare.columns')}</p><ul class="columns">${columns.slice(0, columnsMax)}</ul>${moreThan(texts, columnsMax, columns.length)}` : html``}
${diff.cells.length > 0 ? cellsHtml(texts, name, diff) : html``}`
}

const columnsMax = 60

function cellsHtml(texts: Texts, name: string, { cells, changedCells }: TableDiff) {
  const { t, number } = texts
  const rows = cells.map(
    ({ row, column, before, after }) =>
      html`<tr><td>${number(row)}</td><td>${cellText(column)}</td><td><del>${cellText(before)}</del></td><td><ins>${cellText(after)}</ins></td></tr>`,
  )
  const heads = [t('table.row'), t('table.column'), t('compare.from'), t('compare.to')].map(
    (head) => html`<th scope="col">${head}</th>`,
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table class="cells">
<thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>${moreThan(texts, cells.length, changedCells)}`
}
