import assert from 'node:assert/strict'
import { type Client, Code, ConnectError } from '@connectrpc/connect'
import { detailOf, invalid, notFound as missing } from '@figbase/kit/errors'
import { newId } from '@figbase/kit/ids'
import type { Mail } from '@figbase/kit/mail'
import { actAs, actAsSystem, anonymous, user } from '@figbase/kit/rpc'
import { defineService } from '@figbase/kit/service'
import { startTestService } from '@figbase/kit/testing'
import { UsageService } from '@figbase/proto/ai-usage'
import { CatalogService, type Node, NodeType } from '@figbase/proto/catalog'
import { BillingService } from '@figbase/proto/catalog/billing'
import { PeopleService } from '@figbase/proto/catalog/people'
import { PlansService } from '@figbase/proto/catalog/plans'
import { ComputeService } from '@figbase/proto/compute'
import { IdentityService } from '@figbase/proto/identity'
import { SiteService } from '@figbase/proto/identity/site'
import { type StaffActionKind, StaffService } from '@figbase/proto/identity/staff'
import { RevisionsService } from '@figbase/proto/revisions'
import { StoriesService } from '@figbase/proto/stories'
import { sql } from 'kysely'
import { type Ctx, createContext } from '../src/context.js'
import { catalog } from '../src/index.js'
import { foldDeltas } from '../src/periodic/fold-deltas.js'

export const ada = actAs(user('ada'), 'request-1')
export const bob = actAs(user('bob'))
export const cyd = actAs(user('cyd'))
export const eve = actAs(user('eve'))
export const nobody = actAs(anonymous)
export const system = actAsSystem()

export const {
  ORGANIZATION,
  WORKSPACE,
  ANALYSIS,
  FIGURE,
  FIGURE_REVISION,
  ASSET,
  ASSET_REVISION,
  STORY,
} = NodeType

/** The users that the identity stub knows. */
const people = new Set(['ada', 'bob', 'cyd', 'dan', 'eve', 'fay'])

export type TestCatalog = AsyncDisposable & {
  client: Client<typeof CatalogService>
  plans: Client<typeof PlansService>
  people: Client<typeof PeopleService>
  billing: Client<typeof BillingService>
  ctx: Ctx
  databaseUrl: string
  /** The ids that the revisions stub knows. */
  stored: Set<string>
  /** The asset revisions that the figure revisions of the revisions stub use. */
  uses: Map<string, string[]>
  /** The ids that the stories stub knows; undefined: it fails. */
  stories: { stored: Set<string> | undefined }
  /** What the ledgers of compute and AI contain, by holder and month (`id 2026-01`); undefined: they are unavailable. */
  ledgers: { seconds: Map<string, bigint>; tokens: Map<string, bigint> | undefined }
  /** The settings registered with the revisions stub, by storage id. */
  storages: Map<string, SentStorage>
  /** What was recorded of staff. */
  staffActions: { kind: StaffActionKind; target: string }[]
  /** The mails of committed transactions, in order; reading removes them. */
  takeMails(): Mail[]
  /** The next sent mail, in order. */
  nextMail(): Promise<Message>
  query<Row>(text: string): Promise<Row[]>
  fold(): Promise<void>
}

export type SentStorage = { holderId: string; vendor: string; paramsJson: string }

export type TestCatalogOptions = {
  transport?: 'local' | 'http2'
  env?: Record<string, string>
  /** Uses this database instead of a new one. */
  databaseUrl?: string
  /** Jobs with these names wait, so that the test runs them itself. */
  waitingJobs?: string[]
  /** Runs periodic work automatically, as in production; otherwise tests call it. */
  periodic?: boolean
}

/** Starts the service on a database of its own, and exposes its context. */
export async function startTestCatalog(options: TestCatalogOptions = {}): Promise<TestCatalog> {
  const { transport = 'local', env = {}, periodic = false, databaseUrl, waitingJobs = [] } = options
  const stored = new Set<string>()
  const stories: TestCatalog['stories'] = { stored: new Set() }
  const uses: TestCatalog['uses'] = new Map()
  const ledgers: TestCatalog['ledgers'] = { seconds: new Map(), tokens: new Map() }
  const storages = new Map<string, SentStorage>()
  const staffActions: TestCatalog['staffActions'] = []
  const mails = recordMails()
  const enqueued: Mail[] = []
  let ctx: Ctx | undefined
  const watched = defineService({
    ...catalog,
    ...(periodic ? {} : { periodic: [] }),
    jobs: catalog.jobs?.filter(({ name }) => !waitingJobs.includes(name)) ?? [],
    context: (kit, cfg) => {
      const created = createContext(kit as Ctx, cfg as Ctx['cfg'])
      ctx = {
        ...created,
        async sendMail(tx, mail) {
          await created.sendMail(tx, mail)
          created.afterCommit(tx, () => enqueued.push(mail))
        },
        mailer: mails.mailer,
      }
      return ctx
    },
  })
  const service = await startTestService(watched, {
    transport,
    env,
    ...(databaseUrl !== undefined && { databaseUrl }),
    peers: (router) => {
      router.service(RevisionsService, {
        findExisting: ({ ids }) => ({ ids: ids.filter((id) => stored.has(id)) }),
        readAssetUses: ({ ids }) => ({
          uses: ids.flatMap((id) => {
            const assetRevisionIds = uses.get(id)
            return assetRevisionIds ? [{ figureRevisionId: id, version: 1, assetRevisionIds }] : []
          }),
        }),
        registerStorage(sent) {
          const checked = checkedStorage(sent)
          const storageId = newId()
          storages.set(storageId, sent)
          return { storageId, ...checked }
        },
        checkStorage: checkedStorage,
      })
      router.service(StoriesService, {
        findExisting({ ids }) {
          if (!stories.stored) throw new ConnectError('stories are down', Code.Unavailable)
          return { ids: ids.filter((id) => stories.stored?.has(id)) }
        },
      })
      router.service(ComputeService, {
        listHolderSeconds: ({ holderIds, period }) => ({
          items: holderIds.flatMap((holderId) => {
            const billableSeconds = ledgers.seconds.get(`${holderId} ${period}`)
            return billableSeconds ? [{ holderId, billableSeconds }] : []
          }),
        }),
      })
      router.service(UsageService, {
        listHolderTokens({ holderIds, period }) {
          if (!ledgers.tokens) throw new ConnectError('AI is down', Code.Unavailable)
          const { tokens: all } = ledgers
          return {
            items: holderIds.flatMap((holderId) => {
              const tokens = all.get(`${holderId} ${period}`)
              return tokens ? [{ holderId, tokens }] : []
            }),
          }
        },
      })
      router.service(StaffService, {
        recordStaffAction({ kind, target }) {
          staffActions.push({ kind, target })
          return {}
        },
      })
      router.service(SiteService, {
        getPublicSettings: () => ({ siteName: 'Lab 9', announcement: 'Down on Friday' }),
      })
      router.service(IdentityService, {
        getUser({ username }) {
          if (!people.has(username)) throw missing('this user')
          return { user: { username, firstName: username, lastName: 'Example' } }
        },
      })
    },
  })
  assert.ok(ctx)
  const { db } = ctx
  return {
    client: service.client(CatalogService),
    plans: service.client(PlansService),
    people: service.client(PeopleService),
    billing: service.client(BillingService),
    ctx,
    databaseUrl: service.databaseUrl,
    stored,
    uses,
    stories,
    ledgers,
    storages,
    staffActions,
    takeMails: () => enqueued.splice(0),
    nextMail: mails.next,
    query: async <Row>(text: string) => (await sql.raw<Row>(text).execute(db)).rows,
    fold: async () =>
      void (await foldDeltas.run({ ...ctx, db } as Ctx, new AbortController().signal)),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

/** Rejects the bucket `missing`, and removes secrets. */
function checkedStorage({ vendor, paramsJson }: SentStorage) {
  const { secret_key: _, ...params } = JSON.parse(paramsJson)
  if (params.bucket === 'missing') throw invalid('params.bucket', 'does not exist')
  return { vendor, paramsJson: JSON.stringify(params) }
}

type Message = Parameters<Ctx['mailer']['send']>[0]

function recordMails() {
  const sent: Message[] = []
  const waiting: ((message: Message) => void)[] = []
  const mailer: Ctx['mailer'] = {
    async send(message) {
      const reader = waiting.shift()
      if (reader) reader(message)
      else sent.push(message)
    },
    async [Symbol.asyncDispose]() {},
  }
  const next = async () => sent.shift() ?? new Promise<Message>((resolve) => waiting.push(resolve))
  return { mailer, next }
}

type HasClient = Pick<TestCatalog, 'client'>

export async function createNode(
  { client }: HasClient,
  type: NodeType,
  parentId = '',
  as = ada,
): Promise<Node> {
  const { node } = await client.createNode({ type, parentId, name: 'a name' }, as)
  assert.ok(node)
  return node
}

export type Tree = { workspace: Node; analysis: Node; figure: Node }

export async function createTree(catalog: HasClient): Promise<Tree> {
  const workspace = await createNode(catalog, WORKSPACE)
  const analysis = await createNode(catalog, ANALYSIS, workspace.id)
  const figure = await createNode(catalog, FIGURE, analysis.id)
  return { workspace, analysis, figure }
}

export const leaf = (sizeBytes: bigint) => ({ id: newId(), sizeBytes })

export async function createRevision(
  { client }: HasClient,
  parentId: string,
  sizes: bigint[] = [],
  { usedIds, ...more }: { position?: number; silent?: boolean; usedIds?: string[] } = {},
  type = FIGURE_REVISION,
): Promise<Node> {
  const { id } = await client.reserve({ type, parentId }, ada)
  const uses = usedIds && { figureRevisionId: id, version: 1, assetRevisionIds: usedIds }
  const activation = { id, leaves: sizes.map(leaf), ...more, ...(uses && { uses }) }
  const { node } = await client.activate(activation, ada)
  assert.ok(node)
  return node
}

/** As createRevision, below an asset. */
export const createAssetRevision = (catalog: HasClient, assetId: string, sizes: bigint[] = []) =>
  createRevision(catalog, assetId, sizes, {}, ASSET_REVISION)

/** Reserves and activates a content update. */
export async function updateContent(
  { client }: HasClient,
  id: string,
  change: Change = {},
  as = ada,
) {
  const { growthBytes = 0n, ...rest } = change
  const { updateId, updatedOn } = await client.reserveUpdate({ id, growthBytes }, as)
  const { node } = await client.activateUpdate({ updateId, id, ...contentOf(rest) }, as)
  assert.ok(node)
  return { node, updatedOn }
}

type Change = { growthBytes?: bigint } & Content

type Content = { sizes?: bigint[]; version?: number; silent?: boolean }

/** The content fields of ActivateUpdate. */
export const contentOf = ({ sizes, version = 2, silent = false }: Content) => ({
  ...(sizes && { leaves: { leaves: sizes.map(leaf) }, contentVersion: version }),
  silent,
})

export async function get(
  { client }: HasClient,
  { id, type }: Pick<Node, 'id' | 'type'>,
  as = ada,
) {
  const { node } = await client.getNode({ id, type }, as)
  assert.ok(node)
  return node
}

/** Grants a role with SQL, without the rules of the RPCs; replaces an existing role. */
export const grant = (
  { query }: Pick<TestCatalog, 'query'>,
  subject: string,
  { id }: { id: string },
  role: string,
  kind: 'member' | 'share' | 'link' = 'member',
): Promise<unknown> =>
  query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('${subject}', '${id}', '${kind}', '${role}', 'ada')
    on conflict on constraint access_grant_pkey do update set role = excluded.role`)

/** The fields of the nodes that change with their descendants. */
export async function sumsOf(catalog: HasClient, ...nodes: Node[]) {
  const sums = []
  for (const one of nodes) {
    const { sizeBytes, childUpdatedOn, childUpdatedBy } = await get(catalog, one)
    sums.push({ sizeBytes, childUpdatedOn, childUpdatedBy })
  }
  return sums
}

export type ExpectedError = { code: keyof typeof Code; error?: string; field?: string }

export async function assertError(call: Promise<unknown>, expected: ExpectedError): Promise<void> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.ok(failure instanceof ConnectError, `expected an error, got ${String(failure)}`)
  const detail = detailOf(failure)
  const actual = {
    code: Code[failure.code],
    ...(expected.error !== undefined && { error: detail?.error }),
    ...(expected.field !== undefined && { field: detail?.fields[0]?.field }),
  }
  assert.deepEqual(actual, expected, failure.message)
}

export const unauthenticated: ExpectedError = {
  code: 'Unauthenticated',
  error: 'not_authenticated',
}
export const denied: ExpectedError = { code: 'PermissionDenied', error: 'permission_denied' }
export const notFound: ExpectedError = { code: 'NotFound', error: 'not_found' }

/** The row counts that a rejected write must not change. */
export async function contents({ query }: TestCatalog) {
  const [counts] = await query<Record<string, bigint>>(`select
    (select count(*) from node) as nodes, (select count(*) from node_delta) as deltas,
    (select count(*) from leaf) as leaves, (select count(*) from tombstone) as tombstones,
    (select count(*) from access_grant) as grants, (select count(*) from activity) as entries,
    (select sum(version) from node) as versions,
    (select count(*) from organization) as organizations,
    (select count(organization_id) from node) as organized,
    (select count(*) from invitation) as invitations, (select count(*) from update_hold) as holds,
    (select count(*) from node where state = 'pending') as pending`)
  return counts
}

export type LogRow = {
  action: string
  actor: string
  is_silent: boolean
  request_id: string
  workspace_id: string | null
  analysis_id: string | null
  figure_id: string | null
  target_id: string
  target_type: string
  target_name: string | null
  is_same_time: boolean
}

/** The entries about a node; `is_same_time`: the entry has the time of the node's creation, update or deletion. */
export function logOf({ query }: TestCatalog, id: string): Promise<LogRow[]> {
  return query<LogRow>(`select a.action, a.actor, a.is_silent, a.request_id, a.workspace_id,
      a.analysis_id, a.figure_id, a.target_id, a.target_type, a.target_name,
      a.at = case a.action when 'create' then n.created_on when 'update' then n.updated_on
                           else n.deleted_on end as is_same_time
    from activity a join node n on n.id = a.target_id where a.target_id = '${id}' order by a.seq`)
}

export const microsOf = (node: Node): bigint => {
  assert.ok(node.createdOn)
  return node.createdOn.seconds * 1_000_000n + BigInt(node.createdOn.nanos / 1000)
}
