import { DataType } from '@figbase/proto/revisions'

/** Where a data object may have text: in all of it, in its columns' names, or in what it shows. */
export type TextSource = 'plain' | 'columns' | 'picture'

export type Declared = {
  type: number
  name: string | null
  /** Members of its metadata. */
  format: string | null
  path: string | null
}

const tables = ['csv', 'tsv', 'tab', 'parquet']
const pictures = ['svg', 'svgz', 'pdf']
const plain =
  'bash c cc cpp cs css do f f90 go h hpp java jl js json kt lua m md php pl pro ps1 py qmd r rb rmd rs rst sas scala sh sql swift tex toml ts txt xml yaml yml'.split(
    ' ',
  )

/** By what the caller says of it; undefined: none. */
export function textSourceOf({ type, name, format, path }: Declared): TextSource | undefined {
  const declared = format?.toLowerCase() || endingOf(name)
  if (type === DataType.CODE || type === DataType.TEXT) return 'plain'
  if (type === DataType.DATAFRAME)
    return !declared || tables.includes(declared) ? 'columns' : undefined
  if (type === DataType.IMAGE)
    return !declared || pictures.includes(declared) ? 'picture' : undefined
  const ending = endingOf(path) ?? endingOf(name) ?? ''
  if (tables.includes(ending)) return 'columns'
  if (pictures.includes(ending)) return 'picture'
  return plain.includes(ending) ? 'plain' : undefined
}

const endingOf = (name: string | null) => /\.(\w{1,8})$/.exec(name ?? '')?.[1]?.toLowerCase()
