import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { type Client, Code, ConnectError } from '@connectrpc/connect'
import { denied, detailOf, notFound } from '@figbase/kit/errors'
import type { Mail } from '@figbase/kit/mail'
import { actAs, anonymous, user } from '@figbase/kit/rpc'
import type { Service } from '@figbase/kit/service'
import { startTestService, type TestService } from '@figbase/kit/testing'
import { CatalogService, NodeType, Permission } from '@figbase/proto/catalog'
import { PeopleService } from '@figbase/proto/catalog/people'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { DeviceLoginService } from '@figbase/proto/identity/device-login'
import { KeyedRequestsService } from '@figbase/proto/identity/keyed-requests'
import { SignInService } from '@figbase/proto/identity/sign-in'
import { SiteService } from '@figbase/proto/identity/site'
import { SshKeysService } from '@figbase/proto/identity/ssh-keys'
import { StaffService } from '@figbase/proto/identity/staff'
import { NotificationsService } from '@figbase/proto/notifications'
import jwt from 'jsonwebtoken'
import { type Kysely, sql } from 'kysely'
import type { Ctx } from '../../src/context.js'
import type { Database } from '../../src/db/schema.js'
import { identity } from '../../src/index.js'

export type Transport = 'local' | 'http2'

export const asAnonymous = (clientAddress = '') => actAs(anonymous, '', clientAddress)
export const as = (username: string) => actAs(user(username))

export const ann = {
  username: 'ann',
  email: 'ann@example.org',
  password: 'correct horse',
  firstName: 'Ann',
  lastName: 'Lee',
}

export type Started = Omit<TestService, 'client'> & {
  client: ReturnType<typeof clientOf>
  accounts: ReturnType<typeof accountsOf>
  staff: ReturnType<typeof staffOf>
  /** Mails of committed transactions, in order. */
  mails: Mail[]
  /** Emits `mail` after each of them. */
  mailed: EventEmitter
  /** Resolves when no job is due or running. */
  settled(): Promise<void>
  ctx: Ctx
  signIn: Client<typeof SignInService>
  site: Client<typeof SiteService>
  deviceLogin: Client<typeof DeviceLoginService>
  sshKeys: Client<typeof SshKeysService>
  keyedRequests: Client<typeof KeyedRequestsService>
  /** For changes that no RPC makes. */
  db: Kysely<Database>
  /** Users whose primary workspace was created in catalog, in order. */
  workspaces: string[]
  /** Site rules pushed to catalog, in order. */
  rules: { version: number; linksAllowed: boolean }[]
  /**
   * Containers that prevent a deletion, and the users who were deleted from catalog and from tasks, in order;
   * `deletionFails` makes deletions from catalog fail.
   */
  deletions: {
    keptBy: { id: string; name: string }[]
    deleted: string[]
    deletedFromTasks: string[]
    deletionFails: boolean
  }
  /** A workspace that may not be viewed, and an unknown one. */
  unseen: { denied: string; missing: string }
  /** Access checks of workspaces, in order. */
  viewed: { username: string; id: string }[]
}

const clientOf = (started: TestService) => started.client(IdentityService)
const staffOf = (started: TestService) => started.client(StaffService)
const accountsOf = (started: TestService) => started.client(AccountsService)

/** Starts identity with a stand-in for catalog, which is unavailable while `isCatalogUnavailable()`. */
export async function start(
  transport: Transport,
  env: Record<string, string> = {},
  isCatalogUnavailable: () => boolean = () => false,
): Promise<Started> {
  const workspaces: string[] = []
  const unseen = { denied: randomUUID(), missing: randomUUID() }
  const viewed: Started['viewed'] = []
  const mails: Mail[] = []
  const mailed = new EventEmitter()
  const deletions: Started['deletions'] = {
    keptBy: [],
    deleted: [],
    deletedFromTasks: [],
    deletionFails: false,
  }
  let observedCtx: Ctx | undefined
  const rules: Started['rules'] = []
  const observed: Service = {
    ...identity,
    context: (kit, cfg) => {
      const ctx: Ctx = identity.context(kit, cfg)
      observedCtx = {
        ...ctx,
        async sendMail(tx, mail) {
          await ctx.sendMail(tx, mail)
          ctx.afterCommit(tx, () => {
            mails.push(mail)
            mailed.emit('mail')
          })
        },
        // Mails are dropped, unless a test has an SMTP server.
        ...(!env.SMTP_URL && { mailer: { async send() {}, async [Symbol.asyncDispose]() {} } }),
      }
      return observedCtx
    },
  }
  const started = await startTestService(observed, {
    transport,
    env: { MAILS_PER_HOUR_AND_RECIPIENT_MAX: '1000', ...env },
    peers: (router) => {
      router.service(PeopleService, {
        checkLeaving: () => ({ keptBy: deletions.keptBy }),
        leave({ username }) {
          if (deletions.deletionFails) throw new ConnectError('unavailable', Code.Unavailable)
          deletions.deleted.push(username)
          return {}
        },
      })
      router.service(NotificationsService, {
        deleteNotificationSettings({ username }) {
          deletions.deletedFromTasks.push(username)
          return {}
        },
      })
      router.service(CatalogService, {
        ensurePrimaryWorkspace: ({ username }) => {
          if (isCatalogUnavailable()) throw new ConnectError('unavailable', Code.Unavailable)
          workspaces.push(username)
          return { workspaceId: username }
        },
        setSiteRules: ({ version, linksAllowed }) => {
          if (isCatalogUnavailable()) throw new ConnectError('unavailable', Code.Unavailable)
          rules.push({ version, linksAllowed })
          return {}
        },
        checkAccess({ id, permission, type }, { requestHeader }) {
          assert.deepEqual([permission, type], [Permission.VIEW, NodeType.WORKSPACE])
          if (id === unseen.denied) throw denied('VIEW')
          if (id === unseen.missing) throw notFound('this workspace')
          const claims = jwt.decode(requestHeader.get('figbase-principal') ?? '', { json: true })
          viewed.push({ username: claims?.u, id })
          return { type, workspaceId: id }
        },
      })
    },
  })
  if (!observedCtx) throw new Error('identity has no context')
  const ctx = observedCtx
  const { db } = ctx
  const settled = async () => {
    const jobs = sql<{ jobs: number }>`select count(*)::int as jobs from job where run_at <= now()`
    while ((await jobs.execute(db)).rows[0]?.jobs)
      await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const clients = {
    client: clientOf(started),
    accounts: accountsOf(started),
    staff: staffOf(started),
    signIn: started.client(SignInService),
    site: started.client(SiteService),
    deviceLogin: started.client(DeviceLoginService),
    sshKeys: started.client(SshKeysService),
    keyedRequests: started.client(KeyedRequestsService),
  }
  return {
    ...started,
    ...clients,
    ctx,
    mails,
    mailed,
    deletions,
    settled,
    db,
    workspaces,
    rules,
    unseen,
    viewed,
  }
}

export type Failure = { code: Code; error: string | undefined; fields: string[] }

/** The failure of a call that must fail: its code, the API's `error`, and the fields. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ConnectError)) throw new Error(`expected a failure, got ${String(error)}`)
  const detail = detailOf(error)
  const fields = detail?.fields.map(({ field }) => field) ?? []
  return { code: error.code, error: detail?.error, fields }
}
