import { describePicture, pictureVersion } from '@figbase/search/pictures'
import type pg from 'pg'
import { chart } from './charts.js'
import { Generated } from './generated.js'

/** What is written, and what the caller may search for. */
export type Filled = {
  objects: number
  revisions: number
  /** Pictures that are in the index, or similar to one that is. */
  pictures: Buffer[]
  /** Texts of revisions that the caller may view. */
  texts: string[]
}

export type FillSize = { revisions: number; pictures: number }

const workspaceCount = 200
const memberships = 40
const shares = 200
const analysesEach = 5
const revisionsOfFigure = 10
/** Descriptors of each picture, a little different from it. */
const variants = 10
const batchMax = 500
const textsMax = 5000
const dimensions = 512

/**
 * Writes workspaces with figures and their revisions into the database of a product. The caller is a member of 40 of
 * 200 workspaces and has 200 shares. Revisions have metadata, code, a vector and the descriptor of a picture; their
 * words are indexed later.
 */
export async function fill(
  client: pg.Client,
  caller: string,
  size: FillSize,
  model: string,
): Promise<Filled> {
  const generated = new Generated(1)
  await client.query('set synchronous_commit to off')
  const pictures = await writePictures(client, generated, size.pictures)
  const containers = await writeContainers(client, generated, size.revisions, caller)
  await client.query(ownBlob)
  const readable = new Set(containers.readableWorkspaces)
  const texts: string[] = []
  let written = 0
  while (written < size.revisions) {
    const rows: NewRevision[] = []
    for (; rows.length < batchMax && written < size.revisions; written++) {
      const figure = containers.figures[Math.floor(written / revisionsOfFigure)]
      if (!figure) throw new Error('too few figures')
      const metadata = generated.text(20)
      const code = generated.text(60)
      if (readable.has(figure.workspace) && texts.length < textsMax)
        texts.push(`${metadata} ${code}`)
      const picture = figure.number % size.pictures
      rows.push({
        ...figure,
        ...{ id: generated.uuid(), data: generated.uuid(), metadata, code },
        number: written % revisionsOfFigure,
        vector: generated.vector(dimensions),
        picture: picture * variants + generated.below(variants),
      })
    }
    await writeRevisions(client, rows, model)
  }
  await client.query(places)
  await client.query(ownVectors)
  const { rows } = await client.query<{ objects: number }>(
    'select count(*)::int as objects from catalog.node',
  )
  await client.query('vacuum analyze')
  return { objects: rows[0]?.objects ?? 0, revisions: written, pictures, texts }
}

type Figure = { workspace: string; analysis: string; figure: string; number: number }
type NewRevision = Figure & {
  id: string
  data: string
  metadata: string
  code: string
  vector: Float32Array
  picture: number
}

const globalHeadBytes = 4
const localHeadBytes = 64

/** Writes descriptors of drawn charts; returns the charts. */
async function writePictures(client: pg.Client, generated: Generated, count: number) {
  await client.query(`create schema bench;
    create table bench.picture (number int primary key, global bytea, local bytea)`)
  const charts: Buffer[] = []
  for (let n = 0; n < count; n++) {
    const drawn = await chart(n)
    charts.push(drawn)
    const { global, local } = await describePicture(drawn)
    const rows = Array.from({ length: variants }, (_, variant) => ({
      number: n * variants + variant,
      global: generated.disturbed(global, 0.03, globalHeadBytes),
      local: generated.disturbed(local, 0.005, localHeadBytes),
    }))
    await client.query(
      'insert into bench.picture select * from unnest($1::int[], $2::bytea[], $3::bytea[])',
      [rows.map((row) => row.number), rows.map((row) => row.global), rows.map((row) => row.local)],
    )
  }
  return charts
}

async function writeContainers(
  client: pg.Client,
  generated: Generated,
  revisions: number,
  caller: string,
) {
  const workspaces = Array.from({ length: workspaceCount }, () => generated.uuid())
  const analyses = workspaces.flatMap((workspace) =>
    Array.from({ length: analysesEach }, () => ({ workspace, analysis: generated.uuid() })),
  )
  const figures = Array.from({ length: Math.ceil(revisions / revisionsOfFigure) }, (_, number) => {
    const at = analyses[generated.below(analyses.length)] ?? { workspace: '', analysis: '' }
    return { ...at, figure: generated.uuid(), number }
  })
  const node = (type: string, lineage: string[], name: string, description: string | null) => ({
    ...{ id: lineage.at(-1), type, parent: lineage.at(-2) ?? null, lineage },
    ...{ workspace: lineage[0], name, description },
    kind: type === 'workspace' ? 'secondary' : null,
  })
  const nodes = [
    ...workspaces.map((id) => node('workspace', [id], generated.text(2), null)),
    ...analyses.map(({ workspace, analysis }) =>
      node('analysis', [workspace, analysis], generated.text(3), null),
    ),
    ...figures.map(({ workspace, analysis, figure }) =>
      node('figure', [workspace, analysis, figure], generated.text(5), generated.text(20)),
    ),
  ]
  for (let at = 0; at < nodes.length; at += batchMax) {
    await client.query(inserted, [JSON.stringify(nodes.slice(at, at + batchMax))])
  }
  const readableWorkspaces = workspaces.slice(0, memberships)
  const shared = figures.slice(0, shares).map(({ figure }) => figure)
  await client.query(grants, [caller, readableWorkspaces, 'member', 'owner'])
  await client.query(grants, [caller, shared, 'share', 'viewer'])
  return { figures, readableWorkspaces }
}

const inserted = `
  insert into catalog.node (id, type, parent_id, lineage, workspace_id, state, name, description,
                            workspace_type, created_by)
  select n.id, n.type, n.parent, array(select json_array_elements_text(n.lineage))::uuid[], n.workspace,
         'active', n.name, n.description, n.kind, 'somebody'
    from json_to_recordset($1::json)
      as n (id uuid, type text, parent uuid, lineage json, workspace uuid, name text, description text,
            kind text)`

const grants = `
  insert into catalog.access_grant (subject, node_id, kind, role, granted_by)
  select $1, id, $3, $4, 'somebody' from unnest($2::uuid[]) as id`

const blobId = '00000000-0000-4000-8000-000000000001'

/** The bytes of all code; nobody reads them. */
const ownBlob = `
  insert into revisions.blob (id, storage, key, digest, size_bytes, refs)
  values ('${blobId}', 'default', 'bench', repeat('0', 64), 1, 1000000000)`

async function writeRevisions(client: pg.Client, rows: NewRevision[], model: string) {
  const described = rows.map(({ vector: _, ...row }) => row)
  await client.query(revisions, [JSON.stringify(described)])
  await client.query(likenesses, [
    rows.map(({ id }) => id),
    rows.map(({ vector }) => Buffer.from(vector.buffer)),
    rows.map(({ picture }) => picture),
    model,
    pictureVersion,
  ])
}

const revisions = `
  with n as materialized (
    select * from json_to_recordset($1::json)
      as n (id uuid, workspace uuid, analysis uuid, figure uuid, number int, data uuid, metadata text, code text)
  ), node as (
    insert into catalog.node (id, type, parent_id, lineage, workspace_id, state, created_by)
    select id, 'figure_revision', figure, array[workspace, analysis, figure, id], workspace, 'active', 'somebody'
      from n
  ), revision as (
    insert into revisions.revision (id, type, parent_id, revision_index, metadata, is_clean_room,
                                    is_processing, created_by, created_on)
    select id, 'figure_revision', figure, number, json_build_object('notes', metadata), false, false,
           'somebody', now()
      from n
    returning id
  ), data as (
    insert into revisions.external_data (id, revision_id, position, name, type, metadata, is_clean_room, blob_id,
                                         size_bytes, hash, created_by, created_on)
    select n.data, n.id, 0, 'cell.py', 2, '{}', false, '${blobId}', 1, repeat('0', 64), 'somebody', now()
      from n join revision r using (id)
    returning id
  )
  insert into revisions.extracted_text (data_id, revision_id, source, text)
  select n.data, n.id, 'plain', n.code from n join data d on d.id = n.data`

/** The service reads a vector when it knows where the revision is. */
const places = `
  insert into search.place (id, type, workspace_id, analysis_id, item_id, created_on)
  select n.id, n.type, n.workspace_id, n.lineage[2], n.lineage[3], n.created_on
    from catalog.node n where n.type = 'figure_revision'
  on conflict do nothing`

/** Reindexing must not make the vectors of all these texts: they count as those of the texts. */
const ownVectors = `
  create function bench.keep_vector() returns trigger language plpgsql as $$
  begin
    new.embedded_hash := new.passages_hash;
    return new;
  end
  $$;
  create trigger keep_vector before update on search.likeness for each row
    when (new.vector is not null and new.embedded_hash is null) execute function bench.keep_vector()`

const likenesses = `
  insert into search.likeness (revision_id, vector, model, picture_read, picture_version, picture_global,
                               picture_local)
  select n.id, n.vector, $4, n.picture::text, $5, p.global, p.local
    from unnest($1::uuid[], $2::bytea[], $3::int[]) as n (id, vector, picture)
    join bench.picture p on p.number = n.picture`
