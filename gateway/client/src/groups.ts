/** What a file is in a figure, by its extension. */
export type FileKind = 'image' | 'code' | 'data' | 'description'

/** The files of one figure. */
export type Group<F> = { name: string; image: F[]; code: F[]; data: F[]; description?: F }

const of = (kind: FileKind, extensions: string): [string, FileKind][] =>
  extensions.split(' ').map((extension) => [extension, kind])

/** Others are data. */
export const kinds: ReadonlyMap<string, FileKind> = new Map<string, FileKind>([
  ...of('image', 'png jpg jpeg webp gif tif tiff avif svg pdf eps html'),
  ...of('code', 'py r rmd qmd ipynb jl m js mjs ts sh sql c cpp java rs go do sas stan'),
  ...of('description', 'md txt'),
])

/** Tables and everything else are data. */
const kindOf = (name: string): FileKind =>
  kinds.get(/.\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '') ?? 'data'

/** The name of a file up to the first dot: `means` of `means.vl.json`. Empty for hidden files. */
export const stemOf = (name: string): string => name.split('.')[0] ?? ''

/**
 * Files that are alike up to the first dot are one figure. A text is the description of the figure that has its name;
 * texts alone are no figure. Sorted by name.
 */
export function groupFiles<F>(files: F[], nameOf: (file: F) => string): Group<F>[] {
  const byName = new Map<string, F[]>()
  for (const file of files) {
    const stem = stemOf(nameOf(file))
    if (stem !== '') byName.set(stem, [...(byName.get(stem) ?? []), file])
  }
  return [...byName]
    .filter(([, some]) => some.some((file) => kindOf(nameOf(file)) !== 'description'))
    .map(([name, some]) => groupOf(name, some, nameOf))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** All files as one figure. Texts without a figure are data, and so is a second text. */
export function groupOf<F>(name: string, files: F[], nameOf: (file: F) => string): Group<F> {
  const sorted = [...files].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const of = (kind: FileKind) => sorted.filter((file) => kindOf(nameOf(file)) === kind)
  const texts = of('description')
  const group = { name, image: of('image'), code: of('code'), data: of('data') }
  const isAlone = texts.length === sorted.length
  const description = isAlone ? undefined : texts.shift()
  const data = [...group.data, ...texts]
  return { ...group, data, ...(description !== undefined && { description }) }
}
