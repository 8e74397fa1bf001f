import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Node } from '@figbase/proto/catalog'
import {
  ada,
  assertError,
  bob,
  createRevision,
  createTree,
  cyd,
  denied,
  get,
  nobody,
  startTestCatalog,
  system,
  type TestCatalog,
  unauthenticated,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

let version = 0
const setLinks = (linksAllowed: boolean) =>
  catalog.client.setSiteRules({ version: ++version, linksAllowed }, system)
type Named = Pick<Node, 'id' | 'type'>
const link = ({ id, type }: Named, enabled = true) =>
  catalog.client.setLinkShare({ id, type, enabled }, ada)
const linked = async ({ id, type }: Named) =>
  (await catalog.client.getLinkShare({ id, type }, ada)).enabled

test('disabling links for the site disables existing links, and nothing else', async () => {
  const { analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id)
  await link(analysis)
  const { id, type } = figure
  await catalog.client.setUserShare({ id, type, username: 'cyd', enabled: true }, ada)
  for (let round = 0; round < 2; round++) {
    for (const as of [bob, nobody]) assert.equal((await get(catalog, revision, as)).id, revision.id)
    await setLinks(false)
    for (const shared of [revision, figure, analysis]) {
      await assertError(get(catalog, shared, bob), denied)
      await assertError(get(catalog, shared, nobody), unauthenticated)
      const { nodes } = await catalog.client.resolveNodes({ ids: [shared.id] }, bob)
      assert.deepEqual(nodes, [])
    }
    await get(catalog, revision)
    await get(catalog, revision, cyd)
    assert.equal(await linked(analysis), false)
    await assertError(link(figure), {
      code: 'PermissionDenied',
      error: 'link_sharing_not_allowed',
    })
    await setLinks(true)
    assert.equal(await linked(analysis), true)
  }
  await setLinks(false)
  await link(analysis, false)
  await setLinks(true)
  await assertError(get(catalog, revision, nobody), unauthenticated)
})

test('ignores an older version of the settings', async () => {
  const { figure } = await createTree(catalog)
  await link(figure)
  await setLinks(true)
  const late = { version: version - 1, linksAllowed: false }
  await catalog.client.setSiteRules(late, system)
  await get(catalog, figure, nobody)
  for (const as of [ada, nobody]) {
    await assertError(catalog.client.setSiteRules({ version: 99, linksAllowed: false }, as), denied)
  }
})
