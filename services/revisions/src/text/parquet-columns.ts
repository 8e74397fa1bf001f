import { parquetMetadata, parquetSchema } from 'hyparquet'
import { TextError } from './text-error.js'

/** The names of the columns, one per line, from the end of a Parquet file. */
export function parquetColumns(end: Buffer): string {
  try {
    const metadata = parquetMetadata(new Uint8Array(end).buffer)
    return parquetSchema(metadata)
      .children.map(({ element }) => element.name)
      .join('\n')
  } catch (cause) {
    throw new TextError('the table could not be parsed', { cause })
  }
}
