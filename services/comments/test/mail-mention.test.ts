import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { actAs, type Mail, type Service, user } from '@figbase/kit'
import { startTestService, type TestService } from '@figbase/kit/testing'
import { NodeType } from '@figbase/proto/catalog'
import { CommentsService } from '@figbase/proto/comments'
import { sql } from 'kysely'
import type { Ctx } from '../src/context.js'
import { comments } from '../src/index.js'
import { mailMention } from '../src/jobs/mail-mention.js'
import { type Neighbours, neighbours, routesOf } from './mention-neighbours.js'

const author = actAs(user('ann'))
const signal = new AbortController().signal

type Started = TestService & {
  ctx: Ctx
  they: Neighbours
  /** What was mailed by what is committed, in order. */
  mails: Mail[]
  /** Ann's; what it mentions is mailed when this resolves. */
  write(content: string, type?: NodeType): Promise<{ id: string; targetId: string }>
  edit(id: string, content: string): Promise<void>
  /** Resolves when no job waits or runs. */
  settled(): Promise<void>
}

/** Comments, with people who may view everything. */
async function start(viewers: string[] = [], env: Record<string, string> = {}): Promise<Started> {
  const they = neighbours()
  for (const username of viewers) admit(they, username)
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
    neighbours: routesOf(they),
    env: { PUBLIC_URL: 'https://figbase.example.org', ...env },
  })
  if (!observedCtx) throw new Error('the service made no context')
  const ctx = observedCtx
  const client = service.client(CommentsService)
  const settled = async () => {
    const jobs = sql<{ jobs: number }>`select count(*)::int as jobs from job`
    while ((await jobs.execute(ctx.db)).rows[0]?.jobs) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return {
    ...{ ...service, ctx, they, mails, settled },
    async write(content, targetType = NodeType.FIGURE) {
      const targetId = randomUUID()
      const { comment } = await client.createComment({ targetType, targetId, content }, author)
      if (!comment) throw new Error('the comment was not answered')
      await settled()
      return { id: comment.id, targetId }
    },
    async edit(id, content) {
      await client.updateComment({ id, content }, author)
      await settled()
    },
  }
}

function admit(they: Neighbours, username: string) {
  they.reachable.set(username.toLowerCase(), { username, email: `${username}@example.org` })
  they.viewers.add(username)
}

const addressesOf = ({ mails }: Started) => mails.map(({ to }) => to.address)
const run = ({ ctx }: Started, commentId: string, username: string) =>
  mailMention.run(ctx, { commentId, username }, signal, 1)
/** As before its job was done. */
const unmail = ({ ctx }: Started) =>
  ctx.db.updateTable('mention').set({ mailed_on: null }).execute()

test('a mail says who mentioned whom on what, what he wrote, and where it is', async () => {
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
  // What he may not view he is told no name of.
  assert.deepEqual(at.they.asked.slice(0, 4), [
    'system: listRecipients bob',
    'system: listViewers Bob',
    `Bob: getNode type ${NodeType.FIGURE}`,
    'system: listUsers ann',
  ])
})

test('a mail shows the name of the site and what it announces', async () => {
  await using at = await start(['bob', 'carl'])
  at.they.site = { siteName: 'Lab 9', announcement: 'Down on Friday' }
  await at.write('@bob and @carl')
  assert.equal(at.mails.length, 2)
  for (const { text } of at.mails) {
    assert.match(text, / on Lab 9:\n/)
    assert.match(text, /\nAnnouncement of Lab 9: Down on Friday\n\n-- \nSent by Lab 9\./)
  }
})

test('the mail waits for no name of the site', async () => {
  await using at = await start(['bob'])
  at.they.away = 'getPublicSettings'
  await at.write('@bob')
  assert.match(at.mails[0]?.text ?? '', /-- \nSent by Figbase\./)
})

test('who has no name is called by the username; without PUBLIC_URL the link is local', async () => {
  await using at = await start(['bob'], { PUBLIC_URL: '', PORT: '8123' })
  at.they.names = { firstName: '', lastName: ' ' }
  const { targetId } = await at.write('@bob')
  const [{ subject, text } = assert.fail('no mail')] = at.mails
  assert.equal(subject, 'ann mentioned you on the figure “Cells”')
  assert.ok(text.includes(`\nhttp://localhost:8123/figure/${targetId}#comment-`), text)
})

test('nobody is mailed who cannot or does not want to be, may not view the target, or wrote it', async () => {
  await using at = await start(['ann', 'bob'])
  at.they.reachable.set('stranger', { username: 'stranger', email: 'stranger@example.org' })
  at.they.viewers.add('silent')
  await at.write('@Ann @stranger @silent @nobody @bob, `@code` and ann@bob')
  assert.deepEqual(addressesOf(at), ['bob@example.org'])
  assert.ok(!at.they.asked.some((call) => call.endsWith('listRecipients ann')))
  const refused = at.they.asked.filter((call) => /getNode/.test(call))
  assert.equal(refused.length, 1, 'the target was read for whom it is hidden from')
})

test('a mention is mailed once, however often it is written and its job is run', async () => {
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

test('what was not committed is mailed by the next attempt', async () => {
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

test('while a neighbour is away the mail waits', async () => {
  await using at = await start(['bob'])
  const { id } = await at.write('@bob')
  at.mails.splice(0)
  await unmail(at)
  for (const name of ['listRecipients', 'listViewers', 'getNode', 'listUsers'] as const) {
    at.they.away = name
    await assert.rejects(run(at, id, 'bob'), /unavailable/, name)
    assert.deepEqual(at.mails, [])
  }
  at.they.away = undefined
  await run(at, id, 'bob')
  assert.equal(at.mails.length, 1)
})

test('a comment that is deleted, even as its job runs, is mailed to nobody', async () => {
  await using at = await start(['bob'])
  const { id, targetId } = await at.write('@bob')
  await unmail(at)
  at.mails.splice(0)
  const client = at.client(CommentsService)
  const answer = { targetType: NodeType.FIGURE, targetId, parentCommentId: id, content: 'so it is' }
  await client.createComment(answer, author)
  // Deleted after the job has read it: only its place is left.
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
  at.they.asked.splice(0)
  await run(at, id, 'bob')
  await run(at, randomUUID(), 'bob')
  assert.deepEqual([at.mails, at.they.asked], [[], []])
})

test('hostile names and texts are words of the mail, and nothing else', async () => {
  await using at = await start(['bob'])
  const hostile = 'X\r\nBcc: eve@example.org\u202e\u2066<img src=x onerror=alert(1)>\u0007'
  at.they.names = { firstName: hostile, lastName: '' }
  at.they.nodeName = `${hostile}${'y'.repeat(500)}`
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

test('a long comment with fifty mentions is fifty mails', async () => {
  const people = Array.from({ length: 50 }, (_, n) => `user${n}`)
  await using at = await start(people)
  await at.write(people.map((name) => `@${name}`).join(' '))
  assert.deepEqual(addressesOf(at).sort(), people.map((name) => `${name}@example.org`).sort())
})
