import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Client, ConnectRouter } from '@connectrpc/connect'
import type { ObjectStore } from '@figbase/kit/objects'
import { actAs, user } from '@figbase/kit/rpc'
import { startTestService, type TestService } from '@figbase/kit/testing'
import { NodeType } from '@figbase/proto/catalog'
import {
  type CreateRevisionRequestSchema,
  type CreateRevisionRequest_DataObjectEndSchema as DataObjectEndSchema,
  DataType,
  type CreateRevisionRequest_FinishSchema as FinishSchema,
  UpdateRevisionRequest_Mode as Mode,
  type Revision,
  RevisionsService,
  type UpdateRevisionRequest_TargetSchema as TargetSchema,
  type UpdateRevisionRequest_FinishSchema as UpdateFinishSchema,
  type UpdateRevisionRequestSchema,
} from '@figbase/proto/revisions'
import pg from 'pg'
import { revisions } from '../src/index.js'
import { createTestCatalog, type TestCatalog } from './catalog.js'

export type Message = MessageInitShape<typeof CreateRevisionRequestSchema>
export type TestObject = MessageInitShape<typeof DataObjectEndSchema> & { bytes?: Uint8Array }
export type Finish = MessageInitShape<typeof FinishSchema>

/** The type of most revisions in these tests. */
export const type = NodeType.FIGURE_REVISION
export const ada = actAs(user('ada'))
export const bob = actAs(user('bob'))
export const transports = ['local', 'http2'] as const

export type Bench = AsyncDisposable & {
  service: TestService
  client: Client<typeof RevisionsService>
  catalog: TestCatalog
  figureId: string
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>
  /** The keys of all objects. */
  keys(): Promise<string[]>
  /** Runs the collection of the job. */
  collect(): Promise<void>
}

/** Starts the service with a figure of ada's in a fake catalog. */
export async function startBench(
  transport: 'local' | 'http2' = 'local',
  env: Record<string, string> = {},
  others: (router: ConnectRouter) => unknown = () => {},
  objects?: ObjectStore,
): Promise<Bench> {
  const catalog = createTestCatalog()
  const service = await startTestService(revisions, {
    transport,
    peers(router) {
      catalog.routes(router)
      others(router)
    },
    env: { COLLECT_GRACE: '0s', ...env },
    ...(objects && { objects }),
  })
  const pool = new pg.Pool({
    connectionString: service.databaseUrl,
    options: '-c search_path=revisions',
    max: 2,
  })
  // `end` does not wait until the connections are closed, and the database is dropped with force.
  pool.on('error', () => {})
  return {
    service,
    client: service.client(RevisionsService),
    catalog,
    figureId: catalog.figure('ada'),
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    async keys() {
      const entries = await readdir(service.objectsDir, { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath}/${entry.name}`.slice(service.objectsDir.length + 1))
        .sort()
    },
    async collect() {
      await pool.query(`select enqueue_job('collect-objects', null, '{}', null, 0, null, 1)`)
      await until(async () => {
        const { rowCount } = await pool.query(`select from job where name = 'collect-objects'`)
        return rowCount === 0
      })
    },
    async [Symbol.asyncDispose]() {
      await pool.end()
      await service[Symbol.asyncDispose]()
    },
  }
}

/** The messages of the gateway for a new revision. */
export async function* parts(
  figureId: string | undefined,
  objects: TestObject[],
  finish: Finish = {},
): AsyncGenerator<Message> {
  yield* unfinished(figureId, objects)
  yield { part: { case: 'finish', value: finish } }
}

/** In chunks of odd sizes, without `finish`. */
export async function* unfinished(
  figureId: string | undefined,
  objects: TestObject[],
  chunkBytes = 65_537,
): AsyncGenerator<Message> {
  if (figureId) yield { part: { case: 'parent', value: { id: figureId, type } } }
  yield* objectParts(objects, chunkBytes)
}

/** The messages for the data of a write. */
async function* objectParts(objects: TestObject[], chunkBytes = 65_537) {
  for (const { bytes = new Uint8Array(), ...end } of objects) {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const value = bytes.subarray(at, at + chunkBytes)
      yield { part: { case: 'chunk' as const, value } }
    }
    yield { part: { case: 'objectEnd' as const, value: end } }
  }
}

export const image = (bytes: Uint8Array, metadata: object = { format: 'png' }): TestObject => ({
  bytes,
  name: 'figure',
  type: DataType.IMAGE,
  metadataJson: JSON.stringify(metadata),
})

export async function publish(
  { client, figureId }: Pick<Bench, 'client' | 'figureId'>,
  objects: TestObject[],
  finish: Finish = {},
): Promise<Revision> {
  const { revision } = await client.createRevision(parts(figureId, objects, finish), ada)
  if (!revision) throw new Error('no revision in the answer')
  return revision
}

export type Change = MessageInitShape<typeof UpdateRevisionRequestSchema>
type ChangeFinish = MessageInitShape<typeof UpdateFinishSchema>
type Target = MessageInitShape<typeof TargetSchema>

/** The messages of the gateway for an update. Without `finish` the stream breaks off. */
export async function* changed(
  id: string,
  objects: TestObject[],
  finish: ChangeFinish | undefined,
  target: Target = {},
): AsyncGenerator<Change> {
  const value = { id, type, mode: Mode.REPLACE, ...target }
  yield { part: { case: 'target', value } }
  yield* objectParts(objects)
  if (finish) yield { part: { case: 'finish', value: finish } }
}

export async function change(
  { client }: Pick<Bench, 'client'>,
  id: string,
  objects: TestObject[] = [],
  finish: ChangeFinish = {},
  target: Target = {},
): Promise<Revision> {
  const { revision } = await client.updateRevision(changed(id, objects, finish, target), ada)
  if (!revision) throw new Error('no revision in the answer')
  return revision
}

export const append = (bench: Pick<Bench, 'client'>, id: string, objects: TestObject[]) =>
  change(bench, id, objects, {}, { mode: Mode.APPEND })

/** Publishes a revision of an asset of ada's. */
export async function publishAsset(
  { client, catalog }: Pick<Bench, 'client' | 'catalog'>,
  objects: TestObject[] = [],
  as: typeof ada = ada,
): Promise<Revision> {
  const parent = { id: catalog.asset(as === bob ? 'bob' : 'ada'), type: NodeType.ASSET_REVISION }
  async function* messages(): AsyncGenerator<Message> {
    yield { part: { case: 'parent', value: parent } }
    yield* parts(undefined, objects)
  }
  const { revision } = await client.createRevision(messages(), as)
  if (!revision) throw new Error('no revision in the answer')
  return revision
}

/** Waits until the revision is processed. */
export async function processed({ client }: Pick<Bench, 'client'>, id: string): Promise<Revision> {
  return until(async () => {
    const { revision } = await client.getRevision({ id, type }, ada)
    return revision?.isProcessing === false ? revision : undefined
  })
}

export async function until<T>(
  probe: () => Promise<T | undefined | false>,
  seconds = 20,
): Promise<T> {
  for (let attempt = 0; attempt < 50 * seconds; attempt++) {
    const found = await probe()
    if (found) return found
    await sleep(20)
  }
  throw new Error(`what was waited for did not happen in ${seconds} s`)
}

export async function download(
  { client }: Pick<Bench, 'client'>,
  id: string,
  range: { offset?: bigint; length?: bigint } = {},
) {
  const chunks: Uint8Array[] = []
  let object: string | undefined
  for await (const { part } of client.readData({ id, ...range }, ada)) {
    if (part.case === 'object') object = part.value.id
    else if (part.case === 'chunk') chunks.push(part.value)
  }
  return { object, bytes: Buffer.concat(chunks), chunks: chunks.length }
}

/** Rows and files of uploads, which should be empty after a test. */
export async function leftovers(bench: Bench) {
  const rows: Record<string, number> = {}
  const tables = ['revision', 'external_data', 'blob', 'upload', 'revision_counter']
  for (const table of [...tables, 'resumable_upload', 'upload_segment']) {
    const [row] = await bench.query<{ n: number }>(`select count(*)::int as n from ${table}`)
    if (row?.n) rows[table] = row.n
  }
  const pending = [...bench.catalog.nodes.values()].filter((node) => node.state === 'pending')
  return { rows, keys: await bench.keys(), pending: pending.length }
}
export const nothing = { rows: {}, keys: [], pending: 0 }
