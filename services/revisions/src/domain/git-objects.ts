import { DataType } from '@figbase/proto/revisions'
import { extensionOf, nameOf } from './git-files.js'
import type { SlotFile } from './git-slots.js'

const languages: Record<string, string> = {
  py: 'Python',
  r: 'R',
  rmd: 'R',
  qmd: 'R',
  ipynb: 'Python',
  jl: 'Julia',
  js: 'JavaScript',
  mjs: 'JavaScript',
  ts: 'TypeScript',
  m: 'MATLAB',
  sh: 'Shell',
  sql: 'SQL',
  c: 'C',
  cpp: 'C++',
  java: 'Java',
  rs: 'Rust',
  go: 'Go',
}
const tables = ['csv', 'parquet']

/** The data object of a file, as the clients write it, with its path. */
export function objectOf({ role, path }: SlotFile): {
  name: string
  type: DataType
  metadataJson: string
} {
  const extension = extensionOf(path)
  const of = (type: DataType, metadata: object) => ({
    name: nameOf(path),
    type,
    metadataJson: JSON.stringify({ ...metadata, path }),
  })
  if (role === 'image') return of(DataType.IMAGE, { format: extension, is_watermarked: false })
  if (role === 'code' || role === 'shared_code') {
    const format = extension === 'ipynb' ? 'jupyter-history/json' : 'text'
    return of(DataType.CODE, { language: languages[extension] ?? null, format, encoding: 'utf-8' })
  }
  if (role === 'description') return of(DataType.TEXT, { format: null, encoding: 'utf-8' })
  if (tables.includes(extension))
    return of(DataType.DATAFRAME, { format: extension, encoding: 'utf-8' })
  return of(DataType.FILE, {})
}

/** `git+https://host/group/plots.git@commit#path`, the form of SPDX. The path of the root is empty. */
export function importSourceOf(url: string, commitId: string, path: string): string {
  const address = url.includes('://') ? url : `ssh://${url.replace(':', '/')}`
  const place = `git+${address}@${commitId}`
  return path === '' ? place : `${place}#${encodeURI(path).replaceAll('#', '%23')}`
}
