import { randomUUID } from 'node:crypto'
import { fromJson, type JsonValue, type MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'
import { denied, detailOf, invalid, notFound, unauthenticated } from '@figbase/kit/errors'
import { newId } from '@figbase/kit/ids'
import { actAs, anonymous, user } from '@figbase/kit/rpc'
import { startTestService, type TestService } from '@figbase/kit/testing'
import { CatalogService, Permission } from '@figbase/proto/catalog'
import { PlansService, type PlanTermsSchema } from '@figbase/proto/catalog/plans'
import { ComputeService, type Instance } from '@figbase/proto/compute'
import { type InstanceChanged, InstanceChangedSchema } from '@figbase/proto/compute/events'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import jwt from 'jsonwebtoken'
import { sql } from 'kysely'
import type { Ctx } from '../src/context.js'
import type { Driver } from '../src/drivers/port.js'
import { compute } from '../src/index.js'
import { reconcile } from '../src/reconciler/reconcile.js'
import { createMemoryDriver, Machines } from './memory-driver.js'

const as = (username: string) => actAs(user(username))
/** Manages the workspace. */
export const ann = as('ann')
/** Create in it. */
export const bob = as('bob')
export const cleo = as('cleo')
/** Views it. */
export const vera = as('vera')
/** No member. */
export const eve = as('eve')
export const nobody = actAs(anonymous)

const { VIEW, CREATE, MANAGE } = Permission
const roles: Record<string, Permission[]> = {
  ann: [VIEW, CREATE, MANAGE],
  bob: [VIEW, CREATE],
  cleo: [VIEW, CREATE],
  vera: [VIEW],
}

/** Peers: a workspace in an organization, a plan that tests may change, and API keys. */
export class Peers {
  readonly workspaceId = randomUUID()
  readonly organizationId = randomUUID()
  terms: MessageInitShape<typeof PlanTermsSchema> = { computeEnabled: true }
  overages = false
  /** Users who have left the workspace. */
  readonly left = new Set<string>()
  /** Live API keys: owner by id. */
  readonly apiKeys = new Map<string, { name: string; owner: string; workspaceId: string }>()
  /** How often all sign-ins of a user were ended. */
  readonly generations = new Map<string, number>()
  /** Users who were deactivated. */
  readonly inactive = new Set<string>()
  /** Whether identity and catalog answer what is asked about open notebooks. */
  areUnavailable = false
  /** Whether catalog lists the workspace as deleted for good. */
  isPurged = false
  readonly deletedUsers = new Set<string>()
  /** How often catalog was asked for plans. */
  planCalls = 0
  /** Thrown by the next calls to identity. */
  readonly failures: Error[] = []

  readonly #plan = () => ({
    holderId: this.organizationId,
    terms: this.terms,
    computeOveragesEnabled: this.overages,
  })

  readonly routes = (router: ConnectRouter) => {
    const callerOf = ({ requestHeader }: { requestHeader: Headers }) => {
      const claims = jwt.decode(requestHeader.get('figbase-principal') ?? '', { json: true })
      return String(claims?.u ?? '')
    }
    const isContainer = (id: string) => id === this.workspaceId || id === this.organizationId
    return router
      .service(CatalogService, {
        checkAccess: ({ id, type, permission, withPermissions }, call) => {
          const username = callerOf(call)
          const permissions = roles[username] ?? []
          if (!username) throw unauthenticated('not_authenticated', 'sign in first')
          if (!isContainer(id.toLowerCase())) throw notFound('this object')
          if (!permissions.includes(permission)) throw denied(Permission[permission])
          return {
            type,
            workspaceId: this.workspaceId,
            ...(withPermissions && { permissions }),
          }
        },
        listDeletedNodes: () => ({
          ids: this.isPurged ? [this.workspaceId] : [],
          nextPageToken: 'last',
          hasMore: false,
        }),
        listViewers: ({ nodeIds, usernames }) => ({
          nodes: nodeIds
            .filter((id) => id === this.workspaceId)
            .map((nodeId) => ({
              nodeId,
              usernames: usernames.filter((name) => roles[name] && !this.left.has(name)),
            })),
        }),
      })
      .service(PlansService, {
        getPlanTerms: () => {
          this.planCalls++
          return { ...this.#plan(), organizationId: this.organizationId }
        },
        listPlanTerms: ({ workspaceIds }) => {
          this.planCalls++
          return { plans: workspaceIds.map((workspaceId) => ({ ...this.#plan(), workspaceId })) }
        },
      })
      .service(AccountsService, {
        listCredentials: ({ usernames, apiKeyIds }) => {
          if (this.areUnavailable) throw new ConnectError('unavailable', Code.Unavailable)
          return {
            users: usernames
              .filter((username) => !this.inactive.has(username))
              .map((username) => ({
                username,
                tokenGeneration: this.generations.get(username) ?? 1,
              })),
            apiKeyIds: apiKeyIds.filter((id) => this.apiKeys.has(id)),
          }
        },
      })
      .service(IdentityService, {
        createApiKey: ({ name, workspaceId }, call) => {
          const failure = this.failures.shift()
          if (failure) throw failure
          const isKnown = [...this.apiKeys.values()].some((one) => one.name === name)
          if (isKnown) throw invalid('name', 'you already have an API key with this name')
          const id = newId()
          this.apiKeys.set(id, { name, owner: callerOf(call), workspaceId })
          return { key: { id, name }, token: `secret of ${id}` }
        },
        listDeletedUsers: ({ usernames }) => ({
          usernames: usernames.filter((name) => this.deletedUsers.has(name)),
        }),
        listApiKeys: (_, call) => ({
          keys: [...this.apiKeys]
            .filter(([, { owner }]) => owner === callerOf(call))
            .map(([id, { name }]) => ({ id, name })),
        }),
        deleteApiKey: ({ id }, call) => {
          const failure = this.failures.shift()
          if (failure) throw failure
          if (this.apiKeys.get(id)?.owner !== callerOf(call)) throw notFound('this API key')
          this.apiKeys.delete(id)
          return {}
        },
      })
  }
}

export type Started = TestService & {
  compute: ReturnType<typeof clientOf>
  ctx: Ctx
  peers: Peers
  machines: Machines
  /** One round of the reconciler. */
  round(isMeasuring?: boolean): Promise<boolean>
  /** Rounds until nothing changes any more. */
  settle(): Promise<void>
  launch(by?: typeof ann, more?: object): Promise<Instance>
  /** The events of instances that were published, in their order. */
  published(): Promise<Published[]>
}

type Published = { actor: string; change: InstanceChanged }

const clientOf = (started: TestService) => started.client(ComputeService)

export type StartOptions = {
  env?: Record<string, string>
  machines?: Machines
  /** Default: one in memory; null: none, as with COMPUTE_DRIVER=off. */
  driver?: Driver | null
  transport?: 'local' | 'http2'
}

const roundsMax = 50

/** Starts the service without its jobs, so that tests call the reconciler themselves. */
export async function start(options: StartOptions = {}): Promise<Started> {
  const { env = {}, machines = new Machines(), transport = 'local' } = options
  const driver = options.driver === undefined ? createMemoryDriver(machines) : options.driver
  const peers = new Peers()
  let ctx: Ctx | undefined
  const observed = {
    ...compute,
    context: (kit: never, cfg: never) => {
      ctx = { ...compute.context(kit, cfg), driver: driver ?? undefined }
      return ctx
    },
    jobs: compute.jobs?.map((job) => ({ ...job, run: async () => {} })) ?? [],
  }
  const started = await startTestService(observed, {
    transport,
    env: {
      COMPUTE_RETRY_DELAY: '0s',
      COMPUTE_VOLUME_RETENTION: '0s',
      COMPUTE_PORT: '0',
      ...env,
    },
    peers: peers.routes,
  })
  if (!ctx) throw new Error('the service did not create a context')
  const context = ctx
  const client = clientOf(started)
  const round = (isMeasuring = true) => {
    if (!context.driver) throw new Error('there is no driver')
    return reconcile(context, context.driver, new AbortController().signal, isMeasuring)
  }
  const versions = async () =>
    JSON.stringify(await context.db.selectFrom('instance').select(['id', 'version']).execute())
  return {
    ...started,
    compute: client,
    ctx: context,
    peers,
    machines,
    round,
    async settle() {
      let before = ''
      for (let rounds = 0; rounds < roundsMax; rounds++) {
        await round()
        const after = await versions()
        if (after === before) return
        before = after
      }
      throw new Error('the reconciler does not settle')
    },
    async published() {
      const { rows } = await sql<{ message: { actor: string; payload: JsonValue } }>`
        select message from (select message from outbox union all select message from outbox_sent) m
         order by message->>'id'`.execute(context.db)
      return rows.map(({ message: { actor, payload } }) => {
        return { actor, change: fromJson(InstanceChangedSchema, payload) }
      })
    },
    async launch(by = ann, more = {}) {
      const request = { workspaceId: peers.workspaceId, name: 'Spring', ...more }
      const { instance } = await client.launchInstance(request, by)
      if (!instance) throw new Error('the response has no instance')
      return instance
    },
  }
}

export type Failure = { code: Code; error: string | undefined; fields: string[] }

/** The error of a call that must fail: its code, the API's `error`, and the fields that it names. */
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
