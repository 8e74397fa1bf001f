import { basename } from 'node:path'
import { type FileKind, kindOf } from './file-kinds.js'

/** The files of one figure. */
export type Group = {
  name: string
  image: string[]
  code: string[]
  data: string[]
  description?: string
}

/** The name of a file up to the first dot: `means` of `means.vl.json`. Empty for hidden files. */
export const stemOf = (path: string): string => basename(path).split('.')[0] ?? ''

/**
 * Files that are alike up to the first dot are one figure. A text is the description of the figure that has its name;
 * texts alone are no figure. Sorted by name.
 */
export function toGroups(paths: string[]): Group[] {
  const byName = new Map<string, string[]>()
  for (const path of paths) {
    const stem = stemOf(path)
    if (stem !== '') byName.set(stem, [...(byName.get(stem) ?? []), path])
  }
  return [...byName]
    .filter(([, files]) => files.some((file) => kindOf(file) !== 'description'))
    .map(([name, files]) => toGroup(name, files))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** All files as one figure. Texts without a figure are data, and so is a second text. */
export function toGroup(name: string, paths: string[]): Group {
  const files = [...paths].sort()
  const of = (kind: FileKind) => files.filter((file) => kindOf(file) === kind)
  const texts = of('description')
  const group = { name, image: of('image'), code: of('code'), data: of('data') }
  const isAlone = texts.length === files.length
  const description = isAlone ? undefined : texts.shift()
  const data = [...group.data, ...texts]
  return { ...group, data, ...(description !== undefined && { description }) }
}
