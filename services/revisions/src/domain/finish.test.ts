import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseChanges, parseFinish } from './finish.js'

const limits = { metadataDepthMax: 2, descriptionCharsMax: 5 }
const said = { metadataJson: '', isCleanRoom: false, silent: false, description: '' }
const id = '0b1c2d3e-4f5a-4b6c-8d7e-8f9a0b1c2d3e'
const refusal = (text: string) => ({ message: `[invalid_argument] ${text}` })

test('missing members of a new revision are empty', () => {
  assert.deepEqual(parseFinish(said, limits), {
    clientId: undefined,
    metadata: '{}',
    shortId: null,
    isCleanRoom: false,
    silent: false,
    description: null,
  })
})

test('members of a new revision are kept unchanged', () => {
  const finish = {
    clientId: id.toUpperCase(),
    shortId: '0aZ9bYc10',
    metadataJson: '{ "a": [] }',
    isCleanRoom: true,
    silent: true,
    description: 'seeds',
  }
  const { metadataJson: metadata, ...others } = finish
  assert.deepEqual(parseFinish(finish, limits), { ...others, metadata, clientId: id })
})

const refused: [what: Partial<Parameters<typeof parseFinish>[0]>, text: string][] = [
  [{ clientId: '' }, 'client_id: must be a UUID'],
  [{ clientId: 'one' }, 'client_id: must be a UUID'],
  [{ metadataJson: '{' }, 'metadata: must be JSON'],
  [{ metadataJson: '[[[]]]' }, 'metadata: is nested more than 2 levels deep'],
  [{ description: 'seeds!' }, 'description: must have at most 5 characters'],
]
for (const [what, text] of refused) {
  test(`rejects a revision with ${JSON.stringify(what)}`, () => {
    assert.throws(() => parseFinish({ ...said, ...what }, limits), refusal(text))
  })
}

test('an update changes only the given members, and an empty description removes it', () => {
  const nothing = { metadata: undefined, isCleanRoom: undefined, description: undefined }
  const changes = (finish: object) =>
    parseChanges(finish as Parameters<typeof parseChanges>[0], limits)
  assert.deepEqual(changes({}), nothing)
  assert.deepEqual(changes({ description: '' }), { ...nothing, description: null })
  assert.deepEqual(changes({ metadataJson: '[1]', isCleanRoom: false, description: 'new' }), {
    metadata: '[1]',
    isCleanRoom: false,
    description: 'new',
  })
  assert.throws(() => changes({ metadataJson: '' }), refusal('metadata: must be JSON'))
  assert.throws(
    () => changes({ description: 'seeds!' }),
    refusal('description: must have at most 5 characters'),
  )
})
