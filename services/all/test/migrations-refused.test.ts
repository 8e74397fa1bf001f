import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Migration } from '@figbase/kit/db'
import { Lifecycle } from '@figbase/kit/service'
import { createTestDatabase } from '@figbase/kit/testing'
import pg from 'pg'
import { examine, objectionsTo } from './support/migrations/examine.js'
import { changesOf } from './support/migrations/forward-only.js'
import { restoreSnapshot } from './support/migrations/restore.js'
import type { Schema } from './support/migrations/schemas.js'
import { readSnapshot, type SnapshotSchema } from './support/migrations/snapshot.js'
import { refusedOf } from './support/migrations/statements.js'

const lifecycle = new Lifecycle()
const snapshot = await readSnapshot()
let client: pg.Client
before(async () => {
  const database = await createTestDatabase()
  lifecycle.onStop(() => database[Symbol.asyncDispose]())
  await restoreSnapshot(database.url, snapshot)
  client = new pg.Client(database.url)
  await client.connect()
  lifecycle.onStop(() => client.end())
})
after(() => lifecycle[Symbol.asyncDispose]())

/** Examines a migration, and rolls it back. */
async function found(schema: string, changes: Omit<Migration, 'name'>) {
  const migration = { name: '9999', ...changes }
  try {
    const examined = await examine(client, [schema], schema, migration)
    const statements = snapshot.schemas.find(({ name }) => name === schema)?.statements ?? []
    const refused = await refusedOf(client, schema, statements)
    const objections = objectionsTo(migration, examined, snapshot.version)
    return { ...examined, objections, refused: refused.map(({ why }) => why) }
  } finally {
    await client.query('rollback')
  }
}

type Refused = {
  what: string
  schema: string
  sql: string
  breaks?: RegExp
  blocks?: RegExp
  refused?: RegExp
}

const bad: Refused[] = [
  {
    what: 'drops a column',
    schema: 'catalog',
    sql: 'alter table node drop column description',
    breaks: /^column catalog.node.description was removed$/,
    refused: /column .*description.* does not exist/,
  },
  {
    what: 'renames a column',
    schema: 'identity',
    sql: 'alter table account rename first_name to given_name',
    breaks: /^column identity.account.first_name was removed$/,
    refused: /first_name.* does not exist/,
  },
  {
    what: 'renames a table',
    schema: 'comments',
    sql: 'alter table comment rename to remark',
    breaks: /^table comments.comment was removed$/,
    refused: /relation "comment" does not exist/,
  },
  {
    what: 'adds a required column',
    schema: 'catalog',
    sql: `alter table node add column colour text not null default '';
          alter table node alter column colour drop default`,
    breaks: /^column catalog.node.colour rejects rows of the previous version/,
  },
  {
    what: 'drops a default',
    schema: 'comments',
    sql: 'alter table outbox alter column published_on drop default',
    breaks: /^column comments.outbox.published_on changed/,
  },
  {
    what: 'narrows a type',
    schema: 'catalog',
    sql: 'alter table node alter column name type varchar(500)',
    breaks: /^column catalog.node.name changed: character varying\(500\)/,
    blocks: /^catalog.node is rewritten, which blocks all access/,
  },
  {
    what: 'adds a check constraint',
    schema: 'catalog',
    sql: 'alter table node add constraint node_name_check check (length(name) < 500) not valid',
    breaks: /^constraint node_name_check of catalog.node rejects rows of the previous version/,
  },
  {
    what: 'adds a unique index',
    schema: 'revisions',
    sql: 'create unique index blob_size_key on blob (id, size_bytes)',
    breaks: /^index revisions.blob_size_key rejects rows of the previous version/,
  },
  {
    what: 'renames a constraint used in error handling',
    schema: 'identity',
    sql: 'alter index account_username_lower_key rename to account_name_key',
    breaks: /^index identity.account_username_lower_key was removed$/,
  },
  {
    what: 'drops the constraint of an upsert',
    schema: 'comments',
    sql: 'alter table mention drop constraint mention_pkey',
    breaks: /^constraint mention_pkey of comments.mention was removed$/,
    refused: /mention_pkey.* does not exist/,
  },
  {
    what: 'drops the index of an upsert',
    schema: 'catalog',
    sql: 'alter table container_storage drop constraint container_storage_pkey',
    breaks: /^index catalog.container_storage_pkey was removed$/,
    refused: /no unique or exclusion constraint matching the ON CONFLICT specification/,
  },
  {
    what: 'drops a function',
    schema: 'revisions',
    sql: 'drop function claim_jobs',
    breaks: /^function revisions.claim_jobs\(.*\) was removed$/,
    refused: /function claim_jobs\(.*\) does not exist/,
  },
  {
    what: 'creates an index that blocks writes',
    schema: 'catalog',
    sql: 'create index node_name_idx on node (name)',
    blocks: /^all of catalog.node is scanned while writes are blocked to catalog.node$/,
  },
  {
    what: 'validates all rows while blocking writes',
    schema: 'catalog',
    sql: `alter table node add column colour text check (length(colour) < 9)`,
    blocks: /^all of catalog.node is scanned/,
  },
  {
    what: 'adds a column with a volatile default',
    schema: 'comments',
    sql: 'alter table comment add column token uuid default gen_random_uuid()',
    blocks: /^comments.comment is rewritten, which blocks all access/,
  },
  {
    what: 'fills a new column',
    schema: 'catalog',
    sql: 'alter table node add column title text; update node set title = name',
    blocks: /^rows of catalog.node are updated and stay locked/,
  },
  {
    what: 'reads another table while blocking writes',
    schema: 'catalog',
    sql: `alter table node add column colour text;
          create table colour as select distinct action from activity`,
    blocks: /^all of catalog.activity is scanned while writes are blocked to catalog.node$/,
  },
  {
    what: 'changes stored values',
    schema: 'comments',
    sql: 'update comment set content = upper(content)',
    breaks: /^\d+ rows of comments.comment were changed or deleted$/,
    blocks: /^rows of comments.comment are updated/,
  },
  {
    what: 'empties a table',
    schema: 'catalog',
    sql: 'truncate activity',
    breaks: /^\d+ rows of catalog.activity were changed or deleted$/,
    blocks: /^catalog.activity is rewritten, which blocks all access/,
  },
]

describe('rejects a migration that', () => {
  for (const { what, schema, sql, ...expected } of bad) {
    test(what, async () => {
      const all = await found(schema, { sql })
      assert.notDeepEqual(all.objections, [])
      for (const kind of ['breaks', 'blocks', 'refused'] as const) {
        const pattern = expected[kind]
        if (pattern) {
          assert.ok(
            all[kind].some((text) => pattern.test(text)),
            JSON.stringify(all, undefined, 2),
          )
        }
      }
    })
  }

  test('runs other than concurrent statements outside a transaction', async () => {
    const sql = 'alter table comment add column colour text'
    try {
      const { blocks } = await found('comments', { sql, inTransaction: false })
      assert.equal(blocks.length, 1)
    } finally {
      await client.query('alter table comments.comment drop column if exists colour')
    }
  })
})

const good: [string, string, Omit<Migration, 'name'>][] = [
  ['adds a nullable column', 'catalog', { sql: 'alter table node add column colour text' }],
  [
    'adds a column with a constant default',
    'catalog',
    { sql: `alter table node add column colour text not null default 'red'` },
  ],
  [
    'creates a table filled from others',
    'catalog',
    { sql: 'create table colour as select id, name from node; create index on colour (name)' },
  ],
  [
    'adds a constraint on a new column',
    'catalog',
    {
      sql: `alter table node add column colour text;
            alter table node add constraint node_colour_check check (length(colour) < 9) not valid`,
    },
  ],
  [
    'validates a constraint',
    'catalog',
    {
      sql: 'alter table node validate constraint node_state_check',
    },
  ],
  ['updates a small table', 'catalog', { sql: `update plan set name = name || ''` }],
]

const nothing = { breaks: [], blocks: [], refused: [], objections: [] }

describe('accepts a migration that', () => {
  for (const [what, schema, migration] of good) {
    test(what, async () => {
      assert.deepEqual(await found(schema, migration), nothing)
    })
  }

  test('creates an index concurrently', async () => {
    const sql = 'create index concurrently comment_content_idx on comment (id, content)'
    try {
      assert.deepEqual(await found('comments', { sql, inTransaction: false }), nothing)
    } finally {
      await client.query('drop index comments.comment_content_idx')
    }
  })
})

describe('a contract migration', () => {
  const sql = 'drop index invitation_inviter_idx'

  test('may remove what is unused since the previous version', async () => {
    const { breaks, objections, refused } = await found('catalog', {
      sql,
      contract: snapshot.version,
    })
    assert.deepEqual(breaks, ['index catalog.invitation_inviter_idx was removed'])
    assert.deepEqual([objections, refused], [[], []])
  })

  test('is rejected when only this version stopped using it', async () => {
    const { objections } = await found('catalog', { sql, contract: '999.0.0' })
    assert.equal(objections.length, 1)
  })

  test('is rejected when statements of the previous version fail', async () => {
    const { objections, refused } = await found('catalog', {
      sql: 'drop table site_rule',
      contract: snapshot.version,
    })
    assert.deepEqual(objections, [])
    assert.match(refused.join(), /relation "site_rule" does not exist/)
  })
})

describe('applied migrations', () => {
  const applied = ['a', 'b'].map((name) => ({ name, sql: `select '${name}'` }))
  const [a, b] = applied
  assert.ok(a && b)
  const before: SnapshotSchema[] = [
    { name: 's', migrations: applied, constraints: [], statements: [] },
  ]
  const now = (...lists: Migration[][]): Schema[] => [{ name: 's', lists, constraints: [] }]
  const fresh = { name: 'c', sql: 'select' }

  test('may be followed by new ones in each list', () => {
    assert.deepEqual(changesOf(before, now(applied)), [])
    assert.deepEqual(changesOf(before, now([...applied, fresh])), [])
    assert.deepEqual(changesOf(before, now([a, fresh], [b])), [])
  })

  test('may not be edited, reordered, removed or preceded', () => {
    const edited = { ...b, sql: `${b.sql} ` }
    assert.deepEqual(changesOf(before, now([a, edited])), ['s: b was edited'])
    assert.deepEqual(changesOf(before, now([b, a])), ['s: the order was changed'])
    assert.deepEqual(changesOf(before, now([a])), ['s: b was removed'])
    assert.deepEqual(changesOf(before, []), ['s: a was removed', 's: b was removed'])
    assert.deepEqual(changesOf(before, now([a, fresh, b])), ['s: c precedes an applied migration'])
  })
})
