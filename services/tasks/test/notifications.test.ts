import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import type { Mail } from '@figbase/kit/mail'
import { NodeType } from '@figbase/proto/catalog'
import { NotificationDelivery } from '@figbase/proto/notifications'
import { TaskStatus } from '@figbase/proto/tasks'
import { sql } from 'kysely'
import { unsubscribeToken } from '../src/notifications/unsubscribe-token.js'
import { type Notified, startNotified } from './support/notified.js'
import { ann, nobody, system } from './support/started.js'

const { NONE, AT_ONCE, DIGEST } = NotificationDelivery

let at: Notified
before(async () => {
  at = await startNotified({ NOTIFICATION_MAILS_PER_HOUR_MAX: '5' })
})
after(() => at[Symbol.asyncDispose]())
beforeEach(() => at.reset())

const addressesOf = (mails: Mail[]) => mails.map(({ to }) => to.address)
const choose = (changes: Parameters<Notified['client']['updateNotificationSettings']>[0]) =>
  at.client.updateNotificationSettings(changes, ann)

async function failTask(name: string) {
  const id = randomUUID()
  await at.tasks.startTask({ id, name, type: 'import' }, ann)
  await at.tasks.reportTask({ id, status: TaskStatus.STARTED }, system)
  await at.tasks.reportTask({ id, status: TaskStatus.FAILURE, error: 'No such repository' }, system)
  await at.settled()
}

/** Causes each kind of notification for ann once; returns what its mail is about. */
const causes: Record<string, () => Promise<RegExp>> = {
  mention: async () => {
    await at.comment({ on: at.node().id, mentioned: ['ann'] })
    return /Bob Lee mentioned you/
  },
  reply: async () => {
    await at.comment({ on: at.node().id, parentAuthor: 'ann' })
    return /Bob Lee replied to/
  },
  share: async () => {
    await at.share(at.node().id, 'ann')
    return /Bob Lee shared/
  },
  failedTask: async () => {
    await failTask('Import')
    return /failed/
  },
  staleFigure: async () => {
    await at.becomeStale(at.node().id, 'ann')
    return /newer revision/
  },
}

for (const [kind, cause] of Object.entries(causes)) {
  test(`${kind}: is mailed at once, in the digest, or not, as the person chose`, async () => {
    at.admit('ann')
    await choose({ [kind]: AT_ONCE })
    const about = await cause()
    const [mail, ...others] = at.takeMails()
    assert.deepEqual([mail?.to.address, others], ['ann@example.org', []])
    assert.match(mail?.text ?? '', about)
    assert.match(
      mail?.unsubscribeUrl ?? '',
      /^https:\/\/figbase\.example\.org\/unsubscribe\/[\w.-]+\/$/,
    )

    await choose({ [kind]: DIGEST })
    await cause()
    await cause()
    assert.deepEqual(at.takeMails(), [])
    await at.runDigests()
    const [digest, ...more] = at.takeMails()
    assert.deepEqual([digest?.subject, more], ['News from Figbase', []])
    assert.equal(digest?.text.match(new RegExp(about, 'g'))?.length, 2, digest?.text)

    await choose({ [kind]: NONE })
    await cause()
    assert.deepEqual(
      [at.takeMails(), await at.plannedDigests(), await at.countPending()],
      [[], [], 0],
    )
  })
}

test('by default, people are notified at once of what others do, and of the rest in a digest', async () => {
  at.admit('ann')
  const { settings } = await at.client.getNotificationSettings({}, ann)
  assert.deepEqual(
    [
      settings?.mention,
      settings?.reply,
      settings?.share,
      settings?.failedTask,
      settings?.staleFigure,
    ],
    [AT_ONCE, AT_ONCE, AT_ONCE, DIGEST, DIGEST],
  )
  assert.deepEqual(
    [settings?.digestHour, settings?.digestWeekday, settings?.timeZone],
    [8, 0, 'UTC'],
  )
  for (const cause of Object.values(causes)) await cause()
  assert.equal(at.takeMails().length, 3)
  await at.runDigests()
  const [{ text } = assert.fail('no digest')] = at.takeMails()
  assert.match(text, /Task “Import”\n- It failed\.\n/)
  assert.match(
    text,
    /Figure “Cells”\nhttps:\/\/figbase\.example\.org\/figure\/[\w-]+\n- It uses an asset/,
  )
})

test('nobody is notified of what they did, and a reply that mentions its reader is mailed once', async () => {
  for (const name of ['ann', 'bob']) at.admit(name)
  const { id } = at.node()
  await at.comment({ on: id, mentioned: ['bob', 'ann'], parentAuthor: 'Ann' })
  await at.comment({ on: id, parentAuthor: 'bob' })
  await at.share(id, 'bob')
  assert.deepEqual(addressesOf(at.takeMails()), ['ann@example.org'])
  assert.equal(await at.countPending(), 0)
})

test('a silent comment notifies whom it mentions', async () => {
  at.admit('ann')
  await at.comment({ on: at.node().id, mentioned: ['ann'], silent: true })
  assert.deepEqual(addressesOf(at.takeMails()), ['ann@example.org'])
})

test('does not mail who may not view the object, is not reachable, or switched mails off in the profile', async () => {
  at.peers.recipients.set('stranger', {
    username: 'stranger',
    mailLanguage: '',
    mentionEmails: true,
  })
  at.admit('quiet')
  at.switchOffMentions('quiet')
  at.admit('Carl')
  await at.comment({ on: at.node().id, mentioned: ['stranger', 'quiet', 'nobody', 'carl'] })
  assert.deepEqual(addressesOf(at.takeMails()), ['Carl@example.org'])
  assert.equal(await at.countPending(), 0)
})

test('a mail is sent once, however often the job runs and fails', async () => {
  at.admit('ann')
  const { id } = at.node()
  await at.comment({ on: id, mentioned: ['ann'] })
  const unsend = () =>
    sql`update notification set delivery = null, mailed_on = null`.execute(at.ctx.db)
  at.takeMails()
  await unsend()
  for (const name of ['listRecipients', 'listViewers', 'readPlaces', 'readComments', 'listUsers']) {
    at.peers.failing = name
    await assert.rejects(at.runNotify('ann'), /unavailable/, name)
    assert.deepEqual(at.takeMails(), [])
  }
  at.peers.failing = ''
  const broken = { ...at.ctx, sendMail: () => Promise.reject(new Error('the process ends')) }
  await assert.rejects(at.runNotify('ann', broken), /the process ends/)
  await Promise.all([at.runNotify('ann'), at.runNotify('ann'), at.runNotify('ann')])
  assert.equal(at.takeMails().length, 1)
})

test('a comment that was deleted before its mail is made is not mailed', async () => {
  at.admit('ann')
  const { id } = await at.comment({ on: at.node().id, mentioned: ['ann'] })
  assert.equal(at.takeMails().length, 1)
  await sql`update notification set delivery = null, mailed_on = null`.execute(at.ctx.db)
  at.peers.comments.delete(id)
  await at.runNotify('ann')
  assert.deepEqual([at.takeMails(), await at.countPending()], [[], 0])
})

test('invalid settings are rejected with their names, and nothing is stored', async () => {
  const refused = await choose({
    ...{ mention: 0, reply: 9 as never, digestHour: 24, digestWeekday: 8 },
    ...{ timeZone: 'Mars/Olympus', share: NONE },
  }).then(
    () => assert.fail('accepted'),
    (error: unknown) => ConnectError.from(error),
  )
  assert.equal(refused.code, Code.InvalidArgument)
  assert.deepEqual(
    detailOf(refused)?.fields.map(({ field }) => field),
    ['mention', 'reply', 'digest_hour', 'digest_weekday', 'time_zone'],
  )
  const { settings } = await at.client.getNotificationSettings({}, ann)
  assert.equal(settings?.share, AT_ONCE)
  await assert.rejects(at.client.getNotificationSettings({}, nobody), {
    code: Code.Unauthenticated,
  })
})

test('nothing of the choices of a deleted account is left', async () => {
  await choose({ share: NONE, digestHour: 3 })
  const request = { username: 'Ann' }
  await assert.rejects(at.client.deleteNotificationSettings(request, ann), {
    code: Code.PermissionDenied,
  })
  await at.client.deleteNotificationSettings(request, system)
  await at.client.deleteNotificationSettings(request, system)
  const { rows } = await sql`select from notification_settings`.execute(at.ctx.db)
  assert.equal(rows.length, 0)
})

test('a choice for mentions and the profile say the same', async () => {
  at.admit('ann')
  await choose({ mention: NONE })
  assert.equal(at.peers.recipients.get('ann')?.mentionEmails, false)
  const { settings } = await choose({ mention: DIGEST })
  assert.deepEqual(
    [settings?.mention, at.peers.recipients.get('ann')?.mentionEmails],
    [DIGEST, true],
  )
  at.switchOffMentions('ann')
  const { settings: own } = await at.client.getNotificationSettings({}, ann)
  assert.equal(own?.mention, NONE)
})

test('the link of a mail ends mails of its kind only, without a sign-in', async () => {
  at.admit('ann')
  await at.comment({ on: at.node().id, mentioned: ['ann'] })
  const [mail] = at.takeMails()
  const token = mail?.unsubscribeUrl?.split('/').at(-2) ?? ''
  const [header = '', claims = '', signature = ''] = token.split('.')
  const forged = Buffer.from(claims, 'base64url').toString().replace('"ann"', '"bob"')
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  for (const invalid of [
    ...['', 'x', 'a.b.c', `${token}x`, `${none}.${claims}.`],
    ...[
      `${header}.${Buffer.from(forged).toString('base64url')}.${signature}`,
      `${header}.${claims}.`,
    ],
    unsubscribeToken(at.ctx.unsubscribeKeys, { username: 'ann', from: 'else' as never }),
    unsubscribeToken(at.ctx.secretKeys, { username: 'ann', from: 'reply' }),
  ])
    await assert.rejects(
      at.client.unsubscribe({ token: invalid }, nobody),
      { code: Code.InvalidArgument },
      invalid,
    )
  await at.client.unsubscribe({ token }, nobody)
  await at.client.unsubscribe({ token }, nobody)
  const { settings } = await at.client.getNotificationSettings({}, ann)
  assert.deepEqual(
    [settings?.mention, settings?.reply, settings?.staleFigure],
    [NONE, AT_ONCE, DIGEST],
  )
  await choose({
    digestWorkspaces: { ids: [at.node({ type: NodeType.WORKSPACE }).id] },
    digestOrganizations: { ids: [at.node({ type: NodeType.ORGANIZATION }).id] },
  })
  const ofDigests = unsubscribeToken(at.ctx.unsubscribeKeys, { username: 'ann', from: 'digest' })
  await at.client.unsubscribe({ token: ofDigests }, nobody)
  const { settings: later } = await at.client.getNotificationSettings({}, ann)
  assert.deepEqual([later?.reply, later?.failedTask, later?.staleFigure], [AT_ONCE, NONE, NONE])
  assert.deepEqual([later?.digestWorkspaceIds, later?.digestOrganizationIds], [[], []])
})

test('the mail about a comment quotes it, and links to it', async () => {
  at.admit('ann')
  const targets = [
    [NodeType.FIGURE, 'the figure “Cells”', 'figure'],
    [NodeType.FIGURE_REVISION, 'a revision of “Tissue”', 'r'],
    [NodeType.ASSET, 'the asset “Cells”', 'asset'],
    [NodeType.ASSET_REVISION, 'a revision of “Tissue”', 'asset_revision'],
  ] as const
  for (const [type, what, path] of targets) {
    const parentId = path === 'r' || path === 'asset_revision' ? at.node({ name: 'Tissue' }).id : ''
    const { id } = at.node({ type, parentId })
    const comment = await at.comment({
      on: id,
      mentioned: ['ann'],
      content: 'Look, @ann:\n\nit **works**',
    })
    const [{ subject, text, html } = assert.fail('no mail')] = at.takeMails()
    assert.equal(subject, `Bob Lee mentioned you on ${what}`)
    assert.ok(text.startsWith(`Bob Lee mentioned you in a comment on ${what} on Figbase:`), text)
    assert.match(text, /\n> Look, @ann:\n> it \*\*works\*\*\n/)
    const url = `https://figbase.example.org/${path}/${id}#comment-${comment.id}`
    for (const part of [text, html]) assert.ok(part.includes(url), part)
  }
})

test('mails are in the language of the person, and show names and texts of others as plain text', async () => {
  at.admit('ann', 'de-CH')
  const hostile = 'X\r\nBcc: eve@example.org\u202e\u2066<img src=x onerror=alert(1)>\u0007'
  at.peers.names.set('bob', hostile)
  const { id } = at.node({ name: `${hostile}${'y'.repeat(500)}` })
  const content = '@ann\n-- \n</blockquote><script>alert(1)</script>\nhttps://evil.example\u202e'
  await at.comment({ on: id, mentioned: ['ann'], content })
  await choose({ share: DIGEST })
  await at.share(id, 'ann')
  await at.runDigests()
  const mails = at.takeMails()
  assert.equal(mails.length, 2)
  for (const { subject, text, html } of mails) {
    assert.match(text, /Abbildung|Neues/)
    for (const part of [subject, text, html])
      assert.doesNotMatch(part, /^Bcc|(?!\n)\p{Cc}|[\u2028\u2029]|\p{Cf}/mu)
    assert.ok(subject.length < 300, subject)
    assert.doesNotMatch(html, /<img|<script|href="https:\/\/evil/)
  }
})

test('fifty people are mailed about one comment', async () => {
  const people = Array.from({ length: 50 }, (_, n) => `user${n}`)
  for (const name of people) at.admit(name)
  await at.comment({ on: at.node().id, mentioned: people })
  assert.deepEqual(
    addressesOf(at.takeMails()).sort(),
    people.map((name) => `${name}@example.org`).sort(),
  )
})
