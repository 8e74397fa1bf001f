import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeType } from '@figbase/proto/catalog'
import { GitImportState } from '@figbase/proto/git'
import { namesOf, picture, startImporting, succeeded } from './git/imports.js'
import { ada, until } from './service.js'

const pictures = 60

test('a running import that is cancelled ends soon, and the next one doubles nothing', async () => {
  await using at = await startImporting()
  const names = Array.from({ length: pictures }, (_, n) => `p${n}`)
  at.commit(Object.fromEntries(names.map((name) => [`${name}.png`, picture(name)])))
  const { id } = await at.register()
  const published = async () => Object.keys(await namesOf(at, NodeType.FIGURE)).length
  const { import: one } = await at.client.importGitRepository({ id }, ada)
  await until(async () => (await published()) > 2)
  at.cancel()
  const cancelled = await at.ended(id, one?.id ?? '')
  assert.equal(cancelled.state, GitImportState.CANCELLED)
  const before = await published()
  assert.ok(before < pictures, `${before} figures were imported before the end`)
  const figures = cancelled.counts?.figures ?? 0
  assert.ok(figures > 0 && figures <= before)

  succeeded(await at.import(id))
  assert.deepEqual(
    await namesOf(at, NodeType.FIGURE),
    Object.fromEntries(names.sort().map((name) => [name, 1])),
  )
})

test('an import that is cancelled before it begins ends with its job', async () => {
  await using at = await startImporting({ isCancelled: true })
  at.commit({ 'a.png': picture('a') })
  const { id } = await at.register()
  const { import: one } = await at.client.importGitRepository({ id }, ada)
  await until(async () => {
    const jobs = await at.bench.query('select from job where key = $1', [one?.taskId])
    return jobs.length === 0
  })
  const { imports } = await at.client.listGitImports({ repositoryId: id }, ada)
  assert.deepEqual(
    imports.map(({ state }) => state),
    [GitImportState.CANCELLED],
  )
  assert.deepEqual(await namesOf(at, NodeType.FIGURE), {})
})

test('a cancelled import that still waits does not stand for a later one', async () => {
  await using at = await startImporting()
  at.commit({ 'a.png': picture('a') })
  const { id } = await at.register()
  const [waiting] = await at.bench.query<{ id: string; task_id: string }>(
    `insert into git_import (id, repository_id, task_id, trigger)
     values (gen_random_uuid(), $1, gen_random_uuid(), 'USER') returning id, task_id`,
    [id],
  )
  assert.ok(waiting)
  const { import: same } = await at.client.importGitRepository({ id }, ada)
  assert.equal(same?.id, waiting.id)
  at.assigning.isUnavailable = true
  const { import: still } = await at.client.importGitRepository({ id }, ada)
  assert.equal(still?.id, waiting.id, 'also while cancellations cannot be read')
  at.assigning.isUnavailable = false
  at.cancel(waiting.task_id)
  assert.deepEqual(succeeded(await at.import(id)), { figures: 1, figuresCreated: 1 })
  const { state } = await at.ended(id, waiting.id)
  assert.equal(state, GitImportState.CANCELLED)
})
