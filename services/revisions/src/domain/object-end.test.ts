import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { CreateRevisionRequest_DataObjectEndSchema, DataType } from '@figbase/proto/revisions'
import { parseObjectEnd } from './object-end.js'

type End = MessageInitShape<typeof CreateRevisionRequest_DataObjectEndSchema>

const parsed = (end: End) =>
  parseObjectEnd(
    create(CreateRevisionRequest_DataObjectEndSchema, { type: DataType.FILE, ...end }),
    3,
    2,
  )

test('missing members of a data object are empty', () => {
  const facts = { name: null, type: DataType.FILE, metadata: '{}', isCleanRoom: false }
  for (const metadataJson of ['', 'null', ' null ']) {
    assert.deepEqual(parsed({ metadataJson }), { facts })
  }
})

test('members of a data object are kept unchanged', () => {
  const said = { name: 'x'.repeat(1000), type: DataType.IMAGE, isCleanRoom: true }
  for (const metadata of ['{ "a": [] }', '[]']) {
    const facts = { ...said, metadata }
    assert.deepEqual(parsed({ ...said, metadataJson: metadata }), { facts })
  }
})

const refused: [end: End, text: string][] = [
  [{ type: DataType.UNSPECIFIED }, 'data[3].type: is required'],
  [{ type: 99 as DataType }, 'data[3].type: is required'],
  [{ name: 'x'.repeat(1001) }, 'data[3].name: must have at most 1000 characters'],
  [{ metadataJson: '{' }, 'data[3].metadata: must be JSON'],
  [{ metadataJson: '[[[]]]' }, 'data[3].metadata: is nested more than 2 levels deep'],
  [{ metadataJson: '7' }, 'data[3].metadata: must be an object'],
]
for (const [end, text] of refused) {
  test(`returns a problem of a data object: ${text}`, () => {
    const { facts, problem } = parsed(end)
    assert.equal(problem?.message, `[invalid_argument] ${text}`)
    assert.equal(facts.type, end.type ?? DataType.FILE)
  })
}
