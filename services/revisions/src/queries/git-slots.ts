import { statement } from '@figbase/kit/db'
import type { Db, GitSlotRow } from '../db/schema.js'
import {
  type ImportChanges,
  noChanges,
  type SlotContent,
  type SlotKind,
} from '../domain/git-slots.js'

const columns = `
  s.id, s.repository_id, s.kind, s.path, s.name, s.analysis_id, s.is_created, s.content, s.revision_id, s.revisions,
  s.tags`

const ofRepository = statement<GitSlotRow>(`
  select ${columns} from git_slot s where s.repository_id = $1 and (s.kind, s.path) > ($2, $3)
   order by s.kind, s.path limit $4`)

const batchRows = 1000

/** All slots of a repository, in batches. By git_slot_path_key. */
export async function listSlots(db: Db, repositoryId: string): Promise<GitSlotRow[]> {
  const slots: GitSlotRow[] = []
  for (;;) {
    const last = slots.at(-1)
    const page = await ofRepository(db, repositoryId, last?.kind ?? '', last?.path ?? '', batchRows)
    slots.push(...page)
    if (page.length < batchRows) return slots
  }
}

type NewSlot = {
  id: string
  repositoryId: string
  kind: SlotKind
  path: string
  name: string
  analysisId: string | null
}

const inserted = statement<GitSlotRow, NewSlot>(`
  insert into git_slot as s (id, repository_id, kind, path, name, analysis_id)
  values (:id, :repositoryId, :kind, :path, :name, :analysisId)
  on conflict on constraint git_slot_path_key do update set name = excluded.name, analysis_id = excluded.analysis_id
  returning ${columns}`)

/** The slot of this path: a new one, or the one that an interrupted import has left. */
export async function saveSlot(db: Db, slot: NewSlot): Promise<GitSlotRow> {
  const [row] = await inserted(db, slot)
  if (!row) throw new Error('saving a slot returned no row')
  return row
}

const created = statement<never>('update git_slot set is_created = true where id = $1')

export async function setCreated(db: Db, id: string): Promise<void> {
  await created(db, id)
}

type Place = {
  id: string
  path: string
  name: string
  analysisId: string | null
  importId: string
}

const moved = statement<never, Place>(`
  update git_slot
     set path = :path, name = :name, analysis_id = :analysisId,
         renamed_by_import = case when path = :path then renamed_by_import else :importId::uuid end
   where id = :id`)

export async function moveSlot(db: Db, place: Place): Promise<void> {
  await moved(db, place)
}

type Published = {
  id: string
  revisionId: string
  content: string
  revisions: number
  importId: string
  tags: string[]
}

const published = statement<never, Published>(`
  update git_slot
     set content = :content::json, revision_id = :revisionId::uuid, revisions = :revisions + 1, tags = :tags::text[],
         created_by_import = case when content is null then :importId::uuid else created_by_import end,
         changed_by_import = case when content is null then changed_by_import else :importId::uuid end
   where id = :id and revisions = :revisions`)

/** Stores a new revision of a slot that had so many before. */
export async function setPublished(
  db: Db,
  { id, revisions }: Pick<GitSlotRow, 'id' | 'revisions'>,
  importId: string,
  { revisionId, content, tags }: Pick<Published, 'revisionId' | 'tags'> & { content: SlotContent },
): Promise<void> {
  const json = JSON.stringify(content)
  await published(db, { id, revisions, revisionId, content: json, importId, tags })
}

const tagged = statement<never>('update git_slot set tags = $2::text[] where id = $1')

export async function setTags(db: Db, id: string, tags: string[]): Promise<void> {
  await tagged(db, id, tags)
}

const renamedFiles = statement<never>('update git_slot set content = $2::json where id = $1')

/** The files have other paths and the same bytes. */
export async function setContent(db: Db, id: string, content: SlotContent): Promise<void> {
  await renamedFiles(db, id, JSON.stringify(content))
}

type KindChanges = { kind: 'figure' | 'asset'; created: number; changed: number; renamed: number }

const changes = statement<KindChanges>(`
  select kind, count(*) filter (where is_created)::int as created,
         count(*) filter (where is_changed and not is_created)::int as changed,
         count(*) filter (where is_renamed and not is_created)::int as renamed
    from (
      select kind, created_by_import is not distinct from $2 as is_created,
             changed_by_import is not distinct from $2 as is_changed,
             renamed_by_import is not distinct from $2 as is_renamed
        from git_slot where repository_id = $1 and kind <> 'analysis'
    ) s
   group by kind`)

/** What all attempts of an import have changed. By git_slot_path_key. */
export async function countChanges(
  db: Db,
  repositoryId: string,
  importId: string,
): Promise<ImportChanges> {
  const counted = { ...noChanges }
  for (const { kind, created, changed, renamed } of await changes(db, repositoryId, importId)) {
    counted[`${kind}sCreated`] = created
    counted[`${kind}sChanged`] = changed
    counted[`${kind}sRenamed`] = renamed
  }
  return counted
}
