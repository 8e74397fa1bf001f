import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import { sql } from 'kysely'
import { migrations } from '../src/db/migrations/index.js'
import { type Bench, startBench } from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

test('what was stored before the activity log and the counts changed is right afterwards', async () => {
  const [w, a, kept, gone, asset] = [newId(), newId(), newId(), newId(), newId()]
  const later = migrations.findIndex(({ name }) => name === '0004-activity')
  await bench.ctx.transact(async (tx) => {
    const run = (text: string) => sql.raw(text).execute(tx)
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
