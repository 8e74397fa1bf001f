import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { assertUses, plansOf as plansIn } from '@figbase/kit/testing'
import type { Tx } from '../src/db/schema.js'
import {
  closePeriod,
  findAccount,
  listChanges,
  listContainerIds,
  listDue,
  listPayers,
  listStored,
  recordHolders,
  setPaymentMethod,
} from '../src/queries/billing-accounts.js'
import { listCreditNotes } from '../src/queries/credit-notes.js'
import { listAllInvoices, listHolderInvoices, listLines } from '../src/queries/invoices.js'
import { deleteOldEvents } from '../src/queries/provider-events.js'
import { startBilling } from './billing-support.js'
import type { TestCatalog } from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startBilling()
  // 4,000 workspaces, each with 12 changes and 12 invoices of 3 lines, one of which is credited.
  await catalog.query(`with made as (
      insert into node (id, type, lineage, workspace_id, state, created_by)
      select id, 'workspace', array[id], id, 'active', 'eve'
        from (select md5('w' || g)::uuid as id from generate_series(1, 4000) g) w
    ), organized as (
      insert into organization (node_id) select md5('o' || g)::uuid from generate_series(1, 4000) g
    ), accounts as (
      insert into billing_account (holder_id, holder_type, next_period, provider_customer_id)
      select md5('w' || g)::uuid, 'workspace', case when g < 100 then '2026-01' else '2026-12' end, 'cus_' || g
        from generate_series(1, 4000) g
    ), stored as (
      insert into stored_month (workspace_id, period, bytes)
      select md5('w' || g)::uuid, '2026-' || to_char(m, 'FM00'), 1 from generate_series(1, 4000) g, generate_series(1, 12) m
    ), subscribed as (
      insert into subscription (node_id, changed_by) select md5('w' || g)::uuid, 'eve' from generate_series(1, 4000) g
    ), planned as (
      insert into plan (id, name, description, monthly_cost, annual_cost, allow_flexible_storage, compute_enabled,
                        idle_shutdown_required, is_self_service)
      select gen_random_uuid(), 'plan ' || g, '', 1, 1, true, true, false, true from generate_series(1, 4000) g
    ), deleted as (
      insert into tombstone (node_id, deleted_by) select md5('x' || g)::uuid, 'eve' from generate_series(1, 4000) g
    ), joined as (
      insert into access_grant (subject, node_id, kind, role, granted_by)
      select 'user' || m, md5('w' || g)::uuid, 'member', 'viewer', 'eve'
        from generate_series(1, 4000) g, generate_series(1, 3) m
    ), events as (
      insert into provider_event (id, received_on)
      select 'evt_' || g, now() - g * interval '7 min' from generate_series(1, 20000) g
    )
    insert into billing_change (holder_id, changed_on, plan_id, plan_name, monthly_minor, annual_minor, pays_by, seats,
                                compute_overages_enabled)
    select md5('w' || g)::uuid, '2026-01-01'::timestamptz + m * interval '20 days', p.id, '', 1, 1, 'month', 1, false
      from generate_series(1, 4000) g, generate_series(0, 11) m, plan p`)
  await catalog.query(`with issued as (
      insert into invoice (id, number, holder_id, holder_type, period, created_on, due_on, currency, buyer, seller_name,
                           seller_address, subtotal_minor, tax_minor, total_minor)
      select md5(g || '-' || m)::uuid, g || '-' || m, md5('w' || g)::uuid, 'workspace', '2026-' || to_char(m, 'FM00'),
             '2026-01-01'::timestamptz + m * interval '30 days' + g * interval '1 s', now(), 'EUR', '{}', '', '', 1, 1, 2
        from generate_series(1, 4000) g, generate_series(1, 12) m
      returning id, period
    ), payments as (
      insert into invoice_payment (invoice_id) select id from issued
    ), lines as (
      insert into invoice_line (invoice_id, position, kind, name, quantity, unit_minor, amount_minor)
      select id, n, 'plan', '', '1', 1, 1 from issued, generate_series(1, 3) n
    ), notes as (
      insert into credit_note (id, number, invoice_id, created_by, reason, net_minor, tax_minor)
      select id, id::text, id, 'eve', '', 1, 0 from issued where period = '2026-01' returning id
    )
    insert into credit_note_tax (credit_note_id, position, name, amount_minor) select id, 1, '', 1 from notes`)
  await catalog.query('analyze')
})
after(() => catalog[Symbol.asyncDispose]())

const plansOf = (
  run: (tx: Tx) => Promise<unknown>,
  text: RegExp,
  values: string[] | Record<string, string>,
) => plansIn(catalog.ctx.transact, run, text, values)

const holderText = `md5('w7')::uuid`
const ids = `array[md5('w7')::uuid, md5('w8')::uuid]`

test('what holders have is compared with their last change by keys', async () => {
  const plans = await plansOf(
    (tx) => recordHolders(tx, [newId()], 100),
    /insert into billing_change/,
    { ids, scale: '100' },
  )
  assertUses(plans, ['node_pkey', 'billing_account_pkey', 'billing_change_pkey'])
})

test('containers are listed in the order of their ids', async () => {
  for (const [kind, text, index] of [
    ['workspace', /from node n where n.type = 'workspace'/, 'node_is_workspace_idx'],
    ['organization', /from organization o/, 'organization_pkey'],
  ] as const) {
    const page = { after: newId(), limit: 10 }
    const plans = await plansOf((tx) => listContainerIds(tx, kind, page), text, {
      after: `'00000000-0000-0000-0000-000000000000'`,
      limit: '10',
    })
    assertUses(plans, [index])
  }
})

test('due months, changes and storage are read by keys', async () => {
  const period = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' }
  assertUses(
    await plansOf((tx) => listDue(tx, '2026-01', 10), /a.next_period <= /, {
      period: `'2026-01'`,
      limit: '10',
    }),
    ['billing_account_next_idx'],
  )
  assertUses(
    await plansOf((tx) => listChanges(tx, [newId()], period), /join billing_change c/, {
      ids,
      from: `'${period.from}'`,
      to: `'${period.to}'`,
    }),
    ['billing_change_pkey'],
  )
  assertUses(
    await plansOf((tx) => listStored(tx, [newId()], '2026-01'), /join stored_month m/, {
      ids,
      period: `'2026-01'`,
    }),
    ['stored_month_pkey'],
  )
  assertUses(await plansOf((tx) => findAccount(tx, newId()), /a.holder_id = \$1/, [holderText]), [
    'billing_account_pkey',
  ])
  assertUses(
    await plansOf((tx) => listPayers(tx, [newId()]), /left join node n on n.id = a.holder_id/, [
      ids,
    ]),
    ['billing_account_pkey', 'node_pkey'],
  )
  const closing = { ids: [newId()], period: '2026-01', next: '2026-02', scale: 100 }
  assertUses(
    await plansOf((tx) => closePeriod(tx, closing), /with due as/, {
      ids,
      period: `'2026-01'`,
      next: `'2026-02'`,
      scale: '100',
    }),
    ['billing_account_pkey', 'billing_change_pkey'],
  )
  assertUses(
    await plansOf((tx) => setPaymentMethod(tx, 'cus_1', true), /has_payment_method = /, {
      customerId: `'cus_1'`,
      has: 'true',
    }),
    ['billing_account_customer_key'],
  )
})

test('invoices and their parts are read in index order', async () => {
  const page = { limit: '10', createdOn: 'null', seq: 'null' }
  assertUses(
    await plansOf((tx) => listHolderInvoices(tx, newId(), 10), /i.holder_id = /, {
      holderId: holderText,
      ...page,
    }),
    ['invoice_holder_idx', 'invoice_payment_pkey'],
  )
  assertUses(
    await plansOf((tx) => listAllInvoices(tx, 10), /where \(i.created_on, i.seq\) </, page),
    ['invoice_created_idx', 'invoice_payment_pkey'],
  )
  const invoice = `md5('7-1')::uuid`
  assertUses(await plansOf((tx) => listLines(tx, newId()), /from invoice_line/, [invoice]), [
    'invoice_line_pkey',
  ])
  assertUses(
    await plansOf((tx) => listCreditNotes(tx, newId(), 10), /c.invoice_id = \$1/, [invoice, '10']),
    ['credit_note_invoice_idx', 'credit_note_tax_pkey'],
  )
})

test('old events of the provider are deleted by their age', async () => {
  const plans = await plansOf((tx) => deleteOldEvents(tx), /delete from provider_event/, ['true'])
  assertUses(plans, ['provider_event_received_idx'])
})
