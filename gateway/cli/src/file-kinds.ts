import { extname } from 'node:path'

/** What a file is in a figure, by its extension. */
export type FileKind = 'image' | 'code' | 'data' | 'description'

const of = (kind: FileKind, extensions: string): [string, FileKind][] =>
  extensions.split(' ').map((extension) => [`.${extension}`, kind])

const kinds = new Map<string, FileKind>([
  ...of('image', 'png jpg jpeg webp gif tif tiff avif svg pdf eps html'),
  ...of('code', 'py r rmd qmd ipynb jl m js mjs ts sh sql c cpp java rs go do sas stan'),
  ...of('description', 'md txt'),
])

/** Tables and everything else are data. */
export const kindOf = (path: string): FileKind => kinds.get(extname(path).toLowerCase()) ?? 'data'
