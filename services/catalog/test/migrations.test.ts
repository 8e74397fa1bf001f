import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { sql } from 'kysely'
import { migrations } from '../src/db/migrations/index.js'
import { startTestCatalog, type TestCatalog } from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

/** SQL for a workspace with an analysis, a figure and a revision in the schema of the first version. */
const firstRows = `
  insert into node (id, type, parent_id, lineage, workspace_id, state, name, workspace_type, created_by)
  values
    ('00000000-0000-4000-8000-000000000001', 'workspace', null,
     '{00000000-0000-4000-8000-000000000001}', '00000000-0000-4000-8000-000000000001', 'active', 'w',
     'primary', 'ada'),
    ('00000000-0000-4000-8000-000000000002', 'analysis', '00000000-0000-4000-8000-000000000001',
     '{00000000-0000-4000-8000-000000000001,00000000-0000-4000-8000-000000000002}',
     '00000000-0000-4000-8000-000000000001', 'active', 'a', null, 'ada'),
    ('00000000-0000-4000-8000-000000000003', 'figure', '00000000-0000-4000-8000-000000000002',
     '{00000000-0000-4000-8000-000000000001,00000000-0000-4000-8000-000000000002,00000000-0000-4000-8000-000000000003}',
     '00000000-0000-4000-8000-000000000001', 'active', 'f', null, 'ada');
  insert into access_grant (subject, node_id, kind, role, granted_by)
  values ('ada', '00000000-0000-4000-8000-000000000001', 'member', 'owner', 'ada'),
         ('bob', '00000000-0000-4000-8000-000000000001', 'member', 'viewer', 'ada');
  insert into node_stat (node_id, size_bytes, children)
  values ('00000000-0000-4000-8000-000000000001', 5, 1);
  create table activity_now partition of activity for values from ('2026-01-01') to ('2027-01-01');
  insert into activity (id, at, action, actor, request_id, is_silent, workspace_id, target_id, target_type)
  values ('00000000-0000-7000-8000-000000000001', '2026-11-21', 'create', 'ada', '', false,
          '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001', 'workspace')`

test('later migrations keep the data of the first version', async () => {
  const [first, ...later] = migrations
  assert.ok(first)
  await catalog.ctx.db.connection().execute(async (db) => {
    const run = async (text: string) =>
      (await sql.raw<Record<string, unknown>>(text).execute(db)).rows
    await run('create schema earlier')
    await run('set search_path = earlier')
    try {
      await run(first.sql)
      await run(firstRows)
      for (const migration of later) await run(migration.sql)
      assert.deepEqual(
        await run(`select n.name, n.organization_id, n.state from node n order by n.lineage`),
        ['w', 'a', 'f'].map((name) => ({ name, organization_id: null, state: 'active' })),
      )
      assert.deepEqual(
        await run(`select subject, role, seq > 0 as numbered from access_grant order by subject`),
        [
          { subject: 'ada', role: 'owner', numbered: true },
          { subject: 'bob', role: 'viewer', numbered: true },
        ],
      )
      assert.deepEqual(
        await run(
          'select size_bytes, children, analyses, figures from node_stat order by analyses',
        ),
        [
          { size_bytes: 0n, children: 0, analyses: 0, figures: 1 },
          { size_bytes: 5n, children: 1, analyses: 1, figures: 1 },
        ],
      )
      assert.equal((await run('select 1 from activity')).length, 1)
    } finally {
      await run('reset search_path')
      await run('drop schema earlier cascade')
    }
  })
})

test('migrations convert old activity entries and counts', async () => {
  const [w, a, kept, gone, asset] = [newId(), newId(), newId(), newId(), newId()]
  const later = migrations.findIndex(({ name }) => name === '0004-activity')
  await catalog.ctx.transact(async (tx) => {
    // No other test uses this schema.
    const run = (text: string) => sql.raw(text.replace('index concurrently', 'index')).execute(tx)
    await run('create schema earlier; set local search_path to earlier')
    for (const { sql: text } of migrations.slice(0, later)) await run(text)
    await run(`
      create table now_on partition of activity default;
      insert into node (id, type, parent_id, lineage, workspace_id, state, name, created_by) values
        ('${w}', 'workspace', null, '{${w}}', '${w}', 'active', 'w', 'ada'),
        ('${a}', 'analysis', '${w}', '{${w},${a}}', '${w}', 'active', 'a', 'ada'),
        ('${kept}', 'figure', '${a}', '{${w},${a},${kept}}', '${w}', 'active', 'f', 'ada'),
        ('${gone}', 'figure', '${a}', '{${w},${a},${gone}}', '${w}', 'active', 'f', 'ada'),
        ('${asset}', 'asset', '${w}', '{${w},${asset}}', '${w}', 'active', 's', 'ada');
      insert into tombstone (node_id, deleted_by) values ('${gone}', 'ada');
      insert into node_stat (node_id, size_bytes, children) values ('${w}', 7, 2);
      insert into activity (id, at, action, actor, request_id, is_silent, workspace_id, analysis_id,
                            figure_id, target_id, target_type) values
        ('${newId()}', now(), 'create', 'ada', '', false, '${w}', null, null, '${asset}', 'asset'),
        ('${newId()}', now(), 'move', 'ada', '', false, null, '${a}', null, '${kept}', 'figure'),
        ('${newId()}', now(), 'move', 'ada', '', false, '${w}', '${a}', '${kept}', '${kept}', 'figure')`)
    for (const { sql: text } of migrations.slice(later)) await run(text)

    const { rows: stats } =
      await sql`select node_id, size_bytes::int, children, analyses, figures, assets,
        stories, workspace_id, type from node_stat order by type desc`.execute(tx)
    assert.deepEqual(stats, [
      {
        ...{
          node_id: w,
          size_bytes: 7,
          children: 2,
          analyses: 1,
          figures: 1,
          assets: 1,
          stories: 0,
        },
        ...{ workspace_id: w, type: 'workspace' },
      },
      {
        ...{
          node_id: a,
          size_bytes: 0,
          children: 0,
          analyses: 0,
          figures: 1,
          assets: 0,
          stories: 0,
        },
        ...{ workspace_id: w, type: 'analysis' },
      },
    ])
    const { rows: entries } = await sql`select asset_id, is_departure, actor_kind, payload
      from activity order by seq`.execute(tx)
    const as = { actor_kind: 'user', payload: '{}' }
    assert.deepEqual(entries, [
      { asset_id: asset, is_departure: false, ...as },
      { asset_id: null, is_departure: true, ...as },
      { asset_id: null, is_departure: false, ...as },
    ])
    await run('drop schema earlier cascade')
  })
})
