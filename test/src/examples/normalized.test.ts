import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseExamples } from './choose.js'
import { normalized } from './normalized.js'

const answer = (id: string, user: string) => ({
  api_id: id,
  name: 'Field trip 3f9a2c71',
  created_by: user,
  created_on: '2026-11-25T10:11:12.123456Z',
  started: '2026-11-25T10:11:12.123Z',
  hash: 'ab'.repeat(32),
  token: 'secret',
  thumbnail: 'x'.repeat(1000),
  revisions: [{ figure: id }, { figure: id }],
  updated_by: null,
  push_url: `http://127.0.0.1:4${user.slice(-4)}/api/git_repository/${id}/push/`,
  import_source: `git+https://127.0.0.1:3${user.slice(-4)}/${id}/plots.git@${id.replaceAll('-', '')}#a.png`,
})

test('an example has no secret, and is the same in each run', () => {
  const first = normalized(answer('0c9f4b8e-3a55-4d2c-9f7e-6a1b2c3d4e5f', 'e2e1234'))
  const second = normalized(answer('5d0f4b8e-3a55-4d2c-9f7e-6a1b2c3d4e50', 'e2e9876'))
  assert.deepEqual(first, second)
  const { thumbnail, ...rest } = first as { thumbnail: string }
  assert.ok(thumbnail.length < 200)
  assert.deepEqual(rest, {
    api_id: '00000000-0000-4000-8000-000000000001',
    name: 'Field trip',
    created_by: 'ada',
    created_on: '2026-01-31T12:00:00.000000Z',
    started: '2026-01-31T12:00:00.000Z',
    hash: '0123456789abcdef'.repeat(4),
    token: 'figbase_0123456789abcdef',
    revisions: [{ figure: '00000000-0000-4000-8000-000000000001' }],
    updated_by: null,
    push_url:
      'https://figbase.example.org/api/git_repository/00000000-0000-4000-8000-000000000001/push/',
    import_source:
      'git+https://git.example.org/plots.git@0123456789abcdef0123456789abcdef01234567#a.png',
  })
})

test('the example of a response is the answer that shows most, and then the shortest', () => {
  const answers = [
    { a: null, b: null },
    { a: 'long', b: 'text' },
    { a: 1, b: 2 },
    { a: 1, b: null },
  ]
  const recorded = answers.map((body) => ({ response: '200.X', body }))
  assert.deepEqual(chooseExamples(recorded), { '200.X': { a: 1, b: 2 } })
  assert.deepEqual(chooseExamples(recorded.reverse()), { '200.X': { a: 1, b: 2 } })
})
