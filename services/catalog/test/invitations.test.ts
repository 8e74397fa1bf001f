import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { newId } from '@figbase/kit'
import { type Node, type NodeType, Role } from '@figbase/proto/catalog'
import { purgeInvitations } from '../src/periodic/purge-invitations.js'
import {
  ada,
  type Bench,
  bob,
  contents,
  cyd,
  denied,
  eve,
  get,
  grant,
  make,
  makeTree,
  nobody,
  notFound,
  ORGANIZATION,
  refused,
  startBench,
  unauthenticated,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  const env = { MEMBERS_MAX: '3', INVITATIONS_MAX: '3', PUBLIC_URL: 'https://figbase.example.org/' }
  bench = await startBench({ env })
})
after(() => bench[Symbol.asyncDispose]())

const invalid = (field: string) => ({ code: 'InvalidArgument', field }) as const
const alreadyMember = { code: 'AlreadyExists', error: 'already_member' } as const
const { VIEWER, ADMIN, OWNER, WORKSPACE_CREATOR } = Role

type Named = Pick<Node, 'id' | 'type'>
type Wishes = { email?: string; role?: Role; expiresInMs?: number }

async function invite({ id, type }: Named, wishes: Wishes = {}, as = ada) {
  const { email = 'bob@example.org', expiresInMs } = wishes
  const role = wishes.role ?? (type === WORKSPACE ? VIEWER : WORKSPACE_CREATOR)
  const { invitation, token } = await bench.client.createInvitation(
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
  bench.client.acceptInvitation({ token, type }, as)
const byToken = (token: string, as = bob, type: NodeType = WORKSPACE) =>
  bench.client.getInvitationByToken({ token, type }, as)
const byId = (id: string, as = ada, type: NodeType = WORKSPACE) =>
  bench.client.getInvitation({ id, type }, as)
const remove = (id: string, as = ada, type: NodeType = WORKSPACE) =>
  bench.client.deleteInvitation({ id, type }, as)

async function open({ id, type }: Named, as = ada, pageSize = 1000) {
  const ids: string[] = []
  let pageToken = ''
  do {
    const request = { targetId: id, type, pageSize, pageToken }
    const page = await bench.client.listInvitations(request, as)
    ids.push(...page.invitations.map((one) => one.id))
    pageToken = page.nextPageToken
  } while (pageToken)
  return ids
}

/** Makes it as old as if its time had passed. */
const expire = (id: string) =>
  bench.query(`update invitation set expires_on = now() where id = '${id}'`)

for (const type of [WORKSPACE, ORGANIZATION]) {
  test(`who holds the token is a member after accepting, whatever his address (${type})`, async () => {
    const target = await make(bench, type)
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
    assert.equal((await byToken(token, cyd, type)).invitation?.id, invitation.id)
    assert.deepEqual(await open(target), [invitation.id])
    await refused(get(bench, target, cyd), denied)
    await accept(token, cyd, type)
    await get(bench, target, cyd)
    assert.deepEqual(await open(target), [])
    for (const as of [bob, cyd]) {
      await refused(byToken(token, as, type), notFound)
      await refused(accept(token, as, type), notFound)
    }
    await refused(byId(invitation.id, ada, type), notFound)
    const { members } = await bench.client.listMembers({ id: target.id, type }, ada)
    assert.deepEqual(members.map((member) => [member.username, member.role]).at(-1), ['cyd', role])
    await bench.nextMail()
  })
}

test('the mail says who invites to what, with a link that holds the token', async () => {
  const { node } = await bench.client.createNode({ type: WORKSPACE, name: 'Deep <sea>' }, ada)
  assert.ok(node)
  const { token } = await invite(node, { email: 'Zoë@example.org' })
  const { to, subject, text } = await bench.nextMail()
  assert.equal(to.address, 'Zoë@example.org')
  assert.equal(subject, 'ada Example invites you to “Deep <sea>”')
  assert.ok(text.includes(`https://figbase.example.org/invitations/workspace/${token}`), text)
  assert.match(text, / on Lab 9, where /)
  assert.match(text, /\nAnnouncement of Lab 9: Down on Friday\n\n-- \nSent by Lab 9\./)
})

test('a token is shown once, kept as a hash, and a changed one is good for nothing', async () => {
  const { workspace } = await makeTree(bench)
  const { token, id } = await invite(workspace)
  assert.match(token, /^[\w-]{43}$/)
  const [row] = await bench.query<{ text: string }>(
    `select i::text as text from invitation i where id = '${id}'`,
  )
  assert.ok(row && !row.text.includes(token))
  const other = token.startsWith('A') ? 'B' : 'A'
  const swapped = [...token].map((char) =>
    char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase(),
  )
  const wrong = [other + token.slice(1), swapped.join(''), token.slice(1), `${token} `, '', id]
  for (const one of wrong) {
    await refused(byToken(one), notFound)
    await refused(accept(one), notFound)
  }
  await refused(byToken(token, bob, ORGANIZATION), notFound)
  await refused(accept(token, bob, ORGANIZATION), notFound)
  await accept(token)
  await bench.nextMail()
})

test('the attempt of a member uses the invitation up and leaves his role', async () => {
  const workspace = await make(bench, WORKSPACE)
  await grant(bench, 'bob', workspace, 'admin')
  for (const as of [ada, bob]) {
    const { token } = await invite(workspace)
    await refused(accept(token, as), alreadyMember)
    await refused(accept(token, cyd), notFound)
    await bench.nextMail()
  }
  const { members } = await bench.client.listMembers({ id: workspace.id, type: WORKSPACE }, ada)
  assert.deepEqual(
    members.map((member) => member.role),
    [OWNER, ADMIN],
  )
})

test('of two who accept at once one becomes a member', async () => {
  const workspace = await make(bench, WORKSPACE)
  const { token } = await invite(workspace)
  const outcomes = await Promise.allSettled([accept(token, bob), accept(token, cyd)])
  assert.equal(outcomes.filter((one) => one.status === 'fulfilled').length, 1)
  const { members } = await bench.client.listMembers({ id: workspace.id, type: WORKSPACE }, ada)
  assert.equal(members.length, 2)
  await bench.nextMail()
})

test('an expired invitation is no more, for nobody, and its row goes', async () => {
  const workspace = await make(bench, WORKSPACE)
  const { id, token } = await invite(workspace)
  const { id: stays } = await invite(workspace)
  await expire(id)
  await refused(byToken(token), notFound)
  await refused(byId(id), notFound)
  await refused(remove(id), notFound)
  assert.deepEqual(await open(workspace), [stays])
  await purgeInvitations.run(bench.ctx, new AbortController().signal)
  const rows = await bench.query<{ id: string }>(
    `select id from invitation where node_id = '${workspace.id}'`,
  )
  assert.deepEqual(rows, [{ id: stays }])
  const late = await invite(workspace)
  await expire(late.id)
  await refused(accept(late.token), notFound)
  await refused(get(bench, workspace, bob), denied)
  for (let n = 0; n < 3; n++) await bench.nextMail()
})

test('an invitation ends when it says, after a week by itself, and after a month at most', async () => {
  const workspace = await make(bench, WORKSPACE)
  const day = 24 * 3_600_000
  for (const [expiresInMs, lifetimeMs] of [
    [1000, 1000],
    [undefined, 7 * day],
    [400 * day, 30 * day],
  ]) {
    const { expiresOn } = await invite(workspace, expiresInMs ? { expiresInMs } : {})
    assert.ok(expiresOn && lifetimeMs)
    const lasts = timestampDate(expiresOn).getTime() - Date.now()
    assert.ok(Math.abs(lasts - lifetimeMs) < 30_000, `${lasts} ms`)
    await bench.nextMail()
  }
  const other = await make(bench, WORKSPACE)
  await refused(invite(other, { expiresInMs: -1000 }), invalid('expiry'))
  assert.deepEqual(await open(other), [])
})

test('a deleted invitation is refused; who does not manage neither sees nor deletes it', async () => {
  const workspace = await make(bench, WORKSPACE)
  await grant(bench, 'cyd', workspace, 'creator')
  const { id, token } = await invite(workspace)
  for (const as of [cyd, eve]) {
    await refused(byId(id, as), denied)
    await refused(remove(id, as), denied)
    await refused(open(workspace, as), denied)
    await refused(invite(workspace, { email: '' }, as), denied)
  }
  for (const one of [id, newId(), 'x']) {
    await refused(byId(one, nobody), unauthenticated)
    await refused(remove(one, nobody), unauthenticated)
  }
  await refused(byToken(token, nobody), unauthenticated)
  await refused(accept(token, nobody), unauthenticated)
  await refused(invite(workspace, {}, nobody), unauthenticated)
  await refused(open(workspace, nobody), unauthenticated)
  for (const one of [newId(), 'x']) {
    await refused(byId(one), notFound)
    await refused(remove(one), notFound)
  }
  await refused(byId(id, ada, ORGANIZATION), notFound)
  await remove(id)
  await refused(accept(token), notFound)
  await refused(remove(id), notFound)
  await bench.nextMail()
})

test('what is wrong with an invitation is named; nothing is written or mailed', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const organization = await make(bench, ORGANIZATION)
  const untouched = await contents(bench)
  for (const email of [
    '',
    'bob',
    'bob@',
    'a@b c',
    `${'x'.repeat(250)}@example.org`,
    'a\0@b.c',
    'a@b.c\nBcc: d@e.f',
  ]) {
    await refused(invite(workspace, { email }), invalid('email'))
  }
  for (const role of [OWNER, Role.ORG_ADMIN, 99 as Role]) {
    await refused(invite(workspace, { role }), invalid('membership_type'))
  }
  await refused(invite(organization, { role: ADMIN }), invalid('membership_type'))
  for (const id of [newId(), '', analysis.id, organization.id]) {
    await refused(invite({ id, type: WORKSPACE }), invalid('workspace'))
  }
  await refused(invite(analysis), invalid('type'))
  assert.deepEqual(await contents(bench), untouched)
  const [jobs] = await bench.query<{ n: number }>('select count(*)::int as n from job')
  assert.equal(jobs?.n, 0)
})

test('when its inviter lost the right to invite, nobody can accept', async () => {
  const workspace = await make(bench, WORKSPACE)
  await grant(bench, 'cyd', workspace, 'admin')
  const { token } = await invite(workspace, {}, cyd)
  await grant(bench, 'cyd', workspace, 'viewer')
  await refused(accept(token), notFound)
  await refused(get(bench, workspace, bob), denied)
  await bench.nextMail()
})

test('what an invitation leads to may be gone', async () => {
  const workspace = await make(bench, WORKSPACE)
  const { token, id } = await invite(workspace)
  await bench.client.deleteNode({ id: workspace.id }, ada)
  await refused(byId(id), notFound)
  await refused(accept(token), notFound)
  await bench.nextMail()
})

test('a full workspace refuses, and the invitation stays for when there is room', async () => {
  const workspace = await make(bench, WORKSPACE)
  await grant(bench, 'cyd', workspace, 'viewer')
  await grant(bench, 'eve', workspace, 'viewer')
  const { token } = await invite(workspace)
  await refused(accept(token), invalid('username'))
  await bench.client.removeMember({ id: workspace.id, type: WORKSPACE, username: 'eve' }, ada)
  await accept(token)
  await bench.nextMail()
})

test('a container has as many open invitations as the setting says, listed oldest first', async () => {
  const workspace = await make(bench, WORKSPACE)
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => invite(workspace)))
  const made = outcomes.filter((one) => one.status === 'fulfilled')
  assert.equal(made.length, 3)
  for (const lost of outcomes) {
    if (lost.status === 'rejected') await refused(Promise.reject(lost.reason), invalid('workspace'))
  }
  const all = await open(workspace)
  assert.equal(all.length, 3)
  for (const pageSize of [1, 2]) assert.deepEqual(await open(workspace, ada, pageSize), all)
  await remove(all[0] ?? '')
  await invite(workspace)
  for (let n = 0; n < 4; n++) await bench.nextMail()
})
