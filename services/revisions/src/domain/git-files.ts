/** What a file is, by its extension. Undefined: nothing that is imported. */
export type FileKind = 'image' | 'code' | 'data' | 'description'

const of = (kind: FileKind, extensions: string): [string, FileKind][] =>
  extensions.split(' ').map((extension) => [extension, kind])

/** Those of images, code and descriptions are the same as in `figbase publish DIR`: a test compares them. */
export const kinds: ReadonlyMap<string, FileKind> = new Map<string, FileKind>([
  ...of('image', 'png jpg jpeg webp gif tif tiff avif svg pdf eps html'),
  ...of('code', 'py r rmd qmd ipynb jl m js mjs ts sh sql c cpp java rs go do sas stan'),
  ...of('description', 'md txt'),
  ...of(
    'data',
    'csv tsv parquet feather arrow orc json jsonl ndjson geojson xlsx xls ods dta sav sas7bdat',
  ),
  ...of(
    'data',
    'h5 hdf5 hdf nc cdf mat npy npz rds rdata rda pkl pickle dat fits avro sqlite db gz zip',
  ),
])

export const extensionOf = (path: string): string =>
  /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

export const kindOf = (path: string): FileKind | undefined => kinds.get(extensionOf(path))

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Without a slash at its end; empty for the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The path up to the first dot of the name: files with the same one belong together. */
export function stemOf(path: string): string {
  const name = nameOf(path)
  return path.slice(0, path.length - name.length) + (name.split('.')[0] ?? '')
}

/** Files of programs and tools, which are left out unless a rule names them. */
export const defaultExclude = [
  '.*',
  'node_modules/',
  'bower_components/',
  '__pycache__/',
  'site-packages/',
  'venv/',
  'vendor/',
  'package.json',
  'package-lock.json',
  'composer.json',
  'tsconfig*.json',
  'CMakePresets.json',
  'codemeta.json',
  'LICENSE.*',
]
