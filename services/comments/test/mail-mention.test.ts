import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import type { Mail } from '@figbase/kit/mail'
import { actAs, user } from '@figbase/kit/rpc'
import type { Service } from '@figbase/kit/service'
import { startTestService, type TestService } from '@figbase/kit/testing'
import { NodeType } from '@figbase/proto/catalog'
import { CommentsService } from '@figbase/proto/comments'
import { sql } from 'kysely'
import type { Ctx } from '../src/context.js'
import { comments } from '../src/index.js'
import { mailMentionJob } from '../src/jobs/mail-mention.js'
import { createPeers, type Peers, routesOf } from './mention-peers.js'

const author = actAs(user('ann'))
const signal = new AbortController().signal

type Started = TestService & {
  ctx: Ctx
  peers: Peers
  /** The mails of committed transactions, in order. */
  mails: Mail[]
  /** Creates a comment by ann; resolves when its mentions are mailed. */
  write(content: string, type?: NodeType): Promise<{ id: string; targetId: string }>
  edit(id: string, content: string): Promise<void>
  /** Resolves when no job is queued or running. */
  settled(): Promise<void>
}

/** Starts the service; the users in `viewers` receive mail and may view everything. */
async function start(viewers: string[] = [], env: Record<string, string> = {}): Promise<Started> {
  const peers = createPeers()
  for (const username of viewers) admit(peers, username)
  const mails: Mail[] = []
  let observedCtx: Ctx | undefined
  const observed: Service = {
    ...comments,
    context(kit, cfg) {
      const ctx: Ctx = comments.context(kit, cfg)
      observedCtx = {
        ...ctx,
        async sendMail(tx, mail) {
          await ctx.sendMail(tx, mail)
          ctx.afterCommit(tx, () => mails.push(mail))
        },
        mailer: { async send() {}, async [Symbol.asyncDispose]() {} },
      }
      return observedCtx
    },
  }
  const service = await startTestService(observed, {
    transport: 'local',
    peers: routesOf(peers),
    env: { PUBLIC_URL: 'https://figbase.example.org', ...env },
  })
  if (!observedCtx) throw new Error('the service did not create a context')
  const ctx = observedCtx
  const client = service.client(CommentsService)
  const settled = async () => {
    const jobs = sql<{ jobs: number }>`select count(*)::int as jobs from job`
    while ((await jobs.execute(ctx.db)).rows[0]?.jobs) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return {
    ...{ ...service, ctx, peers, mails, settled },
    async write(content, targetType = NodeType.FIGURE) {
      const targetId = randomUUID()
      const { comment } = await client.createComment({ targetType, targetId, content }, author)
      if (!comment) throw new Error('the response has no comment')
      await settled()
      return { id: comment.id, targetId }
    },
    async edit(id, content) {
      await client.updateComment({ id, content }, author)
      await settled()
    },
  }
}

function admit(peers: Peers, username: string) {
  peers.reachable.set(username.toLowerCase(), { username, email: `${username}@example.org` })
  peers.viewers.add(username)
}

const addressesOf = ({ mails }: Started) => mails.map(({ to }) => to.address)
const run = ({ ctx }: Started, commentId: string, username: string) =>
  mailMentionJob.run(ctx, { commentId, username }, signal, 1)
/** Resets the mentions to the state before their jobs ran. */
const unmail = ({ ctx }: Started) =>
  ctx.db.updateTable('mention').set({ mailed_on: null }).execute()

test('a mail names the author and the target, quotes the comment and links to it', async () => {
  await using at = await start(['Bob'])
  const targets: [NodeType, string, string][] = [
    [NodeType.FIGURE, 'the figure “Cells”', 'figure'],
    [NodeType.FIGURE_REVISION, 'a revision of “Tissue”', 'r'],
    [NodeType.ASSET, 'the asset “Cells”', 'asset'],
    [NodeType.ASSET_REVISION, 'a revision of “Tissue”', 'asset_revision'],
  ]
  for (const [type, what, path] of targets) {
    const { targetId } = await at.write('Look, @bob:\n\nit **works**', type)
    const [{ to, subject, text, html } = assert.fail('no mail')] = at.mails.splice(0)
    assert.deepEqual(to, { address: 'Bob@example.org' })
    assert.equal(subject, `Ann Lee mentioned you on ${what}`)
    assert.ok(text.startsWith(`Ann Lee mentioned you in a comment on ${what} on Figbase:`), text)
    assert.match(text, /\n> Look, @bob:\n> it \*\*works\*\*\n/)
    const url = `https://figbase.example.org/${path}/${targetId}`
    for (const part of [text, html]) assert.ok(part.includes(url), part)
  }
  // The name of the target is read as the recipient, so that hidden names are not disclosed.
  assert.deepEqual(at.peers.calls.slice(0, 4), [
    'system: listRecipients bob',
    'system: listViewers Bob',
    `Bob: getNode type ${NodeType.FIGURE}`,
    'system: listUsers ann',
  ])
})

test('a mail shows the site name and the announcement', async () => {
  await using at = await start(['bob', 'carl'])
  at.peers.site = { siteName: 'Lab 9', announcement: 'Down on Friday' }
  await at.write('@bob and @carl')
  assert.equal(at.mails.length, 2)
  for (const { text } of at.mails) {
    assert.match(text, / on Lab 9:\n/)
    assert.match(text, /\nAnnouncement of Lab 9: Down on Friday\n\n-- \nSent by Lab 9\./)
  }
})

test('a mail is sent with the default site name while the settings are unavailable', async () => {
  await using at = await start(['bob'])
  at.peers.failing = 'getPublicSettings'
  await at.write('@bob')
  assert.match(at.mails[0]?.text ?? '', /-- \nSent by Figbase\./)
})

test('an author without a name appears by username; without PUBLIC_URL the link is local', async () => {
  await using at = await start(['bob'], { PUBLIC_URL: '', PORT: '8123' })
  at.peers.names = { firstName: '', lastName: ' ' }
  const { targetId } = await at.write('@bob')
  const [{ subject, text } = assert.fail('no mail')] = at.mails
  assert.equal(subject, 'ann mentioned you on the figure “Cells”')
  assert.ok(text.includes(`\nhttp://localhost:8123/figure/${targetId}#comment-`), text)
})

test('does not mail users who opted out, may not view the target, do not exist, or are the author', async () => {
  await using at = await start(['ann', 'bob'])
  at.peers.reachable.set('stranger', { username: 'stranger', email: 'stranger@example.org' })
  at.peers.viewers.add('silent')
  await at.write('@Ann @stranger @silent @nobody @bob, `@code` and ann@bob')
  assert.deepEqual(addressesOf(at), ['bob@example.org'])
  assert.ok(!at.peers.calls.some((call) => call.endsWith('listRecipients ann')))
  const refused = at.peers.calls.filter((call) => /getNode/.test(call))
  assert.equal(refused.length, 1, 'the target was read as a user who may not view it')
})

test('mails a mention once, however often the comment is edited and the job runs', async () => {
  await using at = await start(['bob', 'carl'])
  const { id } = await at.write('@bob, and again @BOB')
  assert.equal(at.mails.length, 1)
  await at.edit(id, '@bob, but also @carl')
  await at.edit(id, 'nobody')
  await at.edit(id, '@carl @bob')
  assert.deepEqual(addressesOf(at), ['bob@example.org', 'carl@example.org'])
  await Promise.all([run(at, id, 'bob'), run(at, id, 'bob')])
  assert.equal(at.mails.length, 2)
  await unmail(at)
  await Promise.all([run(at, id, 'bob'), run(at, id, 'bob'), run(at, id, 'bob')])
  assert.equal(at.mails.length, 3)
})

test('the next attempt sends a mail whose transaction failed', async () => {
  await using at = await start(['bob'])
  const { id } = await at.write('@bob')
  await unmail(at)
  at.mails.splice(0)
  const broken = {
    ...at,
    ctx: { ...at.ctx, sendMail: () => Promise.reject(new Error('the process ends')) },
  }
  await assert.rejects(run(broken, id, 'bob'), /the process ends/)
  await run(at, id, 'bob')
  assert.equal(at.mails.length, 1)
})

test('the job fails while a peer is unavailable, and a later attempt sends the mail', async () => {
  await using at = await start(['bob'])
  const { id } = await at.write('@bob')
  at.mails.splice(0)
  await unmail(at)
  for (const name of ['listRecipients', 'listViewers', 'getNode', 'listUsers'] as const) {
    at.peers.failing = name
    await assert.rejects(run(at, id, 'bob'), /unavailable/, name)
    assert.deepEqual(at.mails, [])
  }
  at.peers.failing = undefined
  await run(at, id, 'bob')
  assert.equal(at.mails.length, 1)
})

test('does not mail a comment that was deleted, even while the job runs', async () => {
  await using at = await start(['bob'])
  const { id, targetId } = await at.write('@bob')
  await unmail(at)
  at.mails.splice(0)
  const client = at.client(CommentsService)
  const reply = { targetType: NodeType.FIGURE, targetId, parentCommentId: id, content: 'I agree' }
  await client.createComment(reply, author)
  // The comment is deleted after the job has read it, which leaves a placeholder.
  const deleting = new EventEmitter()
  const deleted = once(deleting, 'done')
  const listUsers: Ctx['identity']['listUsers'] = async (request, options) => {
    await client.deleteComment({ id }, author)
    deleting.emit('done')
    return at.ctx.identity.listUsers(request, options)
  }
  const slow = { ...at, ctx: { ...at.ctx, identity: { ...at.ctx.identity, listUsers } } }
  await run(slow, id, 'bob')
  await deleted
  at.peers.calls.splice(0)
  await run(at, id, 'bob')
  await run(at, randomUUID(), 'bob')
  assert.deepEqual([at.mails, at.peers.calls], [[], []])
})

test('hostile names and texts appear as plain text in the mail', async () => {
  await using at = await start(['bob'])
  const hostile = 'X\r\nBcc: eve@example.org\u202e\u2066<img src=x onerror=alert(1)>\u0007'
  at.peers.names = { firstName: hostile, lastName: '' }
  at.peers.nodeName = `${hostile}${'y'.repeat(500)}`
  await at.write(`@bob\n-- \n</blockquote><script>alert(1)</script>\nhttps://evil.example\u202e`)
  const [{ to, replyTo, subject, text, html } = assert.fail('no mail')] = at.mails
  assert.deepEqual([to, replyTo], [{ address: 'bob@example.org' }, undefined])
  for (const part of [subject, text, html]) {
    assert.doesNotMatch(part, /^Bcc|(?!\n)\p{Cc}|[\u2028\u2029]|\p{Cf}/mu)
  }
  assert.ok(subject.length < 300, subject)
  assert.doesNotMatch(html, /<img|<script|href="https:\/\/evil/)
  assert.match(text, /\n> --\n> <\/blockquote><script>alert\(1\)<\/script>\n> https:\/\/evil/)
})

test('a comment with fifty mentions sends fifty mails', async () => {
  const people = Array.from({ length: 50 }, (_, n) => `user${n}`)
  await using at = await start(people)
  await at.write(people.map((name) => `@${name}`).join(' '))
  assert.deepEqual(addressesOf(at).sort(), people.map((name) => `${name}@example.org`).sort())
})
