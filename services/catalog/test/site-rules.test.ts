import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Node } from '@figbase/proto/catalog'
import {
  ada,
  type Bench,
  bob,
  cyd,
  denied,
  get,
  makeRevision,
  makeTree,
  nobody,
  refused,
  startBench,
  system,
  unauthenticated,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

let version = 0
const setLinks = (linksAllowed: boolean) =>
  bench.client.setSiteRules({ version: ++version, linksAllowed }, system)
type Named = Pick<Node, 'id' | 'type'>
const link = ({ id, type }: Named, enabled = true) =>
  bench.client.setLinkShare({ id, type, enabled }, ada)
const linked = async ({ id, type }: Named) =>
  (await bench.client.getLinkShare({ id, type }, ada)).enabled

test('a site without links shuts those that are there, at once, and no other way in', async () => {
  const { analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id)
  await link(analysis)
  const { id, type } = figure
  await bench.client.setUserShare({ id, type, username: 'cyd', enabled: true }, ada)
  for (let round = 0; round < 2; round++) {
    for (const as of [bob, nobody]) assert.equal((await get(bench, revision, as)).id, revision.id)
    await setLinks(false)
    for (const shared of [revision, figure, analysis]) {
      await refused(get(bench, shared, bob), denied)
      await refused(get(bench, shared, nobody), unauthenticated)
      const { nodes } = await bench.client.resolveNodes({ ids: [shared.id] }, bob)
      assert.deepEqual(nodes, [])
    }
    await get(bench, revision)
    await get(bench, revision, cyd)
    assert.equal(await linked(analysis), false)
    await refused(link(figure), {
      code: 'PermissionDenied',
      error: 'link_sharing_not_allowed',
    })
    await setLinks(true)
    assert.equal(await linked(analysis), true)
  }
  await setLinks(false)
  await link(analysis, false)
  await setLinks(true)
  await refused(get(bench, revision, nobody), unauthenticated)
})

test('what was said of an older version comes too late', async () => {
  const { figure } = await makeTree(bench)
  await link(figure)
  await setLinks(true)
  const late = { version: version - 1, linksAllowed: false }
  await bench.client.setSiteRules(late, system)
  await get(bench, figure, nobody)
  for (const as of [ada, nobody]) {
    await refused(bench.client.setSiteRules({ version: 99, linksAllowed: false }, as), denied)
  }
})
