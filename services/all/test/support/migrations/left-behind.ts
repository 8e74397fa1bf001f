import type pg from 'pg'

const later = `timestamptz '2100-01-01'`

// Rows that exist only briefly, or need servers that are not used in tests of the product.
const passing = `
  insert into catalog.node_delta (node_id, size_bytes, children, at, actor)
  select node_id, 0, 0, now(), 'ada' from catalog.node_stat limit 1;
  insert into catalog.update_hold (id, node_id, workspace_id, at, created_by)
  select gen_random_uuid(), id, workspace_id, now(), 'ada' from catalog.node where type = 'figure' limit 1;
  insert into revisions.upload (id, instance) values (gen_random_uuid(), 0);
  insert into revisions.assignment (revision_id, figure_id, analysis_id, username, silent)
  select id, parent_id, gen_random_uuid(), 'ada', false from revisions.revision limit 1;
  insert into revisions.revision_update (id, revision_id, author, has_data, silent)
  select gen_random_uuid(), id, 'ada', false, false from revisions.revision limit 1;
  insert into revisions.storage
    (id, holder_id, vendor, endpoint, region, bucket, prefix, access_key, secret_sealed)
  values (gen_random_uuid(), gen_random_uuid(), 's3', 'https://s3.example.org', '', 'lab', '', 'access', '');
  insert into revisions.held_storage (storage) select id::text from revisions.storage limit 1;
  insert into catalog.container_storage (node_id, storage_id, vendor, params, changed_by)
  select n.id, s.id, s.vendor, '{}', 'ada'
    from catalog.node n, revisions.storage s where n.type = 'workspace' limit 1;
  insert into catalog.promotion (code, plan_id, created_by)
  select 'LEFT-BEHIND', id, 'ada' from catalog.plan limit 1;
  insert into catalog.promotion_use (code, node_id, used_by)
  select p.code, n.id, 'ada' from catalog.promotion p, catalog.node n where n.type = 'workspace' limit 1;
  insert into revisions.retired_short_id (short_id) values ('left-behind');
  insert into tasks.task_log (task_id, at, line) select id, now(), 'left behind' from tasks.task limit 1;
  insert into revisions.purge_progress (page_token) values ('left-behind') on conflict do nothing;
  insert into comments.purge_progress (page_token) values ('left-behind') on conflict do nothing`

/**
 * Inserts rows into tables that are usually empty, such as failed or pending events and jobs. Use a transaction that is
 * rolled back, otherwise the product would process them.
 */
export async function leaveBehind(client: pg.Client, schemas: string[]): Promise<void> {
  const having = async (table: string) => {
    const { rows } = await client.query<{ schema: string }>(
      `select schema from unnest($1::text[]) schema where to_regclass(schema || '.' || $2) is not null`,
      [schemas, table],
    )
    return rows.map(({ schema }) => schema)
  }
  await client.query(passing)
  const publishers = await having('outbox_sent')
  const message = publishers
    .map((schema) => `(select message from ${schema}.outbox_sent limit 1)`)
    .join(' union all ')
  for (const schema of await having('job')) {
    await client.query(`
      insert into ${schema}.job_schedule (name, last_on) values ('left-behind', now());
      insert into ${schema}.job (name, payload, priority, turn, state, run_at, attempts_max)
      values ('left-behind', '{}', 0, 0, 'delayed', ${later}, 3);
      insert into ${schema}.job
        (name, payload, priority, turn, state, run_at, attempts, attempts_max, error, ended_on)
      values ('left-behind', '{}', 0, 0, 'dead', now(), 3, 3, 'it failed', ${later})`)
  }
  for (const schema of await having('outbox')) {
    await client.query(`insert into ${schema}.outbox (message) ${message} limit 3`)
  }
  for (const schema of await having('parked')) {
    const consumer = `(select consumer from ${schema}.inbox limit 1) i, (${message} limit 1) m`
    await client.query(`
      insert into ${schema}.parked (consumer, key, message, attempts, run_at, error)
      select consumer, 'left-behind', message, 3, ${later}, 'it failed' from ${consumer};
      insert into ${schema}.dead_letter
        (event_id, consumer, message, attempts, error, parked_on, died_on)
      select gen_random_uuid(), consumer, message, 15, 'it failed', now(), ${later} from ${consumer};
      insert into bus.delivery (consumer, shard, message) select consumer, 0, message from ${consumer}`)
  }
}
