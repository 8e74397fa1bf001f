import { statement } from '@figbase/kit/db'
import type { Db, Tx } from '../db/schema.js'
import { toJson } from '../db/to-json.js'

export type Described = { id: string; passages: string[]; hash: string; picture: string }

const described = statement<
  { id: string; must_embed: boolean; must_read: boolean },
  { rows: string; model: string | undefined; version: number }
>(`
  insert into likeness as l (revision_id, passages, passages_hash, picture)
  select n.id, n.passages, n.hash, n.picture
    from json_to_recordset(:rows::json) as n (id uuid, passages json, hash text, picture text)
   order by n.id
  on conflict (revision_id) do update
    set passages = excluded.passages, passages_hash = excluded.passages_hash, picture = excluded.picture
  returning l.revision_id as id,
    :model::text is not null
      and (l.embedded_hash, l.model) is distinct from (l.passages_hash, :model::text) as must_embed,
    l.picture <> '' and (l.picture_read, l.picture_version) is distinct from (l.picture, :version::int)
      as must_read`)

/** Saves what is known; returns which vectors and pictures are outdated. Uses likeness_pkey. */
export async function saveDescribed(
  db: Db,
  rows: Described[],
  model: string | undefined,
  version: number,
) {
  return described(db, { rows: toJson(rows), model, version })
}

const passages = statement<{ passages: string[]; hash: string }>(`
  select passages, passages_hash as hash from likeness where revision_id = $1`)

export async function readPassages(db: Db, id: string) {
  return (await passages(db, id))[0]
}

type Embedded = {
  id: string
  hash: string
  model: string
  vector: Buffer | null
  problem: string | null
}

const embedded = statement<never, Embedded>(`
  update likeness set embedded_hash = :hash, model = :model, vector = :vector::bytea,
         problem = coalesce(:problem, problem), changed_on = clock_timestamp()
   where revision_id = :id and passages_hash = :hash`)

/** Does nothing if the texts have changed meanwhile. */
export async function saveVector(db: Db, values: Embedded): Promise<void> {
  await embedded(db, values)
}

const vectors = statement<{ id: string; vector: Buffer }, { ids: string[]; model: string }>(`
  select revision_id as id, vector from likeness
   where revision_id = any(:ids::uuid[]) and model = :model::text and vector is not null`)

/** The vectors of a model, by revision. Uses likeness_pkey. */
export async function readVectors(db: Db, ids: string[], model: string) {
  if (ids.length === 0) return new Map<string, Float32Array>()
  const found = await vectors(db, { ids, model })
  return new Map(found.map(({ id, vector }) => [id, floatsOf(vector)]))
}

export const floatsOf = (bytes: Buffer): Float32Array =>
  new Float32Array(Uint8Array.from(bytes).buffer)

const pictures = statement<{ picture: string }>(
  'select picture from likeness where revision_id = $1',
)

/** The hash of the current picture of a revision; undefined: the revision is unknown. */
export async function findPicture(db: Db, id: string): Promise<string | undefined> {
  return (await pictures(db, id))[0]?.picture
}

export type ReadPicture = {
  id: string
  picture: string
  version: number
  global: Buffer | null
  local: Buffer | null
  text: string
  problem: string | null
}

const pictureRead = statement<never, ReadPicture>(`
  update likeness set picture_read = :picture, picture_version = :version::int,
         picture_global = :global::bytea, picture_local = :local::bytea, recognized_text = :text,
         problem = :problem, changed_on = clock_timestamp()
   where revision_id = :id`)

export async function savePicture(db: Db | Tx, values: ReadPicture): Promise<void> {
  await pictureRead(db, values)
}

const texts = statement<{ id: string; text: string }>(`
  select revision_id as id, recognized_text as text from likeness
   where revision_id = any($1::uuid[]) and recognized_text <> ''`)

/** The text that was recognized in pictures, by revision. Uses likeness_pkey. */
export async function readRecognizedTexts(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  return new Map((await texts(db, ids)).map(({ id, text }) => [id, text]))
}

const removed = statement<never>(`
  update likeness set passages = '[]', passages_hash = '', embedded_hash = null, model = null, vector = null,
         picture = '', picture_read = null, picture_global = null, picture_local = null,
         recognized_text = '', problem = null, changed_on = clock_timestamp()
   where revision_id = any($1::uuid[])`)

/** The rows stay without content, so that every process learns of it. */
export async function removeLikenesses(db: Db, ids: string[]): Promise<void> {
  await removed(db, ids)
}

/** The descriptor of a picture, and the revisions that have it. */
export type SharedDescriptor = { ids: string[]; version: number; local: Buffer }

const descriptors = statement<SharedDescriptor>(`
  with asked as materialized (
    select a.id, a.place, l.picture_read, l.picture_version
      from unnest($1::uuid[]) with ordinality as a (id, place)
      join likeness l on l.revision_id = a.id
     where l.picture_local is not null
  ), different as materialized (
    select array_agg(a.id::text order by a.place) as ids, min(a.place) as place
      from asked a group by a.picture_read, a.picture_version order by 2 limit $2
  )
  select d.ids, l.picture_version as version, l.picture_local as local
    from different d join likeness l on l.revision_id = (d.ids[1])::uuid
   order by d.place`)

/** The first different pictures of these revisions, in their order. Uses likeness_pkey. */
export function readDescriptors(
  db: Db,
  ids: string[],
  picturesMax: number,
): Promise<SharedDescriptor[]> {
  return descriptors(db, ids, picturesMax)
}
