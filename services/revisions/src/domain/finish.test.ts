import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseChanges, parseFinish } from './finish.js'

const limits = { metadataDepthMax: 2, descriptionCharsMax: 5 }
const said = { metadataJson: '', isCleanRoom: false, silent: false, description: '' }
const id = '0b1c2d3e-4f5a-4b6c-8d7e-8f9a0b1c2d3e'
const refusal = (text: string) => ({ message: `[invalid_argument] ${text}` })

test('what is not said of a new revision is empty', () => {
  assert.deepEqual(parseFinish(said, limits), {
    clientId: undefined,
    metadata: '{}',
    shortId: null,
    isCleanRoom: false,
    silent: false,
    description: null,
  })
})

test('what is said of it is kept as it was said', () => {
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
  test(`a revision is refused for ${JSON.stringify(what)}`, () => {
    assert.throws(() => parseFinish({ ...said, ...what }, limits), refusal(text))
  })
}

test('of a stored revision only changes what is said, and an empty description is none', () => {
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
