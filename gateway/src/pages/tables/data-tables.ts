import { type Html, html } from '@figbase/kit/text'
import { type DataObject, DataType } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import { fileInfo } from '../../routes/data/file-info.js'
import { textsOf } from '../../texts/texts.js'
import { readPart, readText } from '../read-text.js'
import { nameHtml } from '../text.js'
import { parseTable, type Table } from './table.js'
import { tableHtml } from './table-html.js'

/** The maximum number of tables to show. */
const tablesMax = 5

export const isCsv = (object: DataObject): boolean =>
  object.type === DataType.DATAFRAME && fileInfo(object).type === 'text/csv'

const isParquet = (object: DataObject) =>
  object.type === DataType.DATAFRAME && fileInfo(object).name.endsWith('.parquet')

/** The first rows of the CSV and Parquet tables of a revision; reads them in parallel. */
export async function dataTables(input: Input, data: DataObject[]): Promise<Html> {
  const objects = data.filter((object) => isCsv(object) || isParquet(object)).slice(0, tablesMax)
  const tables = await Promise.all(
    objects.map((object) => (isCsv(object) ? readCsv(input, object) : readParquet(input, object))),
  )
  const shown = tables.flatMap((table, i) => {
    const object = objects[i]
    return object && table && table.columns.length > 0 ? titled(input, object, table) : []
  })
  return shown.length === 0 ? html`` : html`<h2>${textsOf(input).t('data.tables')}</h2>${shown}`
}

function titled(input: Input, object: DataObject, table: Table) {
  const { name } = fileInfo(object)
  return html`<h3>${nameHtml(name)}</h3>${tableHtml(textsOf(input), name, table)}`
}

/** How much of one table is read. */
const bytesMaxOf = ({ cfg }: Input) => Math.floor(cfg.pageTableBytesMax / tablesMax)

async function readCsv(input: Input, object: DataObject): Promise<Table | undefined> {
  const bytes = Math.min(Number(object.sizeBytes), bytesMaxOf(input))
  const csv = await readText(input, object, bytes)
  if (csv === undefined) return undefined
  return parseTable(csv, bytes < object.sizeBytes, input.cfg.pageTableRowsMax)
}

async function readParquet(
  input: Input,
  { id, sizeBytes }: DataObject,
): Promise<Table | undefined> {
  const size = Number(sizeBytes)
  const bytes = Math.min(size, bytesMaxOf(input))
  const [head, tail] = await Promise.all([
    readPart(input, id, 0, bytes),
    readPart(input, id, size - bytes, bytes),
  ])
  return input.parquet.read({ head, tail, sizeBytes: size }, input.clientGone)
}
