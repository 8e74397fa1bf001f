import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { assertUses, plansOf as plansIn } from '@figbase/kit/testing'
import type { NodeKind, Tx } from '../src/db/schema.js'
import type { ListOrder } from '../src/domain/child-cursor.js'
import { subjectFor } from '../src/domain/subject.js'
import { findAccess, findDeleted, findStorageAccess, listViewers } from '../src/queries/access.js'
import { findLogEntry, listLog } from '../src/queries/activity-log.js'
import { listWithUnknownUses, replaceUses } from '../src/queries/asset-uses.js'
import { listChanged } from '../src/queries/changed-nodes.js'
import { listChildren } from '../src/queries/children.js'
import { insertCommentEntry } from '../src/queries/comment-entries.js'
import {
  applyUpdate,
  deleteUpdateReservation,
  findUpdateReservation,
  insertUpdateReservation,
  lockForUpdate,
  moveUpdateReservations,
} from '../src/queries/content-updates.js'
import { listContributions } from '../src/queries/contributions.js'
import { countDescendants } from '../src/queries/counts.js'
import { activateNode, reserveNode } from '../src/queries/creation.js'
import {
  claimDeletions,
  firstDeletion,
  type ListedKind,
  listDeletedNodes,
} from '../src/queries/deleted-nodes.js'
import { listDeletedContainers, listDeletedIn } from '../src/queries/deletions.js'
import { listChildrenOfMany, listLeavesOfMany } from '../src/queries/descendants.js'
import { countMembers, countShares, listGrants } from '../src/queries/grants.js'
import {
  consumeInvitation,
  countInvitations,
  deleteExpired,
  findByToken,
  findInvitation,
  listInvitations,
} from '../src/queries/invitations.js'
import { findLink } from '../src/queries/links.js'
import { lockPath } from '../src/queries/locks.js'
import { listMemberLog } from '../src/queries/member-activity.js'
import { countByMonth, listStoredByMonth, recordStored } from '../src/queries/monthly-usage.js'
import { listNewestRevisions } from '../src/queries/newest-revisions.js'
import { listFirstChildren, listNamedAssets, listReadable } from '../src/queries/node-lists.js'
import { findNodeWithChildren } from '../src/queries/node-with-children.js'
import { findNode, listByIds } from '../src/queries/nodes.js'
import { listContainers, listDetails } from '../src/queries/organizations.js'
import {
  deletePendingNodes,
  deleteUpdateReservations,
  listPendingNodes,
  listUpdateReservations,
} from '../src/queries/pending.js'
import {
  deleteOldPlacements,
  listAllNodes,
  listReadableRoots,
  readPlaces,
} from '../src/queries/places.js'
import { countActive, listRecent, listRecentOfMember } from '../src/queries/recent.js'
import { listScoped } from '../src/queries/scoped-assets.js'
import { listMadeStale, listStale } from '../src/queries/stale.js'
import { sumStorage } from '../src/queries/subscriptions.js'
import { countVisible } from '../src/queries/visible-counts.js'
import { endAutoAssign } from '../src/queries/writes.js'
import { createTree, startTestCatalog, type TestCatalog, type Tree } from './test-service.js'

let catalog: TestCatalog
let tree: Tree
before(async () => {
  catalog = await startTestCatalog()
  tree = await createTree(catalog)
  // 20 workspaces of other users with 1,000 figures each, in organizations of 2,000, with some members, shares and
  // tombstones.
  await catalog.query(`
    with organized as (
      insert into organization (node_id) select gen_random_uuid() from generate_series(1, 2000)
      returning node_id
    ), governing as materialized (select node_id as id from organized limit 5),
    workspace as (select gen_random_uuid() as id from generate_series(1, 20)),
    figure as (select gen_random_uuid() as id, w.id as w from workspace w, generate_series(1, 1000)),
    asset as (select gen_random_uuid() as id, w.id as w, n from workspace w, generate_series(1, 1000) n),
    made as (
      insert into node (id, type, parent_id, lineage, workspace_id, organization_id, state, created_by)
      select id, 'workspace', null::uuid, array[id], id, (select id from governing limit 1), 'active', 'eve'
        from workspace
      union all
      select node_id, 'organization', null::uuid, array[node_id], null::uuid, null::uuid, 'active', 'eve' from organized
      union all select id, 'figure', w, array[w, id], w, null, 'active', 'eve' from figure
    ), revisions as (
      insert into node (id, type, parent_id, lineage, workspace_id, state, created_by)
      select r, 'figure_revision', id, array[w, w, id, r], w, 'active', 'eve'
        from (select gen_random_uuid() as r, f.* from figure f, generate_series(1, 2)) made
    ), used as (
      insert into asset_use (figure_revision_id, asset_revision_id, asset_id, position)
      select gen_random_uuid(), gen_random_uuid(), id, 0 from asset
    ), confirmed as (
      insert into confirmation (figure_id, asset_id, position)
      select id, gen_random_uuid(), 0 from figure
    ), granted as (
      insert into access_grant (subject, node_id, kind, role, granted_by)
      select 'user' || g, id, 'member', 'viewer', 'eve' from workspace, generate_series(1, 100) g
      union all select 'user' || g, id, 'member', 'org_admin', 'eve'
        from governing, generate_series(1, 100) g
      union all select 'user' || g, id, 'share', 'viewer', 'eve'
        from (select id from figure limit 10) f, generate_series(1, 100) g
    ), assets as (
      insert into node (id, type, parent_id, lineage, workspace_id, scope_id, name, state, created_by)
      select id, 'asset', w, array[w, id], w, w, 'asset ' || n, 'active', 'eve' from asset
    ), waiting as (
      insert into node_delta (node_id, size_bytes, children, at, actor, workspace_id)
      select id, 1, 0, now(), 'eve', w from figure
    ), folded as (
      insert into node_stat (node_id, size_bytes, child_updated_on, workspace_id, type)
      select id, 1, now() - random() * interval '1 year', w, 'figure' from figure
    ), log as (
      insert into activity (id, at, action, actor, request_id, is_silent, organization_id, workspace_id,
                            analysis_id, figure_id, asset_id, target_id, target_type)
      select gen_random_uuid(), date_trunc('month', now()) + n * interval '1 month', 'update', 'eve', '',
             n = 3, w, w, w, f.id, f.id, f.id, 'figure'
        from (select * from figure limit 6000) f, generate_series(-1, 3) n
    ), reservations as (
      insert into update_hold (id, node_id, workspace_id, held_bytes, at, created_by)
      select gen_random_uuid(), id, w, 1, now(), 'eve' from figure
    ), placements as (
      insert into recent_placement (node_id, placed_on)
      select f.id, now() - (row_number() over () % 7000) * interval '1 s' from figure f
    ), storages as (
      insert into container_storage (node_id, storage_id, vendor, params, changed_by)
      select id, gen_random_uuid(), 's3', '{}', 'eve' from figure
    ), leaves as (
      insert into leaf (id, node_id, size_bytes) select gen_random_uuid(), id, 1 from figure
    ), invited as (
      insert into invitation (id, node_id, email, role, invited_by, token_hash, expires_on)
      select gen_random_uuid(), w.id, 'x@example.org', 'viewer', 'eve',
             sha256(convert_to(w.id::text || g, 'UTF8')), now() + g * interval '1 h'
        from workspace w, generate_series(-5, 100) g where g <> 0
    )
    insert into tombstone (node_id, deleted_by) select id, 'eve' from figure where random() < 0.2`)
  // Statistics of all rows: those of a sample differ from run to run, and with them the plans.
  await catalog.query(
    `do $$ begin perform set_config('default_statistics_target', '1000', true); analyze; end $$`,
  )
})
after(() => catalog[Symbol.asyncDispose]())

const plansOf = (
  run: (tx: Tx) => Promise<unknown>,
  text: RegExp,
  values: string[] | Record<string, string>,
) => plansIn(catalog.ctx.transact, run, text, values)

const sums = ['node_stat_pkey', 'node_delta_node_idx']

/** The workspace of the caller's API key; null: none. */
const bounds = () => ['null', `'${tree.workspace.id}'`]

test('visible nodes of one workspace are read by keys and in index order', async () => {
  const plans = await plansOf(
    (tx) => listReadable(tx, 'figure', subjectFor('user1'), 11),
    /with granted(?!.* > \()/s,
    {
      username: `'user1'`,
      type: `'figure'`,
      limit: '11',
      onlyWorkspaceId: `'${tree.workspace.id}'`,
    },
  )
  assertUses(plans, ['node_workspace_idx', 'access_grant_pkey', 'tombstone_pkey', ...sums])
})

test('a node and its roles are found by keys', async () => {
  const { id } = tree.figure
  for (const bound of bounds()) {
    const plans = await plansOf(
      (tx) => findNode(tx, id, subjectFor('ada')),
      /as roles from node n.*node_delta/s,
      { id: `'${id}'`, username: `'ada'`, onlyWorkspaceId: bound },
    )
    const keys = ['node_pkey', 'organization_pkey', 'access_grant_pkey', 'tombstone_pkey']
    assertUses(plans, [...keys, ...sums])
  }
})

test('a node with children is found by key, its newest revisions at the ends of indexes', async () => {
  const [row] = await catalog.query<{ id: string }>(
    `select parent_id as id from node where type = 'figure' and created_by = 'eve' limit 1`,
  )
  const id = row?.id ?? ''
  const keys = ['node_pkey', 'organization_pkey', 'access_grant_pkey', 'tombstone_pkey']
  const ends = ['node_branch_idx', 'node_workspace_idx']
  for (const bound of bounds()) {
    const of = {
      id: `'${id}'`,
      username: `'user1'`,
      onlyWorkspaceId: bound,
      type: `'figure'`,
      limit: '11',
    }
    const opening =
      (newestRevisions: number, staleReasons = false) =>
      (tx: Tx) =>
        findNodeWithChildren(tx, id, subjectFor('user1'), {
          type: 'figure',
          limit: 11,
          newestRevisions,
          staleReasons,
        })
    const children = await plansOf(opening(0), /0 as place(?<! as \w+, 0 as place)/, of)
    const newest = await plansOf(opening(100), / as newest, 0 as place/, {
      ...of,
      newestRevisions: '100',
    })
    const reasons = await plansOf(opening(0, true), / as stale_because, 0 as place/, of)
    assertUses(reasons, [
      ...keys,
      'node_children_idx',
      'asset_use_pkey',
      'confirmation_pkey',
      ...sums,
    ])
    assertUses(children, [...keys, 'node_children_idx', ...sums])
    assertUses(newest, [...keys, 'node_children_idx', ...ends, ...sums])
    // The children, and the newest revisions of a figure and of an asset.
    for (const [plans, count] of [[children, 1] as const, [newest, 3] as const]) {
      for (const plan of plans) {
        assert.equal(plan.match(/using node_children_idx/g)?.length, count, plan)
        assert.doesNotMatch(plan, /Sort Key: n(_\d)?\.position/, plan)
      }
    }
  }
})

test('access is checked by keys', async () => {
  const { id } = tree.figure
  for (const bound of bounds()) {
    const plans = await plansOf(
      (tx) => findAccess(tx, id, subjectFor('ada')),
      /as roles\s+from node n(?!.*node_delta)/s,
      { id: `'${id}'`, username: `'ada'`, onlyWorkspaceId: bound },
    )
    const indexes = ['node_pkey', 'organization_pkey', 'access_grant_pkey', 'tombstone_pkey']
    assertUses(plans, indexes)
    const growth = await plansOf(
      (tx) => findStorageAccess(tx, id, subjectFor('ada')),
      /as storage_id\s+from node n/,
      { id: `'${id}'`, username: `'ada'`, onlyWorkspaceId: bound },
    )
    assertUses(growth, [...indexes, 'container_storage_pkey'])
  }
})

test('a path is locked by key', async () => {
  const { id, workspaceId } = tree.figure
  const plans = await plansOf(
    (tx) => lockPath(tx, [workspaceId]),
    /prepared\s+select n\.id, n\.type, n\.lineage from/,
    [`'{${id},${workspaceId}}'`],
  )
  assertUses(plans, ['node_pkey'])
})

test('a creation locks its path by key', async () => {
  const { id, workspaceId } = tree.figure
  const ancestors = [workspaceId, id]
  const creation = {
    id: newId(),
    type: 'figure_revision',
    ancestors,
    workspaceId,
    by: 'ada',
    reservedBytes: null,
    onBehalf: null,
    name: null,
    description: null,
  } as const
  const plans = await plansOf((tx) => reserveNode(tx, creation), /'pending'/, {
    ancestors: `'{${ancestors}}'`,
    id: `'${newId()}'`,
    type: `'figure_revision'`,
    workspaceId: `'${workspaceId}'`,
    by: `'ada'`,
  })
  assertUses(plans, ['node_pkey'])
})

test('an activation finds its node and the path by key', async () => {
  const id = newId()
  const by = { actorKind: 'user', requestId: '', isSilent: false } as const
  const own = { id, by, reservedBy: 'ada', entryId: newId() }
  const uses = { id, version: 1, usedIds: [newId()] }
  const activation = { ...own, position: 0, leaves: [], ownBytes: 0n, uses }
  const plans = await plansOf((tx) => activateNode(tx, activation), /set state = 'active'/, {
    id: `'${id}'`,
    reservedBy: `'ada'`,
    sizeBytes: "'0'",
    position: "'0'",
    usedIds: `'{${newId()}}'`,
    usesVersion: "'1'",
    leafIds: "'{}'",
    leafSizes: "'{}'",
    entryId: `'${newId()}'`,
    requestId: "''",
    isSilent: "'f'",
    actorKind: "'user'",
    payload: "'{}'",
  })
  assertUses(plans, ['node_pkey'])
})

test('the first children of several types are read in index order', async () => {
  const types: NodeKind[] = ['asset', 'story']
  const id = tree.figure.workspaceId
  const plans = await plansOf(
    (tx) => listFirstChildren(tx, id, types, 1001),
    /from unnest\(\$\d+::text\[\]\) t \(type\)/,
    { parentId: `'${id}'`, types: `'{${types}}'`, limit: '1001' },
  )
  assertUses(plans, ['node_children_idx'])
  for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan on node\b/, plan)
})

type View = Parameters<typeof listChildren>[2] & { order: ListOrder }

const since = '2026-11-21 12:00:00+00'
const filter = { words: ['a'], createdBy: 'eve', createdFrom: since, createdUntil: null }
const filterLiterals = {
  words: "'{a}'",
  createdBy: "'eve'",
  createdFrom: `'${since}'`,
  createdUntil: 'null',
}

/** The plans of a list in each order, from the beginning and after a row, with and without a filter. */
async function orderedPlans(
  source: string,
  run: (tx: Tx, view: View) => Promise<unknown>,
  literals: Record<string, string>,
  position: { position?: number } = {},
) {
  const found: { order: ListOrder; plans: string[] }[] = []
  const time = { createdOn: since, seq: '1' }
  const byAge = { ...position, ...time }
  const cursors = { oldest: byAge, newest: byAge, name: { name: 'a', seq: '1' }, changed: time }
  const columns = {
    oldest: 'n\\.created_on, n\\.seq',
    newest: 'n\\.created_on desc',
    name: 'left',
    changed: '[nf]\\.sort_key',
  }
  for (const order of ['oldest', 'newest', 'name', 'changed'] as const) {
    for (const after of [undefined, cursors[order]]) {
      for (const filtered of [undefined, filter]) {
        const parts = [
          `^(?=.*${source})`,
          after ? '(?=.*[nf]\\.seq\\) [<>] \\()' : '(?!.*[nf]\\.seq\\) [<>] \\()',
          filtered ? '(?=.*strpos)' : '(?!.*strpos)',
          `.* as sort_key.*order by (n\\.position( desc)?, )?${columns[order]}`,
        ]
        const quoted = Object.entries(after ?? {}).map(([name, value]) => [name, `'${value}'`])
        const plans = await plansOf(
          (tx) => run(tx, { order, filter: filtered, after }),
          new RegExp(parts.join(''), 's'),
          { ...literals, ...Object.fromEntries(quoted), ...(filtered && filterLiterals) },
        )
        found.push({ order, plans })
      }
    }
  }
  return found
}

const sortsByColumn = /Sort Key: (n\.|"?left)/

test('a page of children is read in index order', async () => {
  const [row] = await catalog.query<{ id: string }>(
    `select parent_id as id from node where type = 'figure' and created_by = 'eve' limit 1`,
  )
  const of = { parentId: row?.id ?? '', type: 'figure', limit: 11 } as const
  const literals = { parentId: `'${of.parentId}'`, type: `'figure'`, limit: '11' }
  const source = 'where n.parent_id = '
  for (const { order, plans } of await orderedPlans(
    source,
    (tx, view) => listChildren(tx, of, view),
    literals,
    { position: 0 },
  )) {
    const index = order === 'name' ? 'node_child_name_idx' : 'node_children_idx'
    assertUses(plans, [index, 'tombstone_pkey', ...sums])
    if (order === 'changed') continue
    for (const plan of plans) assert.doesNotMatch(plan, sortsByColumn, plan)
  }
})

test('the assets of an analysis are read in index order', async () => {
  const [row] = await catalog.query<{ id: string }>(
    `select scope_id as id from node where type = 'asset' and created_by = 'eve' limit 1`,
  )
  const id = row?.id ?? ''
  const literals = {
    analysisId: `'${id}'`,
    workspaceId: `'${id}'`,
    limit: '11',
    username: `'user1'`,
  }
  for (const { order, plans } of await orderedPlans(
    'where n.scope_id = ',
    (tx, view) => listScoped(tx, id, id, subjectFor('user1'), 11, view),
    literals,
  )) {
    // It reads the sums of all assets, and so may read the few organizations of a test at once.
    if (order === 'changed') {
      for (const plan of plans) assert.match(plan, /on node_scope_idx/, plan)
      continue
    }
    const index = order === 'name' ? 'node_scope_name_idx' : 'node_scope_idx'
    assertUses(plans, [index, 'tombstone_pkey', 'access_grant_pkey', ...sums])
    for (const plan of plans) assert.doesNotMatch(plan, sortsByColumn, plan)
  }
})

test('the organizations and workspaces of a member are found by keys, in each order', async () => {
  for (const kind of ['organization', 'workspace'] as const) {
    const found = await orderedPlans(
      `n\\.type = '${kind}'(?! then)`,
      (tx, view) => listContainers(tx, kind, subjectFor('user1'), 11, view),
      { username: `'user1'`, limit: '11' },
    )
    for (const { plans } of found) {
      assertUses(plans, ['access_grant_pkey', 'node_pkey', 'tombstone_pkey', ...sums])
      if (kind === 'workspace') assertUses(plans, ['node_organization_idx'])
      for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan on node\b/, plan)
    }
  }
})

test('visible nodes are read in index order, a page of each workspace', async () => {
  const plans = await plansOf(
    (tx) => listReadable(tx, 'figure', subjectFor('user1'), 11),
    /with granted(?!.* > \()/s,
    { username: `'user1'`, type: `'figure'`, limit: '11' },
  )
  assertUses(plans, [
    'node_workspace_idx',
    'node_organization_idx',
    'node_branch_idx',
    'node_children_idx',
    'access_grant_pkey',
    'tombstone_pkey',
    ...sums,
  ])
  for (const plan of plans) {
    assert.match(plan, /Limit .*\n +-> +Index Scan using node_workspace_idx/, plan)
  }
})

test('changed nodes are read from the time on, new and updated ones by an index each', async () => {
  const values = {
    username: `'user1'`,
    type: `'figure'`,
    updatedAfter: 'now()',
    limit: '11',
  }
  const first = await plansOf(
    (tx) => listChanged(tx, 'figure', subjectFor('user1'), '2026-11-21T12:00:00Z', 11),
    /as changed_on(?!.*seq\) > )/s,
    values,
  )
  assertUses(first, ['node_workspace_idx', 'node_updated_idx', 'access_grant_pkey', ...sums])
  for (const plan of first) assert.doesNotMatch(plan, /Seq Scan on node\b/, plan)
})

test('visible nodes are counted by the sums of workspaces and shares', async () => {
  const plans = await plansOf(
    (tx) => countVisible(tx, 'figure', subjectFor('user1')),
    /as figures from node_delta/,
    { username: `'user1'` },
  )
  const keys = ['access_grant_pkey', 'node_pkey', 'node_organization_idx', 'tombstone_pkey']
  assertUses(plans, [...keys, ...sums])
  for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan on node\b/, plan)
})

test('viewers are found by the keys of nodes and grants', async () => {
  const { id, workspaceId } = tree.figure
  const names = "'{ada,user1,user2}'"
  const plans = await plansOf((tx) => listViewers(tx, [id], ['ada']), /as usernames/, [
    `'{${id},${workspaceId}}'`,
    names,
  ])
  assertUses(plans, ['node_pkey', 'tombstone_pkey'])
  for (const plan of plans) assert.match(plan, /access_grant_(pkey|node_idx)/)
})

test('nodes are resolved by their keys', async () => {
  for (const bound of bounds()) {
    const plans = await plansOf(
      (tx) => listByIds(tx, [], undefined, subjectFor('ada'), null),
      /as asked/,
      {
        ids: `'{${tree.figure.id},${newId()}}'`,
        username: `'ada'`,
        onlyWorkspaceId: bound,
        analysisId: `'${tree.analysis.id}'`,
      },
    )
    const keys = ['node_pkey', 'organization_pkey', 'access_grant_pkey', 'tombstone_pkey']
    assertUses(plans, [...keys, ...sums])
  }
})

test('assets are found by name in each visible workspace', async () => {
  const plans = await plansOf(
    (tx) => listNamedAssets(tx, subjectFor('user1'), 'asset 7', null, 11),
    /hashtextextended(?!.* > )/s,
    { username: `'user1'`, type: `'asset'`, limit: '11', name: `'asset 7'` },
  )
  assertUses(plans, ['node_asset_name_idx', 'access_grant_pkey', 'tombstone_pkey', ...sums])
})

test('children of many nodes are read parent by parent from the index', async () => {
  const parents = `'{${newId()},${newId()}}'`
  const children = await plansOf((tx) => listChildrenOfMany(tx, [], 1), /p\.place.*n\.position/s, {
    parentIds: parents,
    limit: '1000',
  })
  assertUses(children, ['node_children_idx', 'tombstone_pkey'])
  const leaves = await plansOf((tx) => listLeavesOfMany(tx, [], 1), /from leaf/, [
    parents,
    ...['1000', 'null'],
  ])
  assertUses(leaves, ['leaf_node_idx'])
})

test('the newest revisions are read from the end of an index for every type', async () => {
  const plans = await plansOf(
    (tx) => listNewestRevisions(tx, newId(), 100),
    /prepared\s+select\s+case n\.type/,
    [`'${newId()}'`, '100'],
  )
  const indexes = ['node_children_idx', 'node_branch_idx', 'node_workspace_idx']
  assertUses(plans, ['node_pkey', 'tombstone_pkey', ...indexes])
})

const logs = {
  organization: 'organization',
  workspace: 'workspace',
  analysis: 'analysis',
  figure: 'figure',
  asset: 'asset',
  figure_revision: 'target',
} as const

for (const [type, column] of Object.entries(logs)) {
  const kind = type as keyof typeof logs
  const node = { id: newId(), type: kind, lineage: [] }
  const withComments = false
  const filters = { excludeDeleted: true, deduplicate: true, withComments }
  const view = { ...filters, detailed: true, offset: 0, limit: 11 }
  const bounds = { scanMax: 10_000, countMax: 1000 }

  test(`the log of a ${type} is read from the end of its index in the newest partitions`, async () => {
    const plans = await plansOf(
      (tx) => listLog(tx, node, subjectFor('user1'), { ...view, ...bounds }),
      new RegExp(`kept as materialized.*a\\.${column}_id = \\$\\d`, 's'),
      {
        id: `'${newId()}'`,
        lineage: "'{}'",
        scanMax: '10000',
        keptMax: '1000',
        offset: '0',
        limit: '11',
        username: `'user1'`,
      },
    )
    for (const plan of plans) {
      assert.match(
        plan,
        new RegExp(`Index Scan using activity_\\d+_\\d+_${column}_id_at_seq_idx`),
        plan,
      )
      assert.doesNotMatch(plan, /Seq Scan|Sort Key: (a|s)\./, plan)
    }
  })

  test(`an activity entry of a ${type} is found by its key`, async () => {
    const plans = await plansOf(
      (tx) => findLogEntry(tx, node, subjectFor('user1'), { entryId: newId(), withComments }),
      new RegExp(` e as materialized.*e\\.${column}_id = \\$\\d`, 's'),
      {
        id: `'${newId()}'`,
        lineage: "'{}'",
        entryId: `'${newId()}'`,
        username: `'user1'`,
      },
    )
    for (const plan of plans) {
      assert.match(plan, /activity_\d+_\d+_id_at_idx/, plan)
      assert.doesNotMatch(plan, /Seq Scan/, plan)
    }
  })
}

test('the workspaces of an organization are read in index order, its sums by keys', async () => {
  const [row] = await catalog.query<{ id: string }>(
    'select organization_id as id from node where organization_id is not null limit 1',
  )
  const id = row?.id ?? ''
  const workspaces = await plansOf(
    (tx) => listChildren(tx, { parentId: id, type: 'workspace', limit: 11 }),
    /where n.organization_id = (?!.* > \()/s,
    { parentId: `'${id}'`, type: `'workspace'`, limit: '11' },
  )
  assertUses(workspaces, ['node_organization_idx', 'tombstone_pkey', ...sums])
  for (const plan of workspaces) assert.doesNotMatch(plan, /Sort Key: n\.position/)
  const details = await plansOf((tx) => listDetails(tx, [id]), /select o\.node_id/, [`'{${id}}'`])
  assertUses(details, ['organization_pkey', 'node_organization_idx', 'tombstone_pkey', ...sums])
})

test('members and shares are listed and counted by their index, a link looked up by keys', async () => {
  const [row] = await catalog.query<{ id: string }>(
    `select node_id as id from access_grant where kind = 'share' limit 1`,
  )
  const id = row?.id ?? ''
  const listed = await plansOf(
    (tx) => listGrants(tx, id, 'share', 11),
    /g\.granted_on as created_on(?!.* > \()/s,
    { nodeId: `'${id}'`, kind: `'share'`, limit: '11' },
  )
  assertUses(listed, ['access_grant_node_idx'])
  for (const plan of listed) assert.doesNotMatch(plan, /Sort/)
  const members = await plansOf((tx) => countMembers(tx, id), /as members/, [`'${id}'`])
  const shares = await plansOf((tx) => countShares(tx, id, 'user1'), /as shares/, [
    `'${id}'`,
    `'user1'`,
  ])
  for (const plans of [members, shares]) assertUses(plans, ['access_grant_node_idx'])
  const link = await plansOf((tx) => findLink(tx, id), /as is_enabled/, [`'${id}'`])
  assertUses(link, ['node_pkey', 'organization_pkey', 'access_grant_(pkey|node_idx)'])
})

test('recent nodes of a workspace are found at the ends of indexes', async () => {
  const plans = await plansOf((tx) => listRecent(tx, newId(), 'figure', 20), /with latest/, [
    `'${newId()}'`,
    ...["'figure'", '20'],
  ])
  const ends = ['node_workspace_idx', 'node_updated_idx', 'node_stat_recent_idx']
  assertUses(plans, [...ends, 'node_delta_workspace_idx', 'tombstone_pkey', ...sums])
  const all = await plansOf(
    (tx) => listRecentOfMember(tx, subjectFor('user1'), 'figure', 20),
    /with\s+member.*latest as materialized/s,
    ["'user1'", 'null', "'figure'", '20'],
  )
  assertUses(all, ['access_grant_(pkey|subject_idx)', ...ends])
  for (const plan of [...plans, ...all]) {
    assert.match(plan, /Limit .*\n.*-> +Index Scan Backward using node_workspace_idx/, plan)
  }
})

test('the activity of a member is read in index order, a page of each workspace', async () => {
  const createdOn = '2026-11-21 12:00:00+00'
  for (const after of [undefined, { createdOn, seq: '1' }]) {
    const plans = await plansOf(
      (tx) => listMemberLog(tx, subjectFor('user1'), 11, after),
      after ? /a\.seq\) < .*as workspace_name/s : /^(?!.*a\.seq\) < ).*as workspace_name/s,
      {
        ...{ username: "'user1'", onlyWorkspaceId: 'null', limit: '11' },
        ...(after && { createdOn: `'${createdOn}'`, seq: '1' }),
      },
    )
    const keys = ['access_grant_(pkey|subject_idx)', 'node_organization_idx', 'tombstone_pkey']
    assertUses(plans, [...keys, 'activity_[a-z0-9_]*workspace_id[a-z0-9_]*'])
  }
})

test('nodes with activity in a week are counted by index ranges', async () => {
  const plans = await plansOf((tx) => countActive(tx, newId(), '2026-01-01', 1000), /least/, [
    `'${newId()}'`,
    ...["'2026-01-01'", '1000'],
  ])
  for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan/, plan)
})

test('descendants of a node are counted by keys', async () => {
  const plans = await plansOf((tx) => countDescendants(tx, newId()), /as stories/, [`'${newId()}'`])
  assertUses(plans, sums)
})

test('contributions are counted with the index on actor', async () => {
  const plans = await plansOf(
    (tx) => listContributions(tx, subjectFor('eve'), '2026-01-01'),
    /as day/,
    [...["'ada'", "'2026-01-01'", 'null']],
  )
  for (const plan of plans) {
    assert.match(plan, /activity_\d+_\d+_actor_at_idx/, plan)
    assert.doesNotMatch(plan, /Seq Scan/, plan)
  }
})

test('invitations are found by id and by the hash of the token, listed and counted by index', async () => {
  const [row] = await catalog.query<{ id: string; target: string; hash: string }>(
    `select id, node_id as target, token_hash::text as hash from invitation limit 1`,
  )
  assert.ok(row)
  const { id, target, hash } = row
  const bytes = Buffer.from(hash.slice(2), 'hex')
  const found = await plansOf((tx) => findInvitation(tx, id), /where i\.id = /, [`'${id}'`])
  assertUses(found, ['invitation_pkey', 'node_pkey'])
  const byToken = await plansOf(
    (tx) => findByToken(tx, bytes),
    /select(?!.*delete).*where i\.token_hash = /s,
    [`'${hash}'`],
  )
  assertUses(byToken, ['invitation_token_hash_key', 'node_pkey'])
  const consumed = await plansOf(
    (tx) => consumeInvitation(tx, bytes, 'figure'),
    /delete.*as is_open/s,
    [`'${hash}'`, `'workspace'`],
  )
  // Of a constant type, a node may also be read with node_is_workspace_idx.
  assertUses(consumed, ['invitation_token_hash_key'])
  const listed = await plansOf(
    (tx) => listInvitations(tx, target, 'workspace', 11),
    /from invitation i\s+where i.node_id(?!.* > \()/s,
    { nodeId: `'${target}'`, type: `'workspace'`, limit: '11' },
  )
  const counted = await plansOf((tx) => countInvitations(tx, target), /as invitations/, [
    `'${target}'`,
  ])
  for (const plans of [listed, counted]) assertUses(plans, ['invitation_node_idx'])
  const purged = await plansOf(
    (tx) => deleteExpired(tx),
    /delete from invitation where expires/,
    [],
  )
  assertUses(purged, ['invitation_expiry_idx'])
})

test('the usage of a plan is summed by keys', async () => {
  const plans = await plansOf((tx) => sumStorage(tx, tree.workspace.id), /as used/, [
    `'${tree.workspace.id}'`,
  ])
  assertUses(plans, ['node_held_idx', 'update_hold_held_idx', 'node_organization_idx', ...sums])
})

test('a comment entry finds its target and path by key', async () => {
  const by = { actor: 'ada', actorKind: 'user', requestId: '', isSilent: false } as const
  const ids = { id: newId(), targetId: newId(), commentId: newId(), parentId: '' }
  const entry = { ...ids, action: 'comment_create', at: '2026-11-21', by } as const
  const plans = await plansOf(
    (tx) => insertCommentEntry(tx, entry),
    /prepared\s+with made as materialized/,
    {
      targetId: `'${newId()}'`,
      id: `'${newId()}'`,
      at: "'2026-11-21'",
      action: "'comment_create'",
      actor: "'ada'",
      actorKind: "'user'",
      requestId: "''",
      isSilent: 'false',
      payload: "'{}'",
    },
  )
  assertUses(plans, ['node_pkey', 'tombstone_pkey'])
})

test('the steps of a content update find reservation, node, path and leaves by key', async () => {
  const { id, workspaceId } = tree.figure
  const lineage = [workspaceId, id]
  const reservation = { id: newId(), lineage, by: 'ada', reservedBytes: null }
  const begun = await plansOf(
    (tx) => insertUpdateReservation(tx, reservation),
    /into update_hold/,
    {
      id: `'${newId()}'`,
      lineage: `'{${lineage}}'`,
      by: `'ada'`,
    },
  )
  assertUses(begun, ['node_pkey'])
  const locked = await plansOf((tx) => lockForUpdate(tx, id, id, null), /with held/, [
    `'${newId()}'`,
    ...[`'${id}'`, `'ada'`],
  ])
  assertUses(locked, ['update_hold_(pkey|node_idx)', 'node_pkey'])
  const by = { actorKind: 'user', requestId: '', isSilent: false } as const
  const update = { updateId: newId(), content: undefined, note: '', by, entryId: newId() }
  const applied = await plansOf((tx) => applyUpdate(tx, update), /with taken/, {
    updateId: `'${newId()}'`,
    contentVersion: "'2'",
    leafIds: `'{${newId()}}'`,
    leafSizes: "'{5}'",
    sizeBytes: "'5'",
    entryId: `'${newId()}'`,
    actorKind: "'user'",
    requestId: "''",
    isSilent: "'f'",
    payload: "'{}'",
  })
  assertUses(applied, ['update_hold_pkey', 'node_pkey', 'leaf_node_idx'])
  const found = await plansOf((tx) => findUpdateReservation(tx, newId()), /as is_alive/, [
    `'${newId()}'`,
  ])
  assertUses(found, ['update_hold_pkey', 'node_pkey', 'tombstone_pkey'])
  const dropped = await plansOf(
    (tx) => deleteUpdateReservation(tx, newId(), null),
    /delete from update_hold h where h.id = \$1 and/,
    [`'${newId()}'`, 'null'],
  )
  assertUses(dropped, ['update_hold_pkey'])
})

test('interrupted reservations are found by age', async () => {
  const hour = ["'3600000'", "'0'", "'500'"]
  const pending = await plansOf(
    (tx) => listPendingNodes(tx, 1, 0n, 1),
    /n\.state = 'pending' and n\.created_on </,
    hour,
  )
  assertUses(pending, ['node_pending_idx'])
  const reservations = await plansOf(
    (tx) => listUpdateReservations(tx, 1, 0n, 1),
    /where h\.at </,
    hour,
  )
  for (const plan of reservations) assert.doesNotMatch(plan, /Seq Scan/, plan)
  for (const remove of [deletePendingNodes, deleteUpdateReservations]) {
    const table = remove === deletePendingNodes ? 'node' : 'update_hold'
    const removed = await plansOf(
      (tx) => remove(tx, []),
      new RegExp(`delete from ${table} where id = any`),
      [`'{${newId()}}'`],
    )
    assertUses(removed, [`${table}_(pkey|pending_idx)`])
  }
})

test('reservations of moved nodes and pending auto-assignments are found by key', async () => {
  const moved = await plansOf(
    (tx) => moveUpdateReservations(tx, [], newId()),
    /update update_hold/,
    [`'{${newId()}}'`, `'${newId()}'`],
  )
  assertUses(moved, ['update_hold_node_idx'])
  const ended = await plansOf((tx) => endAutoAssign(tx, newId()), /set auto_assign/, [
    `'${newId()}'`,
  ])
  assertUses(ended, ['node_pkey'])
})

test('deletions are read in index order, and their nodes from the ends of indexes', async () => {
  const kinds: ListedKind[] = [
    'analysis',
    'figure',
    'figure_revision',
    'asset',
    'asset_revision',
    'story',
  ]
  const { deletedOn, rootId, createdOn } = firstDeletion
  const claims = await plansOf(
    (tx) => claimDeletions(tx, firstDeletion, null, 0, 100),
    /with gone as materialized/,
    { deletedOn: `'${deletedOn}'`, rootId: `'${rootId}'`, retentionMs: '0', limit: '100' },
  )
  assertUses(claims, ['tombstone_deleted_idx', 'tombstone_pkey'])
  const roots = [{ id: newId(), deleted_on: deletedOn }]
  const plans = await plansOf(
    (tx) => listDeletedNodes(tx, kinds, firstDeletion, roots, 1000),
    /with root as materialized/,
    {
      rootId: `'${rootId}'`,
      createdOn: `'${createdOn}'`,
      seq: '0',
      rootIds: `'{${newId()}}'`,
      limit: '1000',
      kinds: `'{${kinds}}'`,
    },
  )
  const below = ['node_pkey', 'node_children_idx', 'node_branch_idx', 'node_workspace_idx']
  assertUses(plans, ['tombstone_pkey', ...below])
  // Two types below an analysis, six in a workspace.
  for (const plan of plans) {
    const uses = (index: string) => plan.match(new RegExp(`(using|on) ${index}\\b`, 'g'))?.length
    assert.deepEqual(below.slice(1).map(uses), [2, 2, 6], plan)
  }
})

test('restorable deletions are read in index order, and found by key', async () => {
  const page = { retentionMs: 1, limit: 11, offset: 0 }
  const values = { retentionMs: "'2592000000'", limit: '11', offset: '0' }
  const { workspace, figure } = tree
  const inWorkspace = await plansOf(
    (tx) => listDeletedIn(tx, 'workspace', workspace.id, page),
    /where n\.workspace_id = \$\d and n\.id <>/,
    { ...values, id: `'${workspace.id}'` },
  )
  assertUses(inWorkspace, ['node_deleted_idx', 'tombstone_pkey'])
  const ofOrganization = await plansOf(
    (tx) => listDeletedIn(tx, 'organization', newId(), page),
    /where n\.organization_id = \$\d and n\.deleted_on/,
    { ...values, id: `'${newId()}'` },
  )
  assertUses(ofOrganization, ['node_deleted_workspace_idx', 'tombstone_pkey'])
  for (const kind of ['organization', 'workspace'] as const) {
    const mine = await plansOf(
      (tx) => listDeletedContainers(tx, kind, subjectFor('user1'), page),
      new RegExp(`n\\.type = '${kind}' and \\(\\$\\d.*offset \\$`, 's'),
      { ...values, username: `'user1'` },
    )
    assertUses(mine, ['access_grant_pkey', 'node_pkey', 'tombstone_pkey'])
  }
  const one = await plansOf(
    (tx) => findDeleted(tx, figure.id, subjectFor('ada'), 1),
    /as is_over/,
    {
      id: `'${figure.id}'`,
      username: `'ada'`,
      retentionMs: '1',
    },
  )
  assertUses(one, ['node_pkey', 'organization_pkey', 'access_grant_pkey', 'tombstone_pkey'])
})

test('roots, recent places and all nodes are found by keys', async () => {
  const { figure } = tree
  for (const bound of bounds()) {
    const plans = await plansOf(
      (tx) => listReadableRoots(tx, subjectFor('user1'), null, 1000),
      /as is_recent/,
      {
        username: `'user1'`,
        onlyWorkspaceId: bound,
        workspaceId: 'null',
        recentMax: '1000',
      },
    )
    const keys = ['access_grant_pkey', 'node_organization_idx', 'node_pkey', 'tombstone_pkey']
    assertUses(plans, [...keys, 'recent_placement_time_idx'])
  }
  const places = await plansOf((tx) => readPlaces(tx, [figure.id]), /as deleted_root_id/, [
    `'{${figure.id}}'`,
  ])
  assertUses(places, ['node_pkey', 'tombstone_pkey'])
  const nodes = await plansOf((tx) => listAllNodes(tx, figure.id, 10), /order by n\.id limit/, [
    `'${figure.id}'`,
    '10',
  ])
  assertUses(nodes, ['node_pkey'])
  const old = await plansOf((tx) => deleteOldPlacements(tx), /delete from recent_placement/, [])
  assertUses(old, ['recent_placement_time_idx'])
})

test('stale figures and what asset revisions make stale are found by keys', async () => {
  const [one, other] = [newId(), newId()]
  const { figure } = tree
  const bounded = { workspaceId: figure.workspaceId, limit: 10, scanMax: 100 }
  const values = {
    username: `'user1'`,
    onlyWorkspaceId: 'null',
    workspaceId: `'${figure.workspaceId}'`,
    limit: '11',
    scanMax: '100',
  }
  const inOrder = ['node_uses_idx', 'node_children_idx', 'node_pkey', 'tombstone_pkey']
  const first = await plansOf(
    (tx) => listStale(tx, subjectFor('user1'), { ...bounded, after: undefined }),
    /r\.uses > 0\s+order by/,
    values,
  )
  assertUses(first, inOrder)
  const after = { createdOn: '2026-11-21 00:00:00+00', seq: '1' }
  const later = await plansOf(
    (tx) => listStale(tx, subjectFor('user1'), { ...bounded, after }),
    /r\.uses > 0 and/,
    { ...values, createdOn: `'${after.createdOn}'`, seq: "'1'" },
  )
  assertUses(later, inOrder)
  const made = await plansOf((tx) => listMadeStale(tx, one, 10), /as "figureId"/, [
    `'${one}'`,
    '10',
  ])
  assertUses(made, ['node_pkey', 'asset_use_asset_idx', 'asset_use_pkey', 'confirmation_pkey'])
  const unknown = await plansOf(
    (tx) => listWithUnknownUses(tx, 0n, 10),
    /n\.uses_version is null and/,
    ["'0'", '10'],
  )
  assertUses(unknown, ['node_unknown_uses_idx'])
  const uses = [{ id: one, version: 1, usedIds: [other] }]
  const replaced = await plansOf((tx) => replaceUses(tx, uses), /update node n set uses/, {
    uses: `'${JSON.stringify(uses)}'`,
  })
  assertUses(replaced, ['node_pkey', 'asset_use_pkey'])
})

test('usage by month is read by keys', async () => {
  const { id } = tree.workspace
  const values = [`'${id}'`, "'2026-01-01'"]
  for (const [type, index] of [
    ['workspace', /activity_\d+_\d+_workspace_id_at_seq_idx/],
    ['organization', /activity_\d+_\d+_organization_id_at_seq_idx/],
  ] as const) {
    const text = new RegExp(`as activities[\\s\\S]*${type}_id`)
    const plans = await plansOf((tx) => countByMonth(tx, { id, type }, '2026-01-01'), text, values)
    for (const plan of plans) assert.match(plan, index, plan)
  }
  await catalog.query(
    `insert into stored_month select gen_random_uuid(), '2026-01', 1 from generate_series(1, 5000)`,
  )
  await catalog.query('analyze stored_month')
  const read = (tx: Tx) => listStoredByMonth(tx, { id, type: 'workspace' }, '2026-01')
  assertUses(await plansOf(read, /from stored_month m/, values), ['stored_month_pkey'])
  const page = { period: '2026-01', after: id, limit: 1000 }
  const record = (tx: Tx) => recordStored(tx, page)
  const plans = await plansOf(record, /insert into stored_month/, {
    period: "'2026-01'",
    after: `'${id}'`,
    limit: '1000',
  })
  assertUses(plans, ['node_is_workspace_idx'])
})
