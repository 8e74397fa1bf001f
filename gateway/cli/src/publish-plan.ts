import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { usageError } from './failure.js'
import { type Group, stemOf, toGroup, toGroups } from './groups.js'
import type { Place } from './place.js'
import type { Destination } from './publish-groups.js'

export type PlanOptions = {
  /** Files whose kind the user said. */
  image?: string[]
  code?: string[]
  data?: string[]
  recursive?: boolean
}

/** The figures that go to one place. */
export type Batch = { to: Destination; groups: Group[] }

/** Which files become which figures of which analysis. */
export async function planOf(
  paths: string[],
  place: Place,
  { recursive, ...named }: PlanOptions,
): Promise<Batch[]> {
  const folder = await folderIn(paths)
  if (recursive) return subFolders(folder, place)
  if (place.level === 'figure') {
    if (folder !== undefined) throw usageError('--to of a folder must be workspace/analysis')
    return [oneFigure(paths, place, named)]
  }
  if (Object.values(named).some(Boolean)) {
    throw usageError('--image, --code and --data need --to workspace/analysis/figure')
  }
  if (place.level !== 'analysis') throw usageError('--to must be workspace/analysis, or a figure')
  const groups = toGroups(folder === undefined ? paths : await filesIn(folder))
  if (groups.length === 0) throw usageError(`There are no figures in ${paths.join(', ')}`)
  return [{ to: { analysis: place.names ?? place.api_id }, groups }]
}

/** The folder, if it is one; undefined if all are files. */
export async function folderIn(paths: string[]): Promise<string | undefined> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)))
  const at = found.findIndex((one) => one?.isDirectory())
  if (at >= 0 && paths.length > 1) throw usageError('Publish either files or one folder')
  return paths[at]
}

function oneFigure(paths: string[], place: Place, named: PlanOptions): Batch {
  const { image = [], code = [], data = [] } = named
  const name = place.names?.[2] ?? stemOf(paths[0] ?? '')
  const group = toGroup(name, paths)
  const whole = {
    ...group,
    image: [...group.image, ...image],
    code: [...group.code, ...code],
    data: [...group.data, ...data],
  }
  const to = place.names ? { analysis: place.names.slice(0, 2) } : { figure: place.api_id }
  return { to, groups: [whole] }
}

/** Each sub-folder with figures is an analysis with its name. */
async function subFolders(folder: string | undefined, place: Place): Promise<Batch[]> {
  if (folder === undefined) throw usageError('--recursive needs a folder')
  if (place.level !== 'workspace' || !place.names) {
    throw usageError('--to of --recursive must be the name of a workspace')
  }
  const { names } = place
  const found = await readdir(folder, { withFileTypes: true })
  const folders = found.filter((one) => one.isDirectory() && stemOf(one.name) !== '')
  const batches: Batch[] = []
  for (const { name } of folders.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const groups = toGroups(await filesIn(join(folder, name)))
    if (groups.length > 0) batches.push({ to: { analysis: [...names, name] }, groups })
  }
  if (batches.length === 0) {
    throw usageError(`There are no figures in the sub-folders of ${basename(folder)}`)
  }
  return batches
}

/** Not those in its sub-folders. */
export async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true })
  return found.filter((one) => one.isFile()).map(({ name }) => join(folder, name))
}
