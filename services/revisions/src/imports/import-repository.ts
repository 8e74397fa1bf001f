import type { TaskHandle } from '@figbase/kit/tasks'
import type { Ctx } from '../context.js'
import type { GitRepositoryRow, GitSlotRow } from '../db/schema.js'
import { planImport, type Step } from '../domain/git-plan.js'
import { noRules, parseRules, type Rules, RulesError, rulesPath } from '../domain/git-rules.js'
import type { ImportTotals } from '../domain/git-slots.js'
import { isIncluded, type Patterns, repositoryName, wantedOf } from '../domain/git-wanted.js'
import type { RefusedPath, Repository, RepositoryFile } from '../git/repository.js'
import { pinHostKeys, setImportedCommit } from '../queries/git-repositories.js'
import { listSlots } from '../queries/git-slots.js'
import { addTags } from './add-tags.js'
import { refusalOf } from './failures.js'
import { openRemote, openTarget } from './open-remote.js'
import { createPlaces } from './places.js'
import type { Provenance } from './provenance.js'
import { publishSlot } from './publish-slot.js'
import { readText } from './read-text.js'
import { requireActive } from './require-active.js'

/** How far an import came. */
export type Imported = {
  commitId: string
  totals: ImportTotals
  /** At most `refusedMax`. */
  refused: RefusedPath[]
}

const refusedMax = 100
const rulesBytesMax = 64 * 1024
/** Progress when the repository has been fetched. */
const fetchedPercent = 20
/** So many files are compared with the patterns before other work gets its turn. */
const filesAtOnce = 100

/** Fetches a repository, and brings its figures and assets up to date. `imported` says how far it came. */
export async function importRepository(
  ctx: Ctx,
  importId: string,
  row: GitRepositoryRow,
  task: TaskHandle,
  imported: Imported,
): Promise<void> {
  await requireActive(ctx, row, task.signal)
  const target = await openTarget(ctx, row, task.signal)
  task.progress(1, 'fetching')
  await using repository = await openRemote(ctx, row, task.signal)
  const { head, hostKeys, hostKeyFingerprints } = repository
  if (hostKeys !== undefined && row.host_keys === '')
    await ctx.write((db) => pinHostKeys(db, row.id, hostKeys, hostKeyFingerprints))
  imported.commitId = head.id
  task.progress(fetchedPercent, 'reading')
  const { files, refused } = await repository.listFiles()
  task.log(`fetched ${row.branch} at ${head.id.slice(0, 12)} with ${files.length} files`)
  const refuse = (paths: RefusedPath[]) => {
    imported.totals.refused += paths.length
    imported.refused.push(...paths.slice(0, refusedMax - imported.refused.length))
    for (const { path, reason } of paths) task.log(`not imported: ${path}: ${reason}`)
  }
  const rules = await readRules(repository, files)
  const patterns = [row, rules]
  const included = await select(files, patterns, task.signal)
  refuse(refused.filter(({ path }) => isIncluded(path, patterns)))
  const rootAnalysis = row.target_type === 'workspace' ? repositoryName(row.url) : undefined
  const wanted = wantedOf(included, files, { rules, patterns, rootAnalysis })
  refuse(wanted.refused)
  const slots = await listSlots(ctx.db, row.id)
  const renames =
    row.imported_commit === '' || row.imported_commit === head.id
      ? new Map<string, string>()
      : await repository.renamesSince(row.imported_commit)
  const steps = planImport(wanted.wanted, slots, renames)
  const changes = await repository.lastChanges()
  const tags = await repository.tags()
  const provenance: Provenance = { importId, row, head, changes, tags }
  const places = createPlaces(ctx, { provenance, target, slots, rootAnalysis })
  const assetRevisions = new Map<string, string>()
  for (const [index, step] of steps.entries()) {
    task.signal.throwIfAborted()
    const { path, kind } = step.wanted
    try {
      const slot = await places.slotOf(step, task.signal)
      const links = step.wanted.links.flatMap((one) => assetRevisions.get(one) ?? [])
      const revisionId = step.isChanged
        ? await publishSlot(ctx, repository, { slot, step, links, provenance }, task.signal)
        : slot.revision_id
      if (kind === 'asset' && revisionId) assetRevisions.set(path, revisionId)
      imported.totals[`${kind}s`]++
      const tags = step.isChanged ? [] : await addTags(ctx, { slot, step, provenance }, task.signal)
      const said = saidOf(step, tags)
      if (said) task.log(`${said}: ${path}`)
    } catch (error) {
      const reason = refusalOf(error)
      if (reason === undefined) throw error
      refuse([{ path, reason }])
    }
    const done = index + 1
    task.progress(
      fetchedPercent + ((100 - fetchedPercent) * done) / steps.length,
      `${done} of ${steps.length} figures and assets`,
    )
  }
  await ctx.write((db) => setImportedCommit(db, row.id, head.id))
}

async function readRules(repository: Repository, files: RepositoryFile[]): Promise<Rules> {
  const file = files.find(({ path }) => path === rulesPath)
  if (!file) return noRules
  if (file.sizeBytes > rulesBytesMax)
    throw new RulesError(`${rulesPath} must have at most ${rulesBytesMax} bytes`)
  return parseRules(await readText(repository, file.blobId, rulesBytesMax))
}

async function select(files: RepositoryFile[], patterns: Patterns[], signal: AbortSignal) {
  const included: RepositoryFile[] = []
  for (let at = 0; at < files.length; at += filesAtOnce) {
    for (const file of files.slice(at, at + filesAtOnce))
      if (isIncluded(file.path, patterns)) included.push(file)
    await new Promise(setImmediate)
    signal.throwIfAborted()
  }
  return included
}

function saidOf({ slot, isRenamed, isChanged }: Step<GitSlotRow>, tags: string[]): string {
  if (!slot?.content) return 'new'
  const said = [
    isChanged && 'changed',
    isRenamed && `renamed from ${slot.path}`,
    tags.length > 0 && `tagged ${tags.join(', ')}`,
  ]
  return said.filter(Boolean).join(' and ')
}
