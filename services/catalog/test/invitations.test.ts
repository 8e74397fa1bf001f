import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { newId } from '@figbase/kit/ids'
import { type Node, type NodeType, Role } from '@figbase/proto/catalog'
import { purgeInvitations } from '../src/periodic/purge-invitations.js'
import {
  ada,
  assertError,
  bob,
  contents,
  createNode,
  createTree,
  cyd,
  denied,
  eve,
  get,
  grant,
  nobody,
  notFound,
  ORGANIZATION,
  startTestCatalog,
  type TestCatalog,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  const env = { MEMBERS_MAX: '3', INVITATIONS_MAX: '3', PUBLIC_URL: 'https://figbase.example.org/' }
  catalog = await startTestCatalog({ env })
})
after(() => catalog[Symbol.asyncDispose]())

const invalid = (field: string) => ({ code: 'InvalidArgument', field }) as const
const alreadyMember = { code: 'AlreadyExists', error: 'already_member' } as const
const { VIEWER, ADMIN, OWNER, WORKSPACE_CREATOR } = Role

type Named = Pick<Node, 'id' | 'type'>
type Wishes = { email?: string; role?: Role; expiresInMs?: number }

async function invite({ id, type }: Named, wishes: Wishes = {}, as = ada) {
  const { email = 'bob@example.org', expiresInMs } = wishes
  const role = wishes.role ?? (type === WORKSPACE ? VIEWER : WORKSPACE_CREATOR)
  const { invitation, token } = await catalog.client.createInvitation(
    {
      targetId: id,
      type,
      email,
      role,
      ...(expiresInMs && { expiresOn: timestampFromMs(Date.now() + expiresInMs) }),
    },
    as,
  )
  assert.ok(invitation)
  return { ...invitation, token }
}

const accept = (token: string, as = bob, type: NodeType = WORKSPACE) =>
  catalog.client.acceptInvitation({ token, type }, as)
const byToken = (token: string, as = bob, type: NodeType = WORKSPACE) =>
  catalog.client.getInvitationByToken({ token, type }, as)
const byId = (id: string, as = ada, type: NodeType = WORKSPACE) =>
  catalog.client.getInvitation({ id, type }, as)
const remove = (id: string, as = ada, type: NodeType = WORKSPACE) =>
  catalog.client.deleteInvitation({ id, type }, as)

async function open({ id, type }: Named, as = ada, pageSize = 1000) {
  const ids: string[] = []
  let pageToken = ''
  do {
    const request = { targetId: id, type, pageSize, pageToken }
    const page = await catalog.client.listInvitations(request, as)
    ids.push(...page.invitations.map((one) => one.id))
    pageToken = page.nextPageToken
  } while (pageToken)
  return ids
}

test('the language of an invitation is a language tag', async () => {
  const { workspace } = await createTree(catalog)
  const request = {
    targetId: workspace.id,
    type: WORKSPACE,
    email: 'bob@example.org',
    role: VIEWER,
  }
  for (const language of ['de_CH', 'de\r\nBcc: eve@example.org', '-', 'x'.repeat(99)]) {
    const made = catalog.client.createInvitation({ ...request, language }, ada)
    await assertError(made, invalid('language'))
  }
})

/** Moves the expiry of an invitation into the past. */
const expire = (id: string) =>
  catalog.query(`update invitation set expires_on = now() where id = '${id}'`)

for (const type of [WORKSPACE, ORGANIZATION]) {
  test(`a signed-in user with the token becomes a member, whatever their address (${type})`, async () => {
    const target = await createNode(catalog, type)
    const { token, $typeName: _, ...invitation } = await invite(target)
    const { $typeName: __, ...read } = (await byId(invitation.id, ada, type)).invitation ?? {}
    assert.deepEqual(read, invitation)
    const { targetId, email, invitedBy, role } = invitation
    const expected = [
      target.id,
      'bob@example.org',
      'ada',
      type === WORKSPACE ? VIEWER : WORKSPACE_CREATOR,
    ]
    assert.deepEqual([targetId, email, invitedBy, role], expected)
    const { invitation: found } = await byToken(token, cyd, type)
    assert.deepEqual([found?.id, found?.targetName], [invitation.id, 'a name'])
    assert.equal(read.targetName, '', 'only for the token')
    assert.deepEqual(await open(target), [invitation.id])
    await assertError(get(catalog, target, cyd), denied)
    await accept(token, cyd, type)
    await get(catalog, target, cyd)
    assert.deepEqual(await open(target), [])
    for (const as of [bob, cyd]) {
      await assertError(byToken(token, as, type), notFound)
      await assertError(accept(token, as, type), notFound)
    }
    await assertError(byId(invitation.id, ada, type), notFound)
    const { members } = await catalog.client.listMembers({ id: target.id, type }, ada)
    assert.deepEqual(members.map((member) => [member.username, member.role]).at(-1), ['cyd', role])
    await catalog.nextMail()
  })
}

test('the mail names the inviter and the target, and links to the token', async () => {
  const { node } = await catalog.client.createNode({ type: WORKSPACE, name: 'Deep <sea>' }, ada)
  assert.ok(node)
  const { token } = await invite(node, { email: 'Zoë@example.org' })
  const { to, subject, text } = await catalog.nextMail()
  assert.equal(to.address, 'Zoë@example.org')
  assert.equal(subject, 'ada Example invites you to “Deep <sea>”')
  assert.ok(text.includes(`https://figbase.example.org/invitations/workspace/${token}`), text)
  assert.match(text, / on Lab 9, where /)
  assert.match(text, /\nAnnouncement of Lab 9: Down on Friday\n\n-- \nSent by Lab 9\./)
})

test('a token is returned once and stored as a hash; a modified token is unknown', async () => {
  const { workspace } = await createTree(catalog)
  const { token, id } = await invite(workspace)
  assert.match(token, /^[\w-]{43}$/)
  const [row] = await catalog.query<{ text: string }>(
    `select i::text as text from invitation i where id = '${id}'`,
  )
  assert.ok(row && !row.text.includes(token))
  const other = token.startsWith('A') ? 'B' : 'A'
  const swapped = [...token].map((char) =>
    char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase(),
  )
  const wrong = [other + token.slice(1), swapped.join(''), token.slice(1), `${token} `, '', id]
  for (const one of wrong) {
    await assertError(byToken(one), notFound)
    await assertError(accept(one), notFound)
  }
  await assertError(byToken(token, bob, ORGANIZATION), notFound)
  await assertError(accept(token, bob, ORGANIZATION), notFound)
  await accept(token)
  await catalog.nextMail()
})

test('an attempt by a member consumes the invitation and does not change their role', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  await grant(catalog, 'bob', workspace, 'admin')
  for (const as of [ada, bob]) {
    const { token } = await invite(workspace)
    await assertError(accept(token, as), alreadyMember)
    await assertError(accept(token, cyd), notFound)
    await catalog.nextMail()
  }
  const { members } = await catalog.client.listMembers({ id: workspace.id, type: WORKSPACE }, ada)
  assert.deepEqual(
    members.map((member) => member.role),
    [OWNER, ADMIN],
  )
})

test('only one of two concurrent attempts consumes an invitation', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  const { token } = await invite(workspace)
  const outcomes = await Promise.allSettled([accept(token, bob), accept(token, cyd)])
  assert.equal(outcomes.filter((one) => one.status === 'fulfilled').length, 1)
  const { members } = await catalog.client.listMembers({ id: workspace.id, type: WORKSPACE }, ada)
  assert.equal(members.length, 2)
  await catalog.nextMail()
})

test('an expired invitation is not found, and its row is purged', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  const { id, token } = await invite(workspace)
  const { id: stays } = await invite(workspace)
  await expire(id)
  await assertError(byToken(token), notFound)
  await assertError(byId(id), notFound)
  await assertError(remove(id), notFound)
  assert.deepEqual(await open(workspace), [stays])
  await purgeInvitations.run(catalog.ctx, new AbortController().signal)
  const rows = await catalog.query<{ id: string }>(
    `select id from invitation where node_id = '${workspace.id}'`,
  )
  assert.deepEqual(rows, [{ id: stays }])
  const late = await invite(workspace)
  await expire(late.id)
  await assertError(accept(late.token), notFound)
  await assertError(get(catalog, workspace, bob), denied)
  for (let n = 0; n < 3; n++) await catalog.nextMail()
})

test('an invitation expires at the requested time, by default after a week, and at most after a month', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  const day = 24 * 3_600_000
  for (const [expiresInMs, lifetimeMs] of [
    [1000, 1000],
    [undefined, 7 * day],
    [400 * day, 30 * day],
  ]) {
    const { expiresOn } = await invite(workspace, expiresInMs ? { expiresInMs } : {})
    assert.ok(expiresOn && lifetimeMs)
    const actualMs = timestampDate(expiresOn).getTime() - Date.now()
    assert.ok(Math.abs(actualMs - lifetimeMs) < 30_000, `${actualMs} ms`)
    await catalog.nextMail()
  }
  const other = await createNode(catalog, WORKSPACE)
  await assertError(invite(other, { expiresInMs: -1000 }), invalid('expiry'))
  assert.deepEqual(await open(other), [])
})

test('a deleted invitation is not found; only managers can read and delete invitations', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  await grant(catalog, 'cyd', workspace, 'creator')
  const { id, token } = await invite(workspace)
  for (const as of [cyd, eve]) {
    await assertError(byId(id, as), denied)
    await assertError(remove(id, as), denied)
    await assertError(open(workspace, as), denied)
    await assertError(invite(workspace, { email: '' }, as), denied)
  }
  for (const one of [id, newId(), 'x']) {
    await assertError(byId(one, nobody), unauthenticated)
    await assertError(remove(one, nobody), unauthenticated)
  }
  await assertError(byToken(token, nobody), unauthenticated)
  await assertError(accept(token, nobody), unauthenticated)
  await assertError(invite(workspace, {}, nobody), unauthenticated)
  await assertError(open(workspace, nobody), unauthenticated)
  for (const one of [newId(), 'x']) {
    await assertError(byId(one), notFound)
    await assertError(remove(one), notFound)
  }
  await assertError(byId(id, ada, ORGANIZATION), notFound)
  await remove(id)
  await assertError(accept(token), notFound)
  await assertError(remove(id), notFound)
  await catalog.nextMail()
})

test('rejects an invalid invitation by field, and neither writes nor mails', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const organization = await createNode(catalog, ORGANIZATION)
  const untouched = await contents(catalog)
  for (const email of [
    '',
    'bob',
    'bob@',
    'a@b c',
    `${'x'.repeat(250)}@example.org`,
    'a\0@b.c',
    'a@b.c\nBcc: d@e.f',
  ]) {
    await assertError(invite(workspace, { email }), invalid('email'))
  }
  for (const role of [OWNER, Role.ORG_ADMIN, 99 as Role]) {
    await assertError(invite(workspace, { role }), invalid('membership_type'))
  }
  await assertError(invite(organization, { role: ADMIN }), invalid('membership_type'))
  for (const id of [newId(), '', analysis.id, organization.id]) {
    await assertError(invite({ id, type: WORKSPACE }), invalid('workspace'))
  }
  await assertError(invite(analysis), invalid('type'))
  assert.deepEqual(await contents(catalog), untouched)
  const [jobs] = await catalog.query<{ n: number }>('select count(*)::int as n from job')
  assert.equal(jobs?.n, 0)
})

test('an invitation cannot be accepted once the inviter has lost MANAGE', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  await grant(catalog, 'cyd', workspace, 'admin')
  const { token } = await invite(workspace, {}, cyd)
  await grant(catalog, 'cyd', workspace, 'viewer')
  await assertError(accept(token), notFound)
  await assertError(get(catalog, workspace, bob), denied)
  await catalog.nextMail()
})

test('an invitation to a deleted target is not found', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  const { token, id } = await invite(workspace)
  await catalog.client.deleteNode({ id: workspace.id }, ada)
  await assertError(byId(id), notFound)
  await assertError(accept(token), notFound)
  await catalog.nextMail()
})

test('an attempt to join a full workspace fails and keeps the invitation', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  await grant(catalog, 'cyd', workspace, 'viewer')
  await grant(catalog, 'eve', workspace, 'viewer')
  const { token } = await invite(workspace)
  await assertError(accept(token), invalid('username'))
  await catalog.client.removeMember({ id: workspace.id, type: WORKSPACE, username: 'eve' }, ada)
  await accept(token)
  await catalog.nextMail()
})

test('enforces INVITATIONS_MAX, and lists open invitations oldest first', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => invite(workspace)))
  const made = outcomes.filter((one) => one.status === 'fulfilled')
  assert.equal(made.length, 3)
  for (const lost of outcomes) {
    if (lost.status === 'rejected')
      await assertError(Promise.reject(lost.reason), invalid('workspace'))
  }
  const all = await open(workspace)
  assert.equal(all.length, 3)
  for (const pageSize of [1, 2]) assert.deepEqual(await open(workspace, ada, pageSize), all)
  await remove(all[0] ?? '')
  await invite(workspace)
  for (let n = 0; n < 4; n++) await catalog.nextMail()
})
