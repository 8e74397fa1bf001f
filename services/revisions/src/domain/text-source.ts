import { DataType } from '@figbase/proto/revisions'

/**
 * Where a data object may have text: in the whole file, in the names of its columns, or in a drawing or
 * document.
 */
export type TextSource = 'plain' | 'columns' | 'picture'

export type Declared = {
  type: number
  name: string | null
  /** `format` and `path` are members of its metadata. */
  format: string | null
  path: string | null
}

const tables = ['csv', 'tsv', 'tab', 'parquet']
const pictures = ['svg', 'svgz', 'pdf']
const plain =
  'bash c cc cpp cs css do f f90 go h hpp java jl js json kt lua m md php pl pro ps1 py qmd r rb rmd rs rst sas scala sh sql swift tex toml ts txt xml yaml yml'.split(
    ' ',
  )

/** Decides by what the client declared. Undefined if there is no text. */
export function textSourceOf({ type, name, format, path }: Declared): TextSource | undefined {
  const declared = format?.toLowerCase() || extensionOf(name)
  if (type === DataType.CODE || type === DataType.TEXT) return 'plain'
  if (type === DataType.DATAFRAME)
    return !declared || tables.includes(declared) ? 'columns' : undefined
  if (type === DataType.IMAGE)
    return !declared || pictures.includes(declared) ? 'picture' : undefined
  const ending = extensionOf(path) ?? extensionOf(name) ?? ''
  if (tables.includes(ending)) return 'columns'
  if (pictures.includes(ending)) return 'picture'
  return plain.includes(ending) ? 'plain' : undefined
}

const extensionOf = (name: string | null) => /\.(\w{1,8})$/.exec(name ?? '')?.[1]?.toLowerCase()
