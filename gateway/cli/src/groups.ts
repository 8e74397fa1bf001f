import { basename } from 'node:path'
import { kindOf } from './file-kinds.js'

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
    .map(([name, files]) => toGroup(name, files))
    .filter(({ image, code, data }) => image.length + code.length + data.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** All files as one figure. A second text is data. */
export function toGroup(name: string, paths: string[]): Group {
  const files = [...paths].sort()
  const of = (kind: string) => files.filter((file) => kindOf(file) === kind)
  const [description, ...texts] = of('description')
  const group = { name, image: of('image'), code: of('code'), data: of('data') }
  if (description === undefined) return group
  const isAlone = group.image.length + group.code.length + group.data.length === 0
  if (isAlone) return group
  return { ...group, data: [...group.data, ...texts], description }
}
