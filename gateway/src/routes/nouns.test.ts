import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nounOf } from './nouns.js'

const nouns: [segment: string, a: string, many: string, idPart: string, idParts: string][] = [
  ['figure', 'a figure', 'figures', 'Figure', 'Figures'],
  ['analysis', 'an analysis', 'analyses', 'Analysis', 'Analyses'],
  ['story', 'a story', 'stories', 'Story', 'Stories'],
  ['revision', 'a figure revision', 'figure revisions', 'Revision', 'Revisions'],
  ['asset_revision', 'an asset revision', 'asset revisions', 'AssetRevision', 'AssetRevisions'],
]

for (const [segment, a, many, idPart, idParts] of nouns) {
  test(`the words for ${segment}`, () => {
    assert.deepEqual(nounOf(segment), { a, many, idPart, idParts })
  })
}
