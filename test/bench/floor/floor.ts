import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabase, run } from '../database.js'
import { ProcessTrees } from '../processes.js'
import type { Product } from '../product.js'
import { commentOf, fewRevisions } from '../seed.js'
import { Worker } from '../worker.js'
import type { FloorSettings } from './settings.js'

export type Floor = AsyncDisposable & {
  url: string
  trees: ProcessTrees
  /** A parent with `figureCount` figures. */
  analysis: string
  figures: string[]
  /** A parent with as many children as a figure has revisions. */
  revised: string
  /** A parent with `revisionCount` children. */
  crowd: string
  /** The target of `commentCount` comments. */
  commented: string
}

const startMs = 10_000

// The members of a figure in the product, so that both send the same.
const table = `create table figure (
  api_id uuid primary key, entity_type text default 'figure', size_bytes bigint default 0,
  created_by text default 'ada', created_on timestamptz default clock_timestamp(),
  updated_by text, updated_on timestamptz, last_activity_on timestamptz default now(),
  created_on_behalf boolean default false, created_on_behalf_name text,
  created_on_behalf_email text, child_updated_by text, child_updated_on timestamptz,
  name text, description text, is_imported boolean default false, import_source text,
  import_source_asset text, analysis uuid, auto_assign_pending boolean default false);
  create index on figure (analysis, created_on)`

const commentTable = `create table comment (
  id uuid primary key, username text default 'ada', first_name text default 'Ada',
  last_name text default 'Lovelace', date_joined timestamptz default now(), avatar text,
  using_auth0 boolean default false, content text, parent_comment_id uuid,
  target_type text default 'figure', target_id uuid, is_edited boolean default false,
  is_deleted boolean default false, created_on timestamptz default clock_timestamp(),
  updated_on timestamptz default now());
  create index on comment (target_id, created_on)`

const comments = `insert into comment (id, target_id, content)
  select gen_random_uuid(), $1, $3 from generate_series(1, $2::int)`

/** Starts the floor with its own database on the PostgreSQL of the product. */
export async function startFloor(
  product: Product,
  counts: { figureCount: number; revisions: number; comments: number },
  { thumbnail, largeFile }: { thumbnail: Uint8Array; largeFile: Uint8Array },
): Promise<Floor> {
  const databaseUrl = await createDatabase(product, 'floor')
  await run(databaseUrl, table)
  await run(databaseUrl, commentTable)
  const analysis = randomUUID()
  const crowd = randomUUID()
  const figures = Array.from({ length: counts.figureCount }, () => randomUUID())
  for (const [index, id] of figures.entries()) {
    const text = 'insert into figure (api_id, name, description, analysis) values ($1, $2, $3, $4)'
    await run(databaseUrl, text, [id, `Figure ${index}`, 'Counts over depth', analysis])
  }
  const many = `insert into figure (api_id, name, description, analysis)
    select gen_random_uuid(), 'Figure ' || n, 'Counts over depth', $1
      from generate_series(1, $2::int) n`
  const revised = randomUUID()
  await run(databaseUrl, many, [revised, String(fewRevisions)])
  await run(databaseUrl, many, [crowd, String(counts.revisions)])
  const commented = randomUUID()
  await run(databaseUrl, comments, [commented, String(counts.comments), commentOf(0)])
  await run(databaseUrl, 'vacuum analyze figure')
  await run(databaseUrl, 'vacuum analyze comment')
  const dir = join(product.dataDir, 'floor')
  await mkdir(dir)
  const file = join(dir, 'large')
  await writeFile(file, largeFile)
  const worker = new Worker('floor/server.js')
  const settings: FloorSettings = { databaseUrl, dir, file, parent: randomUUID(), thumbnail }
  const url = await worker.ask<string>(settings, startMs)
  const trees = new ProcessTrees(worker.pid, product.trees.postgres)
  return {
    url,
    trees,
    analysis,
    figures,
    revised,
    crowd,
    commented,
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}
