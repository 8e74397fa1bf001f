import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeType } from '@figbase/proto/catalog'
import { UseType } from '@figbase/proto/revisions'
import { parseLinks } from './links.js'
import { ofFigures, revisionKind } from './revision-kind.js'

const { DIRECT, INDIRECT } = UseType
const id = (digit: string) => `${digit.repeat(8)}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`
const link = (assetRevisionId: string, useType: UseType = DIRECT) => ({ assetRevisionId, useType })
const ofAssets = revisionKind(NodeType.ASSET_REVISION)

test('links keep their order, without duplicates', () => {
  const links = [link(id('b').toUpperCase()), link(id('a')), link(id('b')), link(id('b'), INDIRECT)]
  assert.deepEqual(parseLinks(links, ofFigures, 4), [
    link(id('b')),
    link(id('a')),
    link(id('b'), INDIRECT),
  ])
})

test('rejects links of an asset revision', () => {
  assert.deepEqual(parseLinks([], ofAssets, 4), [])
  const message = '[invalid_argument] assets: can only be linked to figure revisions'
  assert.throws(() => parseLinks([link(id('a'))], ofAssets, 4), { message })
})

test('names the index of an invalid link', () => {
  const refused: [links: ReturnType<typeof link>[], text: string][] = [
    [[link(id('a')), link(id('b')), link(id('c'))], 'assets: must have at most 2 elements'],
    [[link(id('a')), link('b')], 'assets[1].asset_revision: must be a UUID'],
    [[link(id('a'), UseType.UNSPECIFIED)], 'assets[0].use_type: is required'],
    [[link(id('a'), 99 as UseType)], 'assets[0].use_type: is required'],
  ]
  for (const [links, text] of refused) {
    const message = `[invalid_argument] ${text}`
    assert.throws(() => parseLinks(links, ofFigures, 2), { message })
  }
})
