import { statement } from '@figbase/kit/db'
import type { Db, StoryRow, Tx, VersionRow } from '../db/schema.js'
import { type Content, contentBytes } from '../domain/content.js'
import type { Opened } from '../domain/opened.js'

const storyColumns = `
  s.id, s.version, s.size_bytes, s.generation_status, s.revisions_visible, s.opened, s.created_by, s.created_on,
  s.is_silent, s.is_activated`

const versionColumns = `
  v.name, v.description, v.revision_ids, v.slides, v.saved_by, v.saved_on`

/** A story with its current version. */
export type CurrentStory = StoryRow & Omit<VersionRow, 'story_id' | 'version' | 'size_bytes'>

const found = statement<CurrentStory>(`
  select ${storyColumns}, ${versionColumns}
    from story s join story_version v on v.story_id = s.id and v.version = s.version
   where s.id = $1`)

/** Uses story_pkey and story_version_pkey. */
export async function findStory(db: Db, id: string): Promise<CurrentStory | undefined> {
  return (await found(db, id))[0]
}

const slides = statement<Pick<VersionRow, 'story_id' | 'slides'>>(`
  select v.story_id, v.slides from story s join story_version v on v.story_id = s.id and v.version = s.version
   where s.id = any($1::uuid[])`)

/** The slides of the current versions, in any order. Uses story_pkey and story_version_pkey. */
export function listSlides(
  db: Db,
  ids: string[],
): Promise<Pick<VersionRow, 'story_id' | 'slides'>[]> {
  return slides(db, ids)
}

const telling = statement<{ story_id: string }>(`
  select v.story_id from story_version v
   where v.revision_ids @> array[$1::uuid] and v.version = (select s.version from story s where s.id = v.story_id)
   order by v.saved_on desc, v.story_id limit $2`)

/**
 * The stories whose current version tells a revision, the last changed first. Uses story_version_revisions_idx and
 * story_pkey.
 */
export async function listTelling(db: Db, revisionId: string, limit: number): Promise<string[]> {
  return (await telling(db, revisionId, limit)).map((row) => row.story_id)
}

const locked = statement<never>('select from story where id = $1 for no key update')

/**
 * Locks the story until the transaction ends, so that its versions are saved one after the other. The version is read
 * afterwards: the statement that waited for the lock does not see versions that were saved meanwhile.
 */
export async function findStoryLocked(tx: Tx, id: string): Promise<CurrentStory | undefined> {
  await locked(tx, id)
  return findStory(tx, id)
}

type NewStory = {
  id: string
  createdBy: string
  /** ISO 8601 */
  createdOn: string
  isSilent: boolean
}

type InsertedStory = NewStory & VersionValues

const inserted = statement<{ saved_on: string }, InsertedStory>(`
  with made as (
    insert into story (id, version, size_bytes, created_by, created_on, is_silent)
    values (:id, 1, :sizeBytes, :createdBy, :createdOn, :isSilent)
    returning id
  )
  insert into story_version (story_id, version, name, description, revision_ids, slides, size_bytes, saved_by, saved_on)
  select m.id, 1, :name, :description, :revisionIds::uuid[], :slides, :sizeBytes, :createdBy, :createdOn from made m
  returning saved_on`)

/** Inserts a story with its first version, and returns the time of the creation. */
export async function insertStory(tx: Tx, story: NewStory, content: Content): Promise<string> {
  const [row] = await inserted(tx, { ...story, ...versionValues(content) })
  if (!row) throw new Error('the story was not inserted')
  return row.saved_on
}

type VersionValues = Pick<Content, 'name' | 'description' | 'revisionIds'> & {
  slides: string
  sizeBytes: number
}

const versionValues = (content: Content): VersionValues => ({
  name: content.name,
  description: content.description,
  revisionIds: content.revisionIds,
  slides: JSON.stringify(content.slides),
  sizeBytes: contentBytes(content),
})

export type NewVersion = {
  storyId: string
  /** The id of catalog's reservation. */
  updateId: string
  savedBy: string
  /** ISO 8601, from catalog */
  savedOn: string
  isSilent: boolean
  revisionsVisible: boolean
  opened: Opened
  /** For the activity entry. */
  note: string
  versionsMax: number
  reservedForMs: number
}

export type SavedVersion = { version: number; size_bytes: bigint; saved_on: string }

type SavedValues = Omit<NewVersion, 'opened'> & { opened: string } & VersionValues

// Times of the versions do not go back, although catalog may have reserved them in another order.
const saved = statement<SavedVersion, SavedValues>(`
  with before as materialized (
    select s.id, s.version, v.saved_on
      from story s join story_version v on v.story_id = s.id and v.version = s.version
     where s.id = :storyId and :savedOn::timestamptz > clock_timestamp() - :reservedForMs::bigint * interval '1 ms'
  ), gone as (
    delete from story_version v using before b
     where v.story_id = b.id and v.version <= b.version + 1 - :versionsMax::int
    returning v.size_bytes
  ), made as (
    insert into story_version (story_id, version, name, description, revision_ids, slides, size_bytes, saved_by, saved_on)
    select b.id, b.version + 1, :name, :description, :revisionIds::uuid[], :slides, :sizeBytes, :savedBy,
           greatest(b.saved_on, :savedOn::timestamptz)
      from before b
    returning story_id, version, saved_on
  ), noted as (
    insert into story_update (id, story_id, author, is_silent, note)
    select :updateId, m.story_id, :savedBy, :isSilent::boolean, :note from made m
  )
  update story s
     set version = m.version, revisions_visible = :revisionsVisible::boolean, opened = :opened,
         size_bytes = s.size_bytes + :sizeBytes::bigint - coalesce((select sum(g.size_bytes) from gone g), 0)
    from made m where s.id = m.story_id
  returning s.version, s.size_bytes, m.saved_on`)

/**
 * Saves a version of a locked story. Undefined if the reservation is so old that catalog may have given it up. Uses
 * story_pkey and story_version_pkey.
 */
export async function saveVersion(
  tx: Tx,
  version: NewVersion,
  content: Content,
): Promise<SavedVersion | undefined> {
  const opened = JSON.stringify(version.opened)
  return (await saved(tx, { ...version, opened, ...versionValues(content) }))[0]
}

const activated = statement<never>('update story set is_activated = true where id = $1')

export async function markActivated(db: Db, id: string): Promise<void> {
  await activated(db, id)
}

const removed = statement<never>('delete from story where id = any($1::uuid[])')

/** Deletes stories with their versions. */
export async function deleteStories(db: Db, ids: string[]): Promise<void> {
  await removed(db, ids)
}

const existing = statement<{ id: string }>(`
  select id from story where id = any($1::uuid[])
  union all
  select id from story_update where id = any($1::uuid[])`)

/** Ids of stories and of committed updates. Uses story_pkey and story_update_pkey. */
export async function listExistingIds(db: Db, ids: string[]): Promise<string[]> {
  return (await existing(db, ids)).map(({ id }) => id)
}
