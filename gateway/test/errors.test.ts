import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { invalidAll } from '@figbase/kit/errors'
import { CatalogService } from '@figbase/proto/catalog'
import { PlansService } from '@figbase/proto/catalog/plans'
import { CommentsService } from '@figbase/proto/comments'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { SiteService } from '@figbase/proto/identity/site'
import { SshKeysService } from '@figbase/proto/identity/ssh-keys'
import { RevisionsService } from '@figbase/proto/revisions'
import { authorization, startEdge } from './start-edge.js'

type Refusal = { error: string; detail: string; errors?: { field: string; problem: string }[] }

const id = randomUUID()

/** Fake services that fail on every call except permission checks: invalid requests must not reach them. */
function start() {
  return startEdge((router) => {
    router.service(CatalogService, { checkAccess: () => ({}) })
    for (const service of [
      PlansService,
      CommentsService,
      IdentityService,
      AccountsService,
      SiteService,
      SshKeysService,
    ]) {
      router.service(service, {})
    }
    router.service(RevisionsService, {
      async createRevision(parts) {
        for await (const _ of parts);
        return {}
      },
    })
  })
}

async function refusalOf(
  { url }: { url: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<Refusal & { status: number }> {
  const answer = await fetch(`${url}/api/${path.startsWith('token') ? path : `v1.4.1/${path}`}`, {
    method,
    headers: { ...authorization(), 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, ...((await answer.json()) as Refusal) }
}

const named = ({ errors = [] }: Refusal) => errors.map(({ field }) => field)

type Case = [method: string, path: string, body: unknown, problems: Record<string, string>]

const required = 'is required'
const cases: Case[] = [
  // Missing members and wrong types are all reported at once.
  ['POST', 'analysis/', {}, { name: required, workspace: required }],
  [
    'POST',
    'analysis/',
    { name: 1, workspace: null, description: [] },
    {
      name: 'must be a string',
      workspace: 'must be a UUID',
      description: 'must be a string or null',
    },
  ],
  ['POST', 'user/', {}, { username: required, email: required, password: required }],
  ['POST', 'token/', {}, { username: required, password: required }],
  ['POST', 'token/', { username: 5, password: 'p' }, { username: 'must be a string' }],
  ['POST', 'api_key/', { name: 1, workspace: 2 }, { name: 'must be a string' }],
  ['POST', 'ssh_key/', {}, { name: required, private_key: required }],
  ['POST', 'reaction/', {}, { comment_id: required, emoji: required }],
  ['POST', 'plan/', {}, { name: required }],
  ['POST', 'asset/find_by_name/', {}, { name: required }],
  ['POST', `workspace/${id}/share/user/`, {}, {}],
  ['POST', `figure/${id}/share/user/`, {}, { username: required, sharing_enabled: required }],
  ['POST', `user/ann/staff/`, {}, { is_staff: required }],
  ['PUT', `user/ann/`, { email: 1, first_name: 2 }, { email: 'must be a string' }],
  ['POST', 'upload/direct/', { size_bytes: -1 }, { size_bytes: 'must not be negative' }],
  ['POST', 'upload/direct/', {}, { size_bytes: required }],
  // For a streamed body, only the errors found so far are reported.
  ['POST', 'revision/', { data: [] }, { figure: required }],
  ['POST', 'revision/', { figure: 5, data: [] }, { figure: 'must be a UUID' }],
  [
    'POST',
    'revision/',
    { figure: id, data: [{ type: 'image', data: '' }, { is_clean_room: 1 }] },
    {
      'data[1].type': required,
      'data[1].data': required,
      'data[1].is_clean_room': 'must be true or false',
    },
  ],
  [
    'POST',
    'revision/',
    { figure: id, data: [{ type: 'movie', data: '' }] },
    { 'data[0].type': 'must be one of image, code, text, dataframe, file' },
  ],
  // Queries.
  [
    'GET',
    'tasks/?created_at__gte=x&created_at__lte=y',
    undefined,
    {
      created_at__gte: 'must be a time such as 2026-01-31T12:00:00Z',
      created_at__lte: 'must be a time such as 2026-01-31T12:00:00Z',
    },
  ],
  ['GET', `workspace/${id}/recent/?limit=0`, undefined, { limit: 'must be at least 1' }],
  [
    'GET',
    `workspace/${id}/recent/?limit=12345678901`,
    undefined,
    { limit: 'must be a whole number from 1 to 999999999' },
  ],
  // Invalid suggestions are not offered.
  ...['add', 'change'].flatMap((action): Case[] => [
    [
      'POST',
      `workspace/${id}/members/${action}/`,
      { username: 'bob', membership_type: 'org_admin' },
      { membership_type: 'must be one of admin, creator, viewer' },
    ],
    [
      'POST',
      `organization/${id}/members/${action}/`,
      { username: 'bob', membership_type: 'creator' },
      {
        membership_type:
          'must be one of org_admin, workspace_admin, workspace_creator, workspace_viewer',
      },
    ],
  ]),
  [
    'POST',
    'invitations/workspace/',
    { email: 'a@b.org', workspace: id, membership_type: 'owner' },
    { membership_type: 'must be one of admin, creator, viewer' },
  ],
  [
    'POST',
    'workspace/',
    { name: 'W', workspace_type: 'primary' },
    { workspace_type: 'must be secondary' },
  ],
  [
    'PATCH',
    `workspace/${id}/`,
    { workspace_type: 'tertiary' },
    { workspace_type: 'must be primary or secondary' },
  ],
  [
    'POST',
    'asset_revision/find_by_hash/',
    { hash_type: 'md5', digest: 'x' },
    { hash_type: 'must be blake3', digest: 'must be 64 hexadecimal digits' },
  ],
  [
    'POST',
    'comment/',
    { target_type: 'workspace' },
    {
      target_type: 'must be one of asset, asset_revision, figure, figure_revision',
      target_id: required,
      content: required,
    },
  ],
]

test('reports all invalid members with their problems', async () => {
  await using edge = await start()
  for (const [method, path, body, problems] of cases) {
    const refusal = await refusalOf(edge, method, path, body)
    const what = `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(refusal)}`
    assert.equal(refusal.status, 400, what)
    assert.equal(refusal.error, 'invalid_request', what)
    const found = Object.fromEntries((refusal.errors ?? []).map((one) => [one.field, one.problem]))
    for (const [field, problem] of Object.entries(problems)) {
      assert.equal(found[field], problem, what)
    }
    const [first] = refusal.errors ?? []
    assert.equal(refusal.detail, `${first?.field}: ${first?.problem}`, what)
  }
})

/** Bodies of routes that public clients do not call. */
const closed: [method: string, path: string, misspelt: string, meant: string][] = [
  ['PUT', 'settings/', 'anouncement', 'announcement'],
  ['PATCH', 'settings/', 'anouncement', 'announcement'],
  ['POST', 'plan/', 'max_user', 'max_users'],
  ['PUT', `plan/${id}/`, 'max_user', 'max_users'],
  ['PATCH', `plan/${id}/`, 'max_user', 'max_users'],
  ['POST', 'promotion_code/', 'use_max', 'uses_max'],
  ['POST', `workspace/${id}/promotion/`, 'promotioncode', 'promotion_code'],
  ['POST', `workspace/${id}/subscription/`, 'plans', 'plan'],
  [
    'PATCH',
    `organization/${id}/subscription/`,
    'compute_overage_enabled',
    'compute_overages_enabled',
  ],
  ['POST', 'ssh_key/', 'pass_phrase', 'passphrase'],
  ['PATCH', `ssh_key/${id}/`, 'isdefault', 'is_default'],
  ['POST', 'comment/', 'parent_comment', 'parent_comment_id'],
  ['PUT', `comment/${id}/`, 'contents', 'content'],
  ['POST', 'reaction/', 'emojis', 'emoji'],
  ['POST', 'token/revoke/', 'al', 'all'],
  ['POST', 'user/ann/staff/', 'isstaff', 'is_staff'],
  ['POST', 'user/ann/verify_email/', 'tokens', 'token'],
  ['DELETE', 'user/ann/', 'pasword', 'password'],
  ['POST', 'upload/direct/', 'size_byte', 'size_bytes'],
  ['POST', `asset_revision/${id}/unlink_figure/`, 'figure_revisions', 'figure_revision'],
]

test('rejects unknown members where public clients send none, with a suggestion', async () => {
  await using edge = await start()
  for (const [method, path, misspelt, meant] of closed) {
    const body = { [misspelt]: 1, zzzzzzzzzzzz: 2 }
    const refusal = await refusalOf(edge, method, path, body)
    const what = `${method} ${path}: ${JSON.stringify(refusal)}`
    assert.equal(refusal.status, 400, what)
    const found = new Map(refusal.errors?.map((one) => [one.field, one.problem]))
    assert.equal(found.get(misspelt), `unknown member; did you mean ${meant}?`, what)
    assert.equal(found.get('zzzzzzzzzzzz'), 'unknown member', what)
  }
})

test('reports at most twenty problems, and truncates long names', async () => {
  await using edge = await start()
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`unknown${i}`, i]))
  const refusal = await refusalOf(edge, 'PATCH', 'settings/', { site_name: 1, ...many })
  assert.equal(refusal.errors?.length, 20)
  assert.ok(named(refusal).includes('site_name'))
  const long = await refusalOf(edge, 'PATCH', 'settings/', { ['x'.repeat(100_000)]: 1 })
  assert.equal(named(long)[0], `${'x'.repeat(100)}…`)
})

test('reports a body that is invalid as a whole', async () => {
  await using edge = await start()
  for (const body of ['null', '[]', '5', '"name"']) {
    const refusal = await refusalOf(edge, 'POST', 'workspace/', body)
    assert.equal(refusal.detail, 'the body must be a JSON object')
    assert.deepEqual(refusal.errors, [{ field: '', problem: 'the body must be a JSON object' }])
  }
  const malformed = await refusalOf(edge, 'POST', 'workspace/', '{"name": "x",}')
  assert.equal(malformed.error, 'malformed_json')
  assert.match(malformed.detail, /position 13/)
})

test('reports problems found by a service in the same form, only with a 400', async () => {
  const violations = Array.from({ length: 25 }, (_, i) => ({ field: `m${i}`, reason: 'is wrong' }))
  const [first, ...others] = violations
  assert.ok(first)
  await using edge = await startEdge((router) => {
    router.service(IdentityService, {
      createApiKey: () => {
        throw invalidAll([first, ...others])
      },
    })
  })
  const refusal = await refusalOf(edge, 'POST', 'api_key/', { name: 'k' })
  assert.equal(refusal.status, 400)
  assert.equal(refusal.detail, 'm0: is wrong')
  assert.equal(refusal.errors?.length, 20)
  assert.deepEqual(refusal.errors?.[1], { field: 'm1', problem: 'is wrong' })
})
