import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { isPushOf, isSignedPush } from './git-push.js'

const secret = `whsec_${Buffer.from('a key of 32 bytes that is secret').toString('base64')}`
const body = Buffer.from('{"ref":"refs/heads/main","after":"abc"}')
const hex = (key: string) => createHmac('sha256', key).update(body).digest('hex')

function standard(seconds: number, key = secret) {
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64')
  const signed = createHmac('sha256', bytes).update(`m1.${seconds}.${body}`).digest('base64')
  return {
    'webhook-id': 'm1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,AAAA v1,${signed}`,
  }
}
const now = Math.floor(Date.now() / 1000)

const cases: [what: string, headers: Record<string, string>, isSigned: boolean][] = [
  ['GitHub', { 'x-hub-signature-256': `sha256=${hex(secret)}` }, true],
  ['GitHub with another secret', { 'x-hub-signature-256': `sha256=${hex('x')}` }, false],
  ['GitHub without a signature', { 'x-hub-signature-256': '' }, false],
  ['Gitea', { 'x-gitea-signature': hex(secret) }, true],
  ['Gitea with another secret', { 'x-gitea-signature': hex('x') }, false],
  ['GitLab', { 'x-gitlab-token': secret }, true],
  ['GitLab with another secret', { 'x-gitlab-token': `${secret}x` }, false],
  ['GitLab with a signing token', standard(now), true],
  ['GitLab with an old signature', standard(now - 600), false],
  ['GitLab without a time', { ...standard(now), 'webhook-timestamp': 'x' }, false],
  ['GitLab with another signing token', standard(now, `whsec_${'A'.repeat(44)}`), false],
  ['no header', {}, false],
]

for (const [what, headers, isSigned] of cases) {
  test(`a push of ${what} is ${isSigned ? 'accepted' : 'refused'}`, () => {
    assert.equal(isSignedPush(headers, body, secret), isSigned)
  })
}

test('pushes to the branch and of tags, and nothing else', () => {
  const github = { 'x-github-event': 'push' }
  const ref = (value: unknown, more: object = {}) =>
    Buffer.from(JSON.stringify({ ref: value, ...more }))
  const gone = { after: '0'.repeat(40) }
  assert.ok(isPushOf('main', github, body))
  assert.ok(isPushOf('main', { 'x-gitlab-event': 'Push Hook' }, body))
  assert.ok(isPushOf('a/b', { 'x-gitea-event': 'push' }, ref('refs/heads/a/b')))
  assert.ok(isPushOf('main', github, ref('refs/tags/v1')))
  assert.ok(isPushOf('main', { 'x-gitlab-event': 'Tag Push Hook' }, ref('refs/tags/v1')))
  assert.ok(isPushOf('main', github, Buffer.from(`payload=${encodeURIComponent(`${body}`)}`)))
  for (const [headers, bytes] of [
    [{ 'x-github-event': 'ping' }, body],
    [{}, body],
    [github, ref('refs/heads/other')],
    [github, ref('refs/notes/main')],
    [github, ref(1)],
    [github, ref('refs/heads/main', gone)],
    [github, ref('refs/tags/v1', gone)],
    ...['', 'null', '[]', '{', 'payload=%7B'].map((text) => [github, Buffer.from(text)]),
  ] as [Record<string, string>, Buffer][])
    assert.equal(isPushOf('main', headers, bytes), false, bytes.toString())
})
