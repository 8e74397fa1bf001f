import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import type { Mail } from '@figbase/kit/mail'
import { NodeType } from '@figbase/proto/catalog'
import { NotificationDelivery } from '@figbase/proto/notifications'
import { sql } from 'kysely'
import { type Notified, startNotified } from './support/notified.js'
import { ann } from './support/started.js'

const { DIGEST } = NotificationDelivery

let at: Notified
before(async () => {
  at = await startNotified({ NOTIFICATION_MAILS_PER_HOUR_MAX: '5' })
})
after(() => at[Symbol.asyncDispose]())
beforeEach(() => at.reset())

const subjectsOf = (mails: Mail[]) => mails.map(({ subject }) => subject)
const choose = (changes: Parameters<Notified['client']['updateNotificationSettings']>[0]) =>
  at.client.updateNotificationSettings(changes, ann)

test('a digest shows only what its reader may view when it is sent, and no deleted comments', async () => {
  at.admit('ann')
  await choose({ mention: DIGEST, share: DIGEST })
  const [hidden, shown, gone] = [
    at.node({ name: 'Secret' }),
    at.node({ name: 'Shown' }),
    at.node({ name: 'Gone' }),
  ]
  const revision = at.node({ type: NodeType.FIGURE_REVISION, parentId: hidden.id, name: '' })
  await at.comment({ on: hidden.id, mentioned: ['ann'] })
  const deleted = await at.comment({ on: gone.id, mentioned: ['ann'] })
  await at.comment({ on: shown.id, mentioned: ['ann'] })
  await at.share(revision.id, 'ann')
  at.peers.viewers.delete('ann *')
  for (const { id } of [shown, revision, gone]) at.peers.viewers.add(`ann ${id}`)
  at.peers.comments.delete(deleted.id)
  at.peers.calls.splice(0)
  await at.runDigests()
  const [{ text, html } = assert.fail('no digest')] = at.takeMails()
  for (const part of [text, html]) {
    assert.match(part, /Shown/)
    assert.match(part, /A revision/)
    assert.doesNotMatch(part, /Secret|Gone/)
  }
  // One call for all objects, however many there are.
  assert.equal(at.peers.calls.filter((name) => name === 'listViewers').length, 1)
  at.peers.viewers.clear()
  await at.comment({ on: shown.id, mentioned: ['ann'] })
  await at.runDigests()
  assert.deepEqual([at.takeMails(), await at.countPending()], [[], 0])
})

test('what exceeds the limit of mails in an hour waits for the digest', async () => {
  at.admit('ann')
  const { id } = at.node()
  for (let n = 0; n < 12; n++) await at.comment({ on: id, mentioned: ['ann'] })
  assert.equal(at.takeMails().length, 5)
  assert.equal((await at.plannedDigests()).length, 1)
  await at.runDigests()
  assert.deepEqual(subjectsOf(at.takeMails()), ['News from Figbase'])
  await sql`update notification set mailed_on = now() - interval '61 min'`.execute(at.ctx.db)
  await at.comment({ on: id, mentioned: ['ann'] })
  assert.equal(at.takeMails().length, 1)
})

test('a digest lists a bounded number of objects, and says how many there are beside', async () => {
  at.admit('ann')
  await choose({ staleFigure: DIGEST })
  const figures = Array.from({ length: 620 }, (_, n) => at.node({ name: `Figure ${n}` }))
  await sql`
    insert into notification (username, kind, actor, object_id, delivery)
    select 'ann', 'stale_figure', '', f.id::uuid, 'DIGEST'
      from unnest(${figures.map(({ id }) => id)}::text[]) with ordinality as f (id, n) order by f.n`.execute(
    at.ctx.db,
  )
  await at.becomeStale(at.node({ name: 'Newest' }).id, 'ann')
  await at.runDigests()
  const [{ text } = assert.fail('no digest')] = at.takeMails()
  assert.equal(text.match(/^Figure “/gm)?.length, 50)
  assert.match(text, /Figure “Newest”[\s\S]*Figure “Figure 619”/)
  assert.match(text, /There are 571 more\./)
  assert.equal(await at.countPending(), 0)
})

test('a digest is sent once, also if its job runs again after the process was killed', async () => {
  at.admit('ann')
  await choose({ mention: DIGEST })
  await at.comment({ on: at.node().id, mentioned: ['ann'] })
  const [digest = assert.fail('no digest')] = await at.plannedDigests()
  const broken = { ...at.ctx, sendMail: () => Promise.reject(new Error('the process ends')) }
  await assert.rejects(at.runDigest(digest, broken), /the process ends/)
  assert.equal(await at.countPending(), 1)
  await Promise.all([at.runDigest(digest), at.runDigest(digest), at.runDigest(digest)])
  assert.equal(at.takeMails().length, 1)
})

test('a new time of the digest replaces the planned one', async () => {
  at.admit('ann')
  await choose({ mention: DIGEST, digestHour: 8, timeZone: 'Europe/Berlin' })
  await at.comment({ on: at.node().id, mentioned: ['ann'] })
  const [before = assert.fail('no digest')] = await at.plannedDigests()
  const hourIn = (timeZone: string, time: string) =>
    new Intl.DateTimeFormat('en', {
      hour: 'numeric',
      hourCycle: 'h23',
      weekday: 'long',
      timeZone,
    }).format(new Date(time))
  assert.match(hourIn('Europe/Berlin', before.at), /at 08|08/)
  await choose({ digestHour: 18, digestWeekday: 3, timeZone: 'America/New_York' })
  const [after] = (await at.plannedDigests()).filter((one) => one.at !== before.at)
  assert.match(hourIn('America/New_York', after?.at ?? ''), /18.*Wednesday|Wednesday.*18/)
  await at.runDigest(before)
  assert.deepEqual([at.takeMails(), await at.countPending()], [[], 1])
  await at.runDigests()
  assert.equal(at.takeMails().length, 1)
})

const placeKinds = [
  ['workspace', 'digestWorkspaces', 'digestWorkspaceIds', NodeType.WORKSPACE],
  ['organization', 'digestOrganizations', 'digestOrganizationIds', NodeType.ORGANIZATION],
] as const
const chooseOnly = (field: (typeof placeKinds)[number][1], ids: string[]) =>
  choose({ [field]: { ids } })
const entryOf = (targetId: string, targetName: string, at: Date) => ({
  ...{ targetId, targetName, targetType: NodeType.FIGURE },
  ...{ actor: 'bob', action: 'update', at },
})
const hoursBefore = ({ at: time }: { at: string }, hours: number) =>
  new Date(Date.parse(time) - hours * 3_600_000)

for (const [what, field, listed, type] of placeKinds) {
  test(`a digest has what others did in the chosen ${what}, as long as the person may view it`, async () => {
    at.admit('ann')
    const { id } = at.node({ type, name: 'Lab' })
    const others = placeKinds.filter(([other]) => other !== what)
    const wrong = [at.node(), ...others.map(([, , , of]) => at.node({ type: of }))]
    const refused = async (ids: string[]) => {
      const error = ConnectError.from(await chooseOnly(field, ids).catch((thrown) => thrown))
      return error.rawMessage
    }
    const message = `digest_${what}s: must be ${what}s that you may view as a member`
    for (const other of [...wrong.map((node) => node.id), randomUUID()])
      assert.equal(await refused([id, other]), message)
    assert.equal(await refused(['x']), `digest_${what}s: must be UUIDs`)
    assert.equal(await refused(Array(21).fill(id)), `digest_${what}s: must have at most 20 items`)
    at.peers.viewers.clear()
    assert.equal(await refused([id]), message)
    at.peers.viewers.add('ann *')
    const { settings } = await chooseOnly(field, [id, id.toUpperCase()])
    assert.deepEqual(settings?.[listed], [id])
    const [digest = assert.fail('no digest')] = await at.plannedDigests()
    at.peers.activity.set(id, [
      entryOf(at.node().id, 'Cells', hoursBefore(digest, 2)),
      { ...entryOf(at.node().id, 'Own', hoursBefore(digest, 3)), actor: 'ann' },
      entryOf(at.node().id, 'Old', hoursBefore(digest, 25)),
    ])
    const broken = { ...at.ctx, sendMail: () => Promise.reject(new Error('the process ends')) }
    await assert.rejects(at.runDigest(digest, broken), /the process ends/)
    await Promise.all([at.runDigest(digest), at.runDigest(digest)])
    const [{ text } = assert.fail('no digest'), ...more] = at.takeMails()
    assert.deepEqual(more, [])
    assert.match(text, /Figure “Cells”\nhttps:\S+\n- Bob Lee changed it\.\n/)
    assert.doesNotMatch(text, /Own|Old/)
    const later = (await at.plannedDigests()).filter((one) => one.at !== digest.at)
    assert.equal(later.length, 1, 'the next digest is not planned')
    // Nothing is new; then the place is hidden.
    for (const isHidden of [false, true]) {
      if (isHidden) at.peers.activity.delete(id)
      for (const one of await at.plannedDigests()) await at.runDigest(one)
      assert.deepEqual(at.takeMails(), [])
    }
  })
}

test('a digest has an object of two chosen places once, and none that its reader may not view any more', async () => {
  at.admit('ann')
  const workspace = at.node({ type: NodeType.WORKSPACE })
  const organization = at.node({ type: NodeType.ORGANIZATION })
  const [both, newest, moved] = [at.node(), at.node(), at.node()]
  await choose({
    digestWorkspaces: { ids: [workspace.id] },
    digestOrganizations: { ids: [organization.id] },
  })
  const [digest = assert.fail('no digest')] = await at.plannedDigests()
  const inBoth = entryOf(both.id, 'Both', hoursBefore(digest, 3))
  at.peers.activity.set(workspace.id, [
    entryOf(moved.id, 'Moved from the workspace', hoursBefore(digest, 2)),
    { ...inBoth, action: 'move' },
  ])
  at.peers.activity.set(organization.id, [
    entryOf(newest.id, 'Newest', hoursBefore(digest, 1)),
    { ...inBoth, at: hoursBefore(digest, 2) },
  ])
  at.peers.viewers.delete('ann *')
  for (const { id } of [workspace, organization, both, newest]) at.peers.viewers.add(`ann ${id}`)
  at.peers.calls.splice(0)
  await at.runDigest(digest)
  const [{ text } = assert.fail('no digest')] = at.takeMails()
  assert.match(
    text,
    /“Newest”\n.*\n- Bob Lee changed it\.\n[\s\S]*“Both”\n.*\n- Bob Lee changed it\.\n/,
  )
  assert.equal(text.match(/Both/g)?.length, 1)
  assert.doesNotMatch(text, /moved|Moved/)
  assert.equal(at.peers.calls.filter((name) => name === 'listViewers').length, 1)
})

test('all wrong places are named', async () => {
  at.admit('ann')
  const ids = [randomUUID()]
  const refused = await choose({ digestWorkspaces: { ids }, digestOrganizations: { ids } }).catch(
    (error: unknown) => ConnectError.from(error),
  )
  assert.ok(refused instanceof ConnectError)
  assert.deepEqual(
    detailOf(refused)?.fields.map(({ field }) => field),
    ['digest_workspaces', 'digest_organizations'],
  )
})
