import type { RefusedPath, RepositoryFile } from '../git/repository.js'
import { defaultExclude, folderOf, kindOf, nameOf, stemOf } from './git-files.js'
import { type FigureRule, type Rules, rulesPath } from './git-rules.js'
import type { SlotContent, SlotFile } from './git-slots.js'
import { matchesAny } from './path-patterns.js'

/** What should be in Figbase for some paths of a repository. */
export type Wanted = {
  kind: 'figure' | 'asset'
  path: string
  name: string
  /** The path of its analysis; undefined: the analysis into which everything is imported. */
  analysis: string | undefined
  content: SlotContent
  /** The paths of the assets that a figure is made from. */
  links: string[]
}

export type Patterns = Pick<Rules, 'include' | 'exclude'>

/** Whether a path is imported, by the patterns of the registration and the rules of the repository. */
export const isIncluded = (path: string, patterns: Patterns[]): boolean =>
  !isExcluded(path, patterns) &&
  patterns.every(({ include }) => include.length === 0 || matchesAny(include, path))

const isExcluded = (path: string, patterns: Patterns[]) =>
  matchesAny(defaultExclude, path) || patterns.some(({ exclude }) => matchesAny(exclude, path))

export type WantedOptions = {
  rules: Rules
  patterns: Patterns[]
  /** Of the analysis of files outside of folders; undefined: everything is imported into one analysis. */
  rootAnalysis: string | undefined
}

/**
 * Pictures that are alike up to the first dot are one figure, in each folder; code and a text that are alike belong to
 * it, and data that is alike is what it was made from. Code that is alone in its folder belongs to all figures there
 * that have none. `included` are the files that the patterns let through, `all` those that a rule may name.
 */
export function wantedOf(
  included: RepositoryFile[],
  all: RepositoryFile[],
  { rules, patterns, rootAnalysis }: WantedOptions,
): { wanted: Wanted[]; refused: RefusedPath[] } {
  const byPath = new Map(all.map((file) => [file.path, file]))
  const groups = groupBy(included, ({ path }) => stemOf(path))
  const figures = new Map([...groups].filter(([, files]) => files.some(isImage)))
  const shared = sharedCode(included, figures)
  const ruleOf = new Map<string, FigureRule>()
  const refused: RefusedPath[] = []

  const named = (path: string, rule: string): RepositoryFile[] => {
    const file = byPath.get(path)
    if (file && !isExcluded(path, patterns)) return [file]
    const why = file ? 'is excluded' : 'does not exist'
    refused.push({ path, reason: `${rulesPath} names it for ${rule}, but it ${why}` })
    return []
  }
  for (const rule of rules.figures) {
    const stem = stemOf(rule.path)
    if (figures.get(stem)?.some((file) => isImage(file) && file.path === rule.path))
      ruleOf.set(stem, rule)
    else
      refused.push({
        path: rule.path,
        reason: `${rulesPath} names it, but it is no picture that is imported`,
      })
  }

  const data = new Map(included.filter(isData).map((file) => [file.path, file]))
  const wanted: Wanted[] = []
  for (const [stem, files] of figures) {
    const rule = ruleOf.get(stem)
    const own = { code: files.filter(isCode), data: files.filter(isData) }
    const code = rule?.code ? rule.code.flatMap((path) => named(path, rule.path)) : own.code
    const made = rule?.data ? rule.data.flatMap((path) => named(path, rule.path)) : own.data
    for (const file of made) data.set(file.path, file)
    const text = rule?.description === undefined ? files.filter(isText).slice(0, 1) : []
    const beside = code.length === 0 && !rule?.code ? shared.get(folderOf(stem)) : undefined
    wanted.push({
      kind: 'figure',
      path: stem,
      ...placeOf(stem, rootAnalysis, rule?.name),
      content: {
        files: [
          ...toFiles('image', files.filter(isImage)),
          ...toFiles('code', code),
          ...toFiles('shared_code', beside ? [beside] : []),
          ...toFiles('description', text),
        ],
        ...(rule?.description !== undefined && { description: rule.description }),
      },
      links: made.map(({ path }) => path),
    })
  }
  for (const file of data.values()) {
    const { path } = file
    const content = { files: toFiles('data', [file]) }
    wanted.push({ kind: 'asset', path, ...placeOf(path, rootAnalysis), content, links: [] })
  }
  return { wanted: wanted.sort(byKindAndPath), refused }
}

const isImage = ({ path }: RepositoryFile) => kindOf(path) === 'image'
const isCode = ({ path }: RepositoryFile) => kindOf(path) === 'code'
const isData = ({ path }: RepositoryFile) => kindOf(path) === 'data'
const isText = ({ path }: RepositoryFile) => kindOf(path) === 'description'

/** Assets first, because figures are linked to their revisions. */
const byKindAndPath = (a: Wanted, b: Wanted) =>
  a.kind === b.kind ? (a.path < b.path ? -1 : 1) : a.kind === 'asset' ? -1 : 1

const toFiles = (role: SlotFile['role'], files: RepositoryFile[]): SlotFile[] =>
  files.map(({ path, blobId }) => ({ role, path, blob: blobId }))

/** The only code of a folder that belongs to no figure by its name, by folder. */
function sharedCode(files: RepositoryFile[], figures: Map<string, unknown>) {
  const ofFolder = groupBy(files.filter(isCode), ({ path }) => folderOf(path))
  const found = new Map<string, RepositoryFile>()
  for (const [folder, code] of ofFolder) {
    const [only, second] = code
    if (only && !second && !figures.has(stemOf(only.path))) found.set(folder, only)
  }
  return found
}

/** In a workspace, the first folder is the analysis, and the rest of the path is the name. */
function placeOf(path: string, rootAnalysis: string | undefined, name?: string) {
  if (rootAnalysis === undefined) return { analysis: undefined, name: name ?? path }
  const slash = path.indexOf('/')
  if (slash < 0) return { analysis: '', name: name ?? path }
  return { analysis: path.slice(0, slash), name: name ?? path.slice(slash + 1) }
}

function groupBy<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/** The name of the analysis of files outside of folders: `plots` of `https://host/group/plots.git`. */
export const repositoryName = (url: string): string =>
  nameOf(url.replace(/[?#].*$/, '').replace(/\/+$/, ''))
    .replace(/^.*:/, '')
    .replace(/\.git$/, '') || 'repository'
