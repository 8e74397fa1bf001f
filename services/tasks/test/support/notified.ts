import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type Client, Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'
import { eventOf } from '@figbase/kit/events'
import type { Mail } from '@figbase/kit/mail'
import type { Service } from '@figbase/kit/service'
import { startTestService, type TestService } from '@figbase/kit/testing'
import { CatalogService, NodeType } from '@figbase/proto/catalog'
import { AccessGrantedSchema, FigureStaleSchema } from '@figbase/proto/catalog/events'
import { CommentsService } from '@figbase/proto/comments'
import { CommentChangedSchema } from '@figbase/proto/comments/events'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { SiteService } from '@figbase/proto/identity/site'
import { NotificationsService } from '@figbase/proto/notifications'
import { TasksService } from '@figbase/proto/tasks'
import { sql } from 'kysely'
import type { Ctx } from '../../src/context.js'
import { tasks } from '../../src/index.js'
import { notifyJob } from '../../src/jobs/notify.js'
import { sendDigestJob } from '../../src/jobs/send-digest.js'
import { receiveEvent } from './receive.js'

type FakeNode = { id: string; type: NodeType; parentId: string; name: string }
type FakeEntry = {
  targetId: string
  targetType: NodeType
  targetName: string
  actor: string
  action: string
  at: Date
}
type FakeComment = { id: string; targetId: string; author: string; content: string }

/** The state of stand-ins for the peers, and the calls that they received. */
export type Peers = {
  /** Users who receive mail, by their username in lower case. */
  recipients: Map<string, { username: string; mailLanguage: string; mentionEmails: boolean }>
  /** Full names by username. */
  names: Map<string, string>
  site: { siteName: string; announcement: string }
  nodes: Map<string, FakeNode>
  /** Who may view which node: `username id`; `username *`: all. */
  viewers: Set<string>
  comments: Map<string, FakeComment>
  /** The activity log of each workspace and organization that everybody may view. */
  activity: Map<string, FakeEntry[]>
  /** The call that fails with `unavailable`. */
  failing: string
  calls: string[]
}

export type Notified = Omit<TestService, 'client'> & {
  ctx: Ctx
  client: ReturnType<typeof clientOf>
  tasks: Client<typeof TasksService>
  peers: Peers
  /** The mails of committed transactions, in order; reading removes them. */
  takeMails(): Mail[]
  /** A user with a confirmed address who may view everything. */
  admit(username: string, language?: string): void
  /** Stores `mention_emails: false` in the profile. */
  switchOffMentions(username: string): void
  node(node?: Partial<FakeNode>): FakeNode
  /** Stores the event of a new comment; resolves when its notifications were handled. */
  comment(options: CommentOptions): Promise<FakeComment>
  share(nodeId: string, username: string, by?: string): Promise<void>
  becomeStale(figureId: string, createdBy: string): Promise<void>
  /** Resolves when no job is due. */
  settled(): Promise<void>
  /** Runs the planned digests as if it were their time. */
  runDigests(): Promise<void>
  runNotify(username: string, ctx?: Ctx): Promise<unknown>
  runDigest(digest: PlannedDigest, ctx?: Ctx): Promise<unknown>
  plannedDigests(): Promise<PlannedDigest[]>
  /** The number of notifications of which nobody was mailed. */
  countPending(): Promise<number>
  /** Removes all that a test has stored, here and in the stand-ins for the peers. */
  reset(): Promise<void>
}

type PlannedDigest = { username: string; at: string }

type CommentOptions = {
  on: string
  by?: string
  content?: string
  mentioned?: string[]
  parentAuthor?: string
  silent?: boolean
}

const clientOf = (started: TestService) => started.client(NotificationsService)
const signal = new AbortController().signal

export async function startNotified(env: Record<string, string> = {}): Promise<Notified> {
  const peers: Peers = {
    recipients: new Map(),
    names: new Map([['bob', 'Bob Lee']]),
    site: { siteName: 'Figbase', announcement: '' },
    nodes: new Map(),
    viewers: new Set(),
    comments: new Map(),
    activity: new Map(),
    failing: '',
    calls: [],
  }
  const mails: Mail[] = []
  let created: Ctx | undefined
  const observed: Service = {
    ...tasks,
    context(kit, cfg) {
      const ctx: Ctx = tasks.context(kit, cfg)
      created = {
        ...ctx,
        async sendMail(tx, mail) {
          await ctx.sendMail(tx, mail)
          ctx.afterCommit(tx, () => mails.push(mail))
        },
        mailer: { async send() {}, async [Symbol.asyncDispose]() {} },
      }
      return created
    },
  }
  const service = await startTestService(observed, {
    transport: 'local',
    peers: (router) => addPeers(router, peers),
    env: { PUBLIC_URL: 'https://figbase.example.org', ...env },
  })
  if (!created) throw new Error('the service created no context')
  const ctx = created
  const settled = async () => {
    const jobs = sql<{ due: number }>`
      select count(*)::int as due from job where state in ('waiting', 'running') or run_at <= now()`
    while ((await jobs.execute(ctx.db)).rows[0]?.due) await sleep(10)
  }
  const planned = async () => {
    const { rows } = await sql<{ payload: { username: string; at: string } }>`
      select payload from job where name = 'send-digest' order by run_at, key`.execute(ctx.db)
    return rows.map(({ payload }) => payload)
  }
  return {
    ...{ ...service, ctx, peers, settled },
    client: clientOf(service),
    tasks: service.client(TasksService),
    takeMails: () => mails.splice(0),
    admit(username, mailLanguage = '') {
      peers.recipients.set(username.toLowerCase(), { username, mailLanguage, mentionEmails: true })
      peers.viewers.add(`${username} *`)
    },
    switchOffMentions(username) {
      const recipient = peers.recipients.get(username)
      if (recipient) recipient.mentionEmails = false
    },
    node(node = {}) {
      const added = {
        id: randomUUID(),
        type: NodeType.FIGURE,
        parentId: '',
        name: 'Cells',
        ...node,
      }
      peers.nodes.set(added.id, added)
      return added
    },
    async comment({
      on,
      by = 'bob',
      content = 'Look',
      mentioned = [],
      parentAuthor = '',
      silent = false,
    }) {
      const comment = { id: randomUUID(), targetId: on, author: by, content }
      peers.comments.set(comment.id, comment)
      const action = 'COMMENT_ACTION_CREATE'
      const change = { targetId: on, targetType: 'NODE_TYPE_FIGURE', commentId: comment.id, action }
      const payload = { ...change, workspaceId: randomUUID(), mentioned, parentAuthor, silent }
      await receiveEvent(ctx, eventOf(CommentChangedSchema), payload, by)
      await settled()
      return comment
    },
    async share(nodeId, username, by = 'bob') {
      await receiveEvent(ctx, eventOf(AccessGrantedSchema), { nodeId, username }, by)
      await settled()
    },
    async becomeStale(figureId, figureCreatedBy) {
      const of = { figureId, figureName: 'Cells', assetId: randomUUID(), figureCreatedBy }
      const payload = { ...of, workspaceId: randomUUID(), analysisId: randomUUID() }
      await receiveEvent(ctx, eventOf(FigureStaleSchema), payload)
      await settled()
    },
    async runDigests() {
      const digests = await planned()
      await sql`delete from job where name = 'send-digest'`.execute(ctx.db)
      for (const digest of digests) await sendDigestJob.run(ctx, digest, signal, 1)
    },
    runNotify: async (username, used = ctx) => notifyJob.run(used, { username }, signal, 1),
    runDigest: async (digest, used = ctx) => sendDigestJob.run(used, digest, signal, 1),
    plannedDigests: planned,
    async countPending() {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from notification where mailed_on is null`.execute(ctx.db)
      return rows[0]?.count ?? 0
    },
    async reset() {
      const { recipients, nodes, viewers, comments, activity } = peers
      for (const one of [recipients, nodes, viewers, comments, activity]) one.clear()
      peers.names = new Map([['bob', 'Bob Lee']])
      peers.failing = ''
      peers.calls.splice(0)
      mails.splice(0)
      await sql`truncate notification, notification_settings, job`.execute(ctx.db)
    },
  }
}

function addPeers(router: ConnectRouter, peers: Peers) {
  const note = (name: string) => {
    peers.calls.push(name)
    if (peers.failing === name) throw new ConnectError('unavailable', Code.Unavailable)
  }
  router.service(AccountsService, {
    listRecipients({ usernames }) {
      note('listRecipients')
      const found = usernames.flatMap((name) => peers.recipients.get(name.toLowerCase()) ?? [])
      return { recipients: found.map((one) => ({ ...one, email: `${one.username}@example.org` })) }
    },
    updateUser({ username, profileJson }) {
      note('updateUser')
      const recipient = peers.recipients.get(username.toLowerCase())
      const { mention_emails } = JSON.parse(profileJson ?? '{}')
      if (recipient) recipient.mentionEmails = mention_emails !== false
      return {}
    },
  })
  router.service(IdentityService, {
    listUsers({ usernames }) {
      note('listUsers')
      return {
        users: usernames.map((username) => ({
          username,
          firstName: peers.names.get(username) ?? '',
        })),
      }
    },
  })
  router.service(SiteService, {
    getPublicSettings() {
      note('getPublicSettings')
      return peers.site
    },
  })
  router.service(CommentsService, {
    async *readComments({ ids }) {
      note('readComments')
      for (const id of ids) {
        const comment = peers.comments.get(id)
        if (comment) yield { comment }
      }
    },
  })
  router.service(CatalogService, {
    listActivity({ id, type }) {
      note('listActivity')
      const entries = peers.activity.get(id)
      if (!entries || peers.nodes.get(id)?.type !== type)
        throw new ConnectError('unknown', Code.NotFound)
      return { entries: entries.map((one) => ({ ...one, at: timestampFromDate(one.at) })) }
    },
    listViewers({ nodeIds, usernames }) {
      note('listViewers')
      const mayView = (name: string, id: string) =>
        peers.viewers.has(`${name} *`) || peers.viewers.has(`${name} ${id}`)
      return {
        nodes: nodeIds.map((nodeId) => ({
          nodeId,
          usernames: usernames.filter((name) => mayView(name, nodeId)),
        })),
      }
    },
    readPlaces({ ids }) {
      note('readPlaces')
      return {
        nodes: ids.flatMap((id) => {
          const node = peers.nodes.get(id)
          return node ? [{ node }] : []
        }),
      }
    },
  })
}
