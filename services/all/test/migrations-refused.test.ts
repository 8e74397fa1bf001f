import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Lifecycle, type Migration } from '@figbase/kit'
import { createTestDatabase } from '@figbase/kit/testing'
import pg from 'pg'
import { examine, objectionsTo } from './migrations/examine.js'
import { changesOf } from './migrations/forward-only.js'
import { restoreSnapshot } from './migrations/restore.js'
import type { Schema } from './migrations/schemas.js'
import { readSnapshot, type SnapshotSchema } from './migrations/snapshot.js'
import { refusedOf } from './migrations/statements.js'

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

/** What is found out about a migration, which is then undone. */
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
    breaks: /^column catalog.node.description is gone$/,
    refused: /column .*description.* does not exist/,
  },
  {
    what: 'renames a column',
    schema: 'identity',
    sql: 'alter table account rename first_name to given_name',
    breaks: /^column identity.account.first_name is gone$/,
    refused: /first_name.* does not exist/,
  },
  {
    what: 'renames a table',
    schema: 'comments',
    sql: 'alter table comment rename to remark',
    breaks: /^table comments.comment is gone$/,
    refused: /relation "comment" does not exist/,
  },
  {
    what: 'adds a column that must be given',
    schema: 'catalog',
    sql: `alter table node add column colour text not null default '';
          alter table node alter column colour drop default`,
    breaks: /^column catalog.node.colour refuses what was written before/,
  },
  {
    what: 'drops a default',
    schema: 'comments',
    sql: 'alter table outbox alter column published_on drop default',
    breaks: /^column comments.outbox.published_on is other than it was/,
  },
  {
    what: 'narrows a type',
    schema: 'catalog',
    sql: 'alter table node alter column name type varchar(500)',
    breaks: /^column catalog.node.name is other than it was: character varying\(500\)/,
    blocks: /^catalog.node is written anew/,
  },
  {
    what: 'narrows what may be written',
    schema: 'catalog',
    sql: 'alter table node add constraint node_name_check check (length(name) < 500) not valid',
    breaks: /^constraint node_name_check of catalog.node refuses what was written before/,
  },
  {
    what: 'allows something only once',
    schema: 'revisions',
    sql: 'create unique index blob_size_key on blob (id, size_bytes)',
    breaks: /^index revisions.blob_size_key refuses what was written before/,
  },
  {
    what: 'renames a constraint that errors are known by',
    schema: 'identity',
    sql: 'alter index account_username_lower_key rename to account_name_key',
    breaks: /^index identity.account_username_lower_key is gone$/,
  },
  {
    what: 'drops the constraint of an upsert',
    schema: 'comments',
    sql: 'alter table mention drop constraint mention_pkey',
    breaks: /^constraint mention_pkey of comments.mention is gone$/,
    refused: /mention_pkey.* does not exist/,
  },
  {
    what: 'drops the index of an upsert',
    schema: 'catalog',
    sql: 'alter table container_storage drop constraint container_storage_pkey',
    breaks: /^index catalog.container_storage_pkey is gone$/,
    refused: /no unique or exclusion constraint matching the ON CONFLICT specification/,
  },
  {
    what: 'drops a function',
    schema: 'revisions',
    sql: 'drop function claim_jobs',
    breaks: /^function revisions.claim_jobs\(.*\) is gone$/,
    refused: /function claim_jobs\(.*\) does not exist/,
  },
  {
    what: 'makes an index while nobody can write',
    schema: 'catalog',
    sql: 'create index node_name_idx on node (name)',
    blocks: /^all of catalog.node is read, while nobody can write to catalog.node$/,
  },
  {
    what: 'checks all rows while nobody can write',
    schema: 'catalog',
    sql: `alter table node add column colour text check (length(colour) < 9)`,
    blocks: /^all of catalog.node is read/,
  },
  {
    what: 'adds a column with a value of its own in each row',
    schema: 'comments',
    sql: 'alter table comment add column token uuid default gen_random_uuid()',
    blocks: /^comments.comment is written anew/,
  },
  {
    what: 'fills a new column',
    schema: 'catalog',
    sql: 'alter table node add column title text; update node set title = name',
    blocks: /^rows of catalog.node are changed, and stay locked/,
  },
  {
    what: 'reads another table while nobody can write',
    schema: 'catalog',
    sql: `alter table node add column colour text;
          create table colour as select distinct action from activity`,
    blocks: /^all of catalog.activity is read, while nobody can write to catalog.node$/,
  },
  {
    what: 'changes what was stored',
    schema: 'comments',
    sql: 'update comment set content = upper(content)',
    breaks: /^\d+ rows of comments.comment are not what they were$/,
    blocks: /^rows of comments.comment are changed/,
  },
  {
    what: 'empties a table',
    schema: 'catalog',
    sql: 'truncate activity',
    breaks: /^\d+ rows of catalog.activity are not what they were$/,
    blocks: /^catalog.activity is written anew/,
  },
]

describe('a migration is refused that', () => {
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

  test('does more outside a transaction than is done concurrently', async () => {
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
  ['a column that may be empty', 'catalog', { sql: 'alter table node add column colour text' }],
  [
    'a column with the same in all rows',
    'catalog',
    { sql: `alter table node add column colour text not null default 'red'` },
  ],
  [
    'a table, filled from others',
    'catalog',
    { sql: 'create table colour as select id, name from node; create index on colour (name)' },
  ],
  [
    'a rule for a new column',
    'catalog',
    {
      sql: `alter table node add column colour text;
            alter table node add constraint node_colour_check check (length(colour) < 9) not valid`,
    },
  ],
  [
    'that a rule holds for what is there',
    'catalog',
    {
      sql: 'alter table node validate constraint node_state_check',
    },
  ],
  ['what is in a small table', 'catalog', { sql: `update plan set name = name || ''` }],
]

const nothing = { breaks: [], blocks: [], refused: [], objections: [] }

describe('a migration may add', () => {
  for (const [what, schema, migration] of good) {
    test(what, async () => {
      assert.deepEqual(await found(schema, migration), nothing)
    })
  }

  test('an index, concurrently', async () => {
    const sql = 'create index concurrently comment_content_idx on comment (id, content)'
    try {
      assert.deepEqual(await found('comments', { sql, inTransaction: false }), nothing)
    } finally {
      await client.query('drop index comments.comment_content_idx')
    }
  })
})

describe('a contract', () => {
  const sql = 'drop index invitation_inviter_idx'

  test('may take away what nobody uses since the version before', async () => {
    const { breaks, objections, refused } = await found('catalog', {
      sql,
      contract: snapshot.version,
    })
    assert.deepEqual(breaks, ['index catalog.invitation_inviter_idx is gone'])
    assert.deepEqual([objections, refused], [[], []])
  })

  test('is not for what only this version does without', async () => {
    const { objections } = await found('catalog', { sql, contract: '999.0.0' })
    assert.equal(objections.length, 1)
  })

  test('does not make up for statements that are still asked', async () => {
    const { objections, refused } = await found('catalog', {
      sql: 'drop table site_rule',
      contract: snapshot.version,
    })
    assert.deepEqual(objections, [])
    assert.match(refused.join(), /relation "site_rule" does not exist/)
  })
})

describe('migrations that have been applied', () => {
  const applied = ['a', 'b'].map((name) => ({ name, sql: `select '${name}'` }))
  const [a, b] = applied
  assert.ok(a && b)
  const before: SnapshotSchema[] = [
    { name: 's', migrations: applied, constraints: [], statements: [] },
  ]
  const now = (...lists: Migration[][]): Schema[] => [{ name: 's', lists, constraints: [] }]
  const fresh = { name: 'c', sql: 'select' }

  test('may be followed by others, in each list', () => {
    assert.deepEqual(changesOf(before, now(applied)), [])
    assert.deepEqual(changesOf(before, now([...applied, fresh])), [])
    assert.deepEqual(changesOf(before, now([a, fresh], [b])), [])
  })

  test('are not edited, moved, removed or preceded', () => {
    const edited = { ...b, sql: `${b.sql} ` }
    assert.deepEqual(changesOf(before, now([a, edited])), ['s: b was edited'])
    assert.deepEqual(changesOf(before, now([b, a])), ['s: they are in another order'])
    assert.deepEqual(changesOf(before, now([a])), ['s: b is gone'])
    assert.deepEqual(changesOf(before, []), ['s: a is gone', 's: b is gone'])
    assert.deepEqual(changesOf(before, now([a, fresh, b])), [
      's: c comes before one that has been applied',
    ])
  })
})
