import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Author, type Created, program } from './support/author.js'
import { around, createCrashAt, transaction } from './support/crash-at.js'
import { mailsIn } from './support/faults/mails.js'
import { inDatabase } from './support/in-database.js'
import { Bench, until } from './support/launched.js'

/** Kills the process while it issues an invoice: the month is invoiced and mailed once, and the numbers have no gap. */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())
const crashAt = createCrashAt(bench, { BILLING_PROVIDER: 'none' })

const month = (back: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back))
    .toISOString()
    .slice(0, 7)
}

/** An organization with a plan that costs something, since the beginning of the last month. */
async function prepare(author: Author, _analysis: string, dataDir: string) {
  const { api_id: id } = await author.json<Created>('POST', 'organization/', { name: 'Institute' })
  const last = month(1)
  await inDatabase(dataDir, 'catalog', async (client) => {
    await client.query('update plan set monthly_cost = 12.5')
  })
  await author.json('PATCH', `organization/${id}/billing/`, {
    name: 'Payer',
    email: 'books@example.org',
  })
  await inDatabase(dataDir, 'catalog', async (client) => {
    await client.query('update billing_account set next_period = $2 where holder_id = $1', [
      id,
      last,
    ])
    await client.query('update billing_change set changed_on = $2 where holder_id = $1', [
      id,
      `${last}-01T00:00:00Z`,
    ])
  })
  return { id, dataDir }
}

const issue = (dataDir: string) =>
  inDatabase(dataDir, 'catalog', async (client) => {
    await client.query("select enqueue_job('issue-invoices', null, '{}', null, 0, null, 25)")
    const left = "select from job where name = 'issue-invoices'"
    await until(async () => (await client.query(left)).rowCount === 0, 'the invoices')
  })

/** The ids of the mails that link to the invoices of an organization. A mail that is sent again has the same id. */
async function messageIdsAbout(dataDir: string, id: string) {
  const mails = await mailsIn(dataDir)
  const about = mails.filter((mail) => mail.includes(`/organization/${id}/billing/`))
  return new Set(about.map((mail) => /^Message-ID: (.*)$/m.exec(mail)?.[1]))
}

for (const point of [...around('catalog.issue-invoices'), ...transaction('catalog', 2)]) {
  test(`a month is invoiced and mailed once although a process is killed at ${point}`, async () => {
    await crashAt(
      point,
      prepare,
      async (author, { id, dataDir }) => {
        await author.json('PATCH', `organization/${id}/billing/`, { name: 'Another payer' })
        await issue(dataDir)
      },
      async (author, { id, dataDir }) => {
        await issue(dataDir)
        const path = `organization/${id}/billing/invoice/`
        const invoices = await author.json<{ period: string }[]>('GET', path)
        assert.deepEqual(
          invoices.map(({ period }) => period),
          [month(1)],
        )
        await inDatabase(dataDir, 'catalog', async (client) => {
          const { rows } = await client.query('select number from invoice order by number')
          assert.deepEqual(
            rows.map(({ number }) => number),
            rows.map((_, at) => `INV-${String(at + 1).padStart(6, '0')}`),
          )
          const unsent = "select from job where name = 'send-mail'"
          await until(async () => (await client.query(unsent)).rowCount === 0, 'the mails')
        })
        assert.equal((await messageIdsAbout(dataDir, id)).size, 1)
      },
    )
  })
}
