import assert from 'node:assert/strict'
import { test } from 'node:test'
import { list as pages } from '@figbase/client'
import { newAnalysis, newWorkspace } from '../src/publish.js'
import type { Analysis, Workspace } from '../src/resources.js'
import { signUp } from '../src/users.js'

// Longer than any page of the internal lists. Clients create duplicates if a list is incomplete.
const COUNT = 1_005
const AT_ONCE = 12

test('a list of more than a thousand children is complete, in order and without duplicates', async () => {
  const alice = await signUp()
  const { api_id } = await newWorkspace(alice.api)
  let next = 0
  const creating = Array.from({ length: AT_ONCE }, async () => {
    while (next < COUNT) await newAnalysis(alice.api, api_id, `Analysis ${next++}`)
  })
  await Promise.all(creating)

  const { body: workspace } = await alice.api.get<Workspace>(`workspace/${api_id}/`)
  const { body: list } = await alice.api.get<Analysis[]>('analysis/')
  for (const analyses of [workspace.analyses ?? [], list]) {
    assert.equal(analyses.length, COUNT)
    assert.equal(new Set(analyses.map((analysis) => analysis.name)).size, COUNT)
    const times = analyses.map(({ created_on }) => created_on)
    assert.deepEqual(times, [...times].sort())
  }
  const names: string[] = []
  for await (const { name } of pages(alice.figbase, '/analysis/')) names.push(name)
  assert.deepEqual(
    names,
    list.map(({ name }) => name),
  )
})
