import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { NodeType } from '@figbase/proto/catalog'
import { type GitImport, GitImportState, GitImportTrigger } from '@figbase/proto/git'
import { type Importing, namesOf, picture, startImporting, succeeded } from './git/imports.js'
import { ada, until } from './service.js'

let at: Importing
before(async () => {
  at = await startImporting()
  at.commit({ 'plots/means.png': picture('means') })
})
after(() => at[Symbol.asyncDispose]())

const schedule = '17 3 * * *'

/** Runs a job now, besides those that are planned for later. */
async function run(job: string) {
  const { query } = at.bench
  await query(`select enqueue_job($1, 'now', '{}', null, 0, null, 1)`, [job])
  const waiting = `select from job where name = $1 and key = 'now'`
  await until(async () => (await query(waiting, [job])).length === 0)
}

/** As if its next import had been due three days ago. */
const makeDue = (id: string) =>
  at.bench.query(
    `update git_repository set next_import_on = now() - interval '3 days' where id = $1`,
    [id],
  )

async function importsOf(repositoryId: string): Promise<GitImport[]> {
  return (await at.client.listGitImports({ repositoryId }, ada)).imports
}

async function repositoryOf(id: string) {
  const { repository } = await at.client.getGitRepository({ id }, ada)
  assert.ok(repository)
  return repository
}

test('an import that is due begins, missed times are made up for once, and the next one is later', async () => {
  const { id } = await at.register({ schedule })
  const { id: other } = await at.register({ schedule })
  const { id: never } = await at.register()
  await makeDue(id)
  await run('schedule-git-imports')
  const [one] = await importsOf(id)
  assert.equal(one?.trigger, GitImportTrigger.SCHEDULE)
  assert.deepEqual(succeeded(await at.ended(id, one.id)), { figures: 1, figuresCreated: 1 })
  const { nextImportOn } = await repositoryOf(id)
  assert.ok(nextImportOn && timestampDate(nextImportOn) > new Date())
  const planned = await at.bench.query(
    `select from job where name = 'schedule-git-imports' and run_at = $1::timestamptz`,
    [timestampDate(nextImportOn).toISOString()],
  )
  assert.equal(planned.length, 1)
  await run('schedule-git-imports')
  assert.equal((await importsOf(id)).length, 1)
  assert.deepEqual([...(await importsOf(other)), ...(await importsOf(never))], [])
})

test('a schedule that was removed starts nothing', async () => {
  const { id } = await at.register({ schedule })
  await makeDue(id)
  await at.client.updateGitRepository({ id, schedule: '' }, ada)
  await run('schedule-git-imports')
  assert.deepEqual(await importsOf(id), [])
})

for (const [what, users] of [
  ['deactivated', () => at.inactive],
  ['deleted', () => at.deleted],
] as const) {
  test(`nothing is imported for a user whose account is ${what}, and the schedule ends`, async () => {
    const { id, pushSecret } = await at.register({ schedule })
    const figures = await namesOf(at, NodeType.FIGURE)
    await makeDue(id)
    users().add('ada')
    await run('schedule-git-imports')
    const [scheduled] = await importsOf(id)
    assert.ok(scheduled)
    const failed = [await at.ended(id, scheduled.id)]
    const { nextImportOn, schedule: left } = await repositoryOf(id)
    assert.deepEqual([nextImportOn, left], [undefined, ''])

    const body = Buffer.from(JSON.stringify({ ref: 'refs/heads/main' }))
    const signature = createHmac('sha256', pushSecret).update(body).digest('hex')
    const headers = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}` }
    const pushed = await at.client.receiveGitPush({ repositoryId: id, body, headers }, ada)
    failed.push(await at.ended(id, pushed.import?.id ?? ''))
    for (const { state, error } of failed) {
      assert.equal(state, GitImportState.FAILED)
      assert.match(error, /^the account of ada, who registered the repository, is not active/)
    }
    assert.deepEqual(await namesOf(at, NodeType.FIGURE), figures)
    users().clear()
    assert.equal((await at.import(id)).state, GitImportState.SUCCEEDED)
  })
}

test('repositories of deleted analyses and of deleted users are deleted, and no others', async () => {
  const { bench } = at
  await bench.query('delete from git_repository')
  const gone = bench.catalog.analysis('ada')
  const { id: ofAnalysis } = await at.register({ targetId: gone })
  await at.import(ofAnalysis)
  const { id: ofUser } = await at.register()
  await bench.query(`update git_repository set created_by = 'eve' where id = $1`, [ofUser])
  const { id: kept } = await at.register()
  await at.import(kept)
  bench.catalog.deleted.push([gone])
  at.deleted.add('eve')
  await run('purge-deleted')
  const ids = async (sql: string) => (await bench.query<{ id: string }>(sql)).map(({ id }) => id)
  assert.deepEqual(await ids('select id from git_repository'), [kept])
  assert.deepEqual(await ids('select distinct repository_id as id from git_import'), [kept])
  assert.deepEqual(await ids('select distinct repository_id as id from git_slot'), [kept])
})

test('a repository above the limit of its workspace is refused, and nothing is planned for it', async () => {
  const { bench } = at
  const jobs = async () =>
    (await bench.query(`select from job where name = 'schedule-git-imports'`)).length
  const before = await jobs()
  const copies = `insert into git_repository (id, target_id, target_type, workspace_id, url, branch, include, exclude,
      schedule, push_secret_sealed, created_by)
    select gen_random_uuid(), target_id, target_type, workspace_id, url, branch, include, exclude, '', '', created_by
      from git_repository r, generate_series(1, 100) where r.id = $1`
  const { id } = await at.register()
  await bench.query(copies, [id])
  await assert.rejects(at.register({ schedule: '23 5 * * *' }), /already has 100 repositories/)
  assert.equal(await jobs(), before)
})
