import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Lifecycle, openData } from '@figbase/kit/service'
import {
  createTestDatabase,
  databaseAt,
  postgres15SkipReason,
  startPostgresServer,
} from '@figbase/kit/testing'
import { startAllInOne } from '../src/all-in-one.js'
import { examine, objectionsTo } from './support/migrations/examine.js'
import { factsOf } from './support/migrations/facts.js'
import { changesOf } from './support/migrations/forward-only.js'
import { restoreSnapshot, withClient } from './support/migrations/restore.js'
import { schemas } from './support/migrations/schemas.js'
import { readSnapshot } from './support/migrations/snapshot.js'
import { refusedOf } from './support/migrations/statements.js'
import { upgrade } from './support/migrations/upgrade.js'

const lifecycle = new Lifecycle()
const snapshot = await readSnapshot()
const names = schemas.map(({ name }) => name)
/** Databases of the previous version: for single migrations, and for a whole upgrade on the oldest PostgreSQL. */
let database: string
let upgraded: string
before(async () => {
  database = await restored()
  const oldest = postgres15SkipReason() ? undefined : await startPostgresServer()
  lifecycle.onStop(() => oldest?.[Symbol.asyncDispose]())
  upgraded = await restored(oldest?.url)
})
after(() => lifecycle[Symbol.asyncDispose]())

async function restored(server?: string): Promise<string> {
  const made = await createTestDatabase(server)
  lifecycle.onStop(() => made[Symbol.asyncDispose]())
  await restoreSnapshot(made.url, snapshot)
  return made.url
}

/** Tables that stay empty. */
const empty = [
  // These services consume no events.
  ...['comments', 'revisions'].flatMap((name) =>
    ['dead_letter', 'inbox', 'parked'].map((table) => `${name}.${table}`),
  ),
  // This service publishes no events.
  'tasks.outbox_sent',
]

test('the snapshot has rows in every table', () => {
  const found = snapshot.dump.tables.filter(({ rows }) => rows.length === 0)
  assert.deepEqual(
    found.map(({ name }) => name),
    empty,
  )
})

test('applied migrations are unchanged, and new ones follow them', () => {
  assert.deepEqual(changesOf(snapshot.schemas, schemas), [])
})

test('new migrations do not break or block processes of the previous version', async (t) => {
  await withClient(database, async (client) => {
    for (const { name: schema, lists } of schemas) {
      const before = snapshot.schemas.find(({ name }) => name === schema)
      if (!before) continue
      const applied = new Set(before.migrations.map(({ name }) => name))
      for (const migration of lists.flat().filter(({ name }) => !applied.has(name))) {
        const examined = await examine(client, names, schema, migration)
        if (migration.inTransaction !== false) await client.query('commit')
        const objections = objectionsTo(migration, examined, snapshot.version)
        assert.deepEqual(objections, [], `${schema}: ${migration.name}`)
      }
    }
    let asked = 0
    for (const { name, statements, constraints } of snapshot.schemas) {
      assert.deepEqual(await refusedOf(client, name, statements), [], name)
      asked += statements.length
      const facts = [...(await factsOf(client, [name])).keys()]
      const missing = constraints.filter(
        (constraint) =>
          !facts.some(
            (fact) =>
              fact.startsWith(`constraint ${constraint} of `) ||
              fact === `index ${name}.${constraint}`,
          ),
      )
      assert.deepEqual(missing, [], `${name} uses these for error handling`)
    }
    assert.ok(asked > 0)
    t.diagnostic(`${asked} statements of version ${snapshot.version}`)
  })
})

const program = fileURLToPath(new URL('support/migrations/upgrade-process.js', import.meta.url))

/** The applied migrations, with their times. */
const appliedOf = (url: string) =>
  withClient(url, async (client) => {
    const tables = names.map(
      (name) =>
        `select '${name}' as schema, name, applied_on::text, (select count(*)::int from "${name}".at_once) as rows
           from "${name}".migration`,
    )
    const { rows } = await client.query<{ schema: string; name: string; rows: number }>(
      `${tables.join(' union all ')} order by 1, 2`,
    )
    return rows
  })

test('concurrent processes apply each migration once, whichever version starts later', async () => {
  const env = { ...process.env, DATABASE_URL: upgraded }
  const children = [1, 2].map(() => fork(program, { env }))
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))
  assert.deepEqual(codes, [0, 0])
  const applied = await appliedOf(upgraded)
  assert.deepEqual(
    applied.map(({ schema, name }) => `${schema} ${name}`),
    schemas
      .flatMap(({ name: schema, lists }) =>
        [...lists.flat().map(({ name }) => name), '9999-at-once'].map(
          (name) => `${schema} ${name}`,
        ),
      )
      .sort(),
  )
  assert.ok(applied.every(({ rows }) => rows === 1))

  // Both versions accept unknown newer migrations.
  const now = schemas.map(({ name, lists }) => ({ name, migrations: lists.flat() }))
  for (const version of [now, snapshot.schemas]) {
    await upgrade(upgraded, version)
    assert.deepEqual(await appliedOf(upgraded), applied)
  }
  for (const { name, migrations } of snapshot.schemas) {
    await using data = await openData(name, migrations, databaseAt(upgraded), {
      LOG_LEVEL: 'silent',
    })
    assert.ok(data.db)
  }
})

test('the product starts on the data of the previous version and reads it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'figbase-migrations-'))
  lifecycle.onStop(() => rm(dataDir, { recursive: true, force: true }))
  const { known } = snapshot
  await using product = await startAllInOne({
    env: { LOG_LEVEL: 'silent', PORT: '0', SHUTDOWN_TIMEOUT: '1s' },
    databaseUrl: upgraded,
    dataDir,
    secrets: { current: known.secretKey, previous: [] },
  })
  const call = async (method: string, path: string, token = '', body?: object) => {
    const response = await fetch(`${product.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return text
  }
  const api = '/api/v1.4.1'
  const { username, password, workspace, figure, revision } = known
  const { access } = JSON.parse(await call('POST', '/api/token/', '', { username, password }))
  const get = async (path: string) => JSON.parse(await call('GET', `${api}/${path}/`, access))
  const workspaces: { api_id: string; name: string }[] = await get('workspace')
  assert.equal(workspaces.find(({ api_id }) => api_id === workspace)?.name, 'Climate')
  const { revisions }: { revisions: { api_id: string }[] } = await get(`figure/${figure}`)
  assert.deepEqual(
    revisions.map(({ api_id }) => api_id),
    [revision],
  )
  const { metadata, data } = await get(`revision/${revision}`)
  assert.deepEqual([metadata, data.length], [{ seed: 42 }, 1])

  const comment = { target_type: 'figure', target_id: figure, content: 'Which unit is that?' }
  await call('POST', `${api}/comment/`, access, comment)
  await call('POST', `${api}/figure/${figure}/share/link/`, access, { enabled: true })
  const page = await call('GET', `/figure/${figure}`)
  assert.match(page, /Monthly means/)
})
