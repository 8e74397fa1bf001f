import { after, before, test } from 'node:test'
import { assertUses, plansOf as plansIn } from '@figbase/kit/testing'
import { sql } from 'kysely'
import type { Tx } from '../src/db/schema.js'
import { getQuotaState } from '../src/queries/ai-requests.js'
import {
  listOrganizationUsage,
  listSiteUsage,
  listUsageHistory,
  listUserUsage,
  listWorkspaceUsage,
  sumByHolder,
  sumOrganizationMonths,
  sumUserMonths,
  sumWorkspaceMonths,
} from '../src/queries/ai-usage.js'
import { type Started, start } from './test-service.js'

const id = '00000000-0000-4000-8000-000000000001'
const page = { after: undefined, limit: 100 }
const inMonth = { month: "'2026-05'" }
const ofPage = {
  period: "'2026-01'",
  username: "'ann7'",
  workspaceId: `'${id}'`,
  model: "'small'",
  route: "'ask'",
  limit: '100',
}

let at: Started
before(async () => {
  at = await start()
  const { db } = at.ctx
  // Workspaces in organizations of ten, with a user each, in five years.
  await sql`
    insert into ai_usage
    select ('00000000-0000-4000-8000-' || lpad(w::text, 12, '0'))::uuid, '2022-01-01'::date + m * interval '1 month',
           'ann' || w, ('00000000-0000-4000-9000-' || lpad((w / 10)::text, 12, '0'))::uuid, 'small', route, 1, 1, 1, 0
      from generate_series(1, 500) w, generate_series(0, 59) m, unnest(array['ask', 'compare']) route`.execute(
    db,
  )
  await sql`
    insert into ai_quota (holder_id, month) select distinct workspace_id, month from ai_usage`.execute(
    db,
  )
  await sql`analyze`.execute(db)
})
after(() => at[Symbol.asyncDispose]())

const plansOf = (
  run: (tx: Tx) => Promise<unknown>,
  text: RegExp,
  values: string[] | Record<string, string>,
) => plansIn(at.ctx.transact, run, text, values)

test('the usage of a month is found by its user, workspace, organization and month', async () => {
  const own = await plansOf(
    (tx) => listUserUsage(tx, 'ann7', '2026-05', page),
    /where u\.username = \$1 and u\.month/,
    { owner: "'ann7'", ...inMonth, ...ofPage },
  )
  assertUses(own, ['ai_usage_username_idx'])
  const history = await plansOf(
    (tx) => listUsageHistory(tx, 'ann7', page),
    /where u\.username = \$1\n/,
    { owner: "'ann7'", ...ofPage },
  )
  assertUses(history, ['ai_usage_username_idx'])
  const ofWorkspace = await plansOf(
    (tx) => listWorkspaceUsage(tx, id, '2026-05', page),
    /where u\.workspace_id = \$1/,
    { id: `'${id}'`, ...inMonth, ...ofPage },
  )
  assertUses(ofWorkspace, ['ai_usage_key'])
  const ofOrganization = await plansOf(
    (tx) => listOrganizationUsage(tx, id, '2026-05', page),
    /where u\.organization_id = \$1/,
    { id: "'00000000-0000-4000-9000-000000000003'", ...inMonth, ...ofPage },
  )
  assertUses(ofOrganization, ['ai_usage_organization_idx'])
  const ofSite = await plansOf((tx) => listSiteUsage(tx, '2026-05', page), /where u\.month = /, {
    ...inMonth,
    ...ofPage,
  })
  assertUses(ofSite, ['ai_usage_month_idx'])
})

test('the months of a user, a workspace and an organization are found by their keys', async () => {
  const since = { since: "'2026-05'" }
  const own = await plansOf(
    (tx) => sumUserMonths(tx, 'ann7', '2026-05'),
    /u\.username = \$1 and u\.month >= /,
    {
      owner: "'ann7'",
      ...since,
    },
  )
  assertUses(own, ['ai_usage_username_idx'])
  const ofWorkspace = await plansOf(
    (tx) => sumWorkspaceMonths(tx, id, '2026-05'),
    /u\.workspace_id = \$1::uuid and u\.month >= /,
    {
      id: `'${id}'`,
      ...since,
    },
  )
  assertUses(ofWorkspace, ['ai_usage_key'])
  const organizationId = '00000000-0000-4000-9000-000000000003'
  const ofOrganization = await plansOf(
    (tx) => sumOrganizationMonths(tx, organizationId, '2026-05'),
    /u\.organization_id = \$1::uuid and u\.month >= /,
    { id: `'${organizationId}'`, ...since },
  )
  assertUses(ofOrganization, ['ai_usage_organization_idx'])
  const ofHolders = await plansOf(
    (tx) => sumByHolder(tx, [id, organizationId], '2026-05'),
    /o\.organization_id = h\.id/,
    { ids: `array['${id}'::uuid, '${organizationId}'::uuid]`, ...inMonth },
  )
  assertUses(ofHolders, ['ai_usage_organization_idx', 'ai_usage_key'])
})

test('the quota is found by its key', async () => {
  const state = await plansOf((tx) => getQuotaState(tx, id), /seconds_left/, [`'${id}'`])
  assertUses(state, ['ai_quota_pkey'])
})
