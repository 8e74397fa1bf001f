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
