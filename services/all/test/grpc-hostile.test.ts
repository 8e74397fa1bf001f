import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  type DescField,
  type DescMessage,
  type DescMethod,
  hasOption,
  ScalarType,
} from '@bufbuild/protobuf'
import { type GrpcClient, grpcFailureOf } from '@figbase/kit/testing/grpc'
import { UsageService } from '@figbase/proto/ai-usage'
import { CatalogService, NodeType, Permission, Role } from '@figbase/proto/catalog'
import { BillingService } from '@figbase/proto/catalog/billing'
import { PeopleService } from '@figbase/proto/catalog/people'
import { CodeEditorService } from '@figbase/proto/code-editor'
import { internal } from '@figbase/proto/common'
import { ComputeService } from '@figbase/proto/compute'
import { GitService } from '@figbase/proto/git'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { SiteService } from '@figbase/proto/identity/site'
import { SshKeysService } from '@figbase/proto/identity/ssh-keys'
import { InsightService } from '@figbase/proto/insight'
import { NotificationsService } from '@figbase/proto/notifications'
import { DataType, RevisionsService } from '@figbase/proto/revisions'
import { StoriesService } from '@figbase/proto/stories'
import { StoryWriterService } from '@figbase/proto/story-writer'
import { WebhooksService } from '@figbase/proto/webhooks'
import { type ModelServer, startModelServer } from '@figbase/stories-ai/testing/model-server'
import {
  type Caller,
  createFigure,
  createNode,
  type Outside,
  startOutside,
} from './support/outside.js'
import { settingsFor } from './support/switch-ai-on.js'

/** gRPC callers bypass the gateway: the services validate requests themselves. */
const code = { unknown: 2, invalidArgument: 3, internal: 13 }
const contracts = {
  identity: IdentityService,
  accounts: AccountsService,
  people: PeopleService,
  billing: BillingService,
  site: SiteService,
  sshKeys: SshKeysService,
  catalog: CatalogService,
  revisions: RevisionsService,
  stories: StoriesService,
  usage: UsageService,
  insight: InsightService,
  storyWriter: StoryWriterService,
  codeEditor: CodeEditorService,
  compute: ComputeService,
  webhooks: WebhooksService,
  git: GitService,
  notifications: NotificationsService,
}
const type = 'NODE_TYPE_FIGURE_REVISION'

let model: ModelServer
let outside: Outside
let ann: Caller
let places: Awaited<ReturnType<typeof createFigure>>
let published: { id: string; data: { id: string }[] }
let sshKey: { id: string }
let storyId: string
let slideId: string
let commentId: string
let webhook: { id: string }
let repository: { id: string }
let deliveryId: string

before(async () => {
  model = await startModelServer()
  outside = await startOutside({ ...settingsFor(model, 'openai'), BILLING_PROVIDER: 'none' })
  await outside.switchAiOn()
  ann = await outside.signUp('ann')
  places = await createFigure(ann)
  const parts = [
    { parent: { id: places.figure, type } },
    { chunk: Buffer.from('print("hello, figure")') },
    { objectEnd: { type: DataType.CODE } },
    { finish: {} },
  ]
  const { revision } = await ann.revisions.clientStream('CreateRevision', parts)
  published = revision as typeof published
  const { key } = await ann.sshKeys.unary('CreateSshKey', newSshKey())
  sshKey = { id: (key as { id: string }).id }
  const { story } = await ann.stories.unary('CreateStory', newStory())
  const { node, slides } = story as { node: { id: string }; slides: { id: string }[] }
  storyId = node.id
  slideId = slides[0]?.id ?? ''
  const comment = await ann.comments.unary('CreateComment', newComment())
  commentId = (comment.comment as { id: string }).id
  const created = await ann.webhooks.unary('CreateWebhook', newWebhook())
  webhook = { id: (created.webhook as { id: string }).id }
  const registered = await ann.git.unary('CreateGitRepository', newRepository())
  repository = { id: (registered.repository as { id: string }).id }
  const tested = await ann.webhooks.unary('TestWebhook', webhook)
  deliveryId = (tested.delivery as { id: string }).id
})
after(async () => {
  assert.ok(model.requests.length > 0, 'AI was on')
  await outside[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

const nowhere = randomUUID()
const tokenOf = (...cursor: unknown[]) => Buffer.from(JSON.stringify(cursor)).toString('base64url')
const badTokens = [
  'x',
  '{',
  tokenOf(),
  Buffer.from('null').toString('base64url'),
  Buffer.from('['.repeat(100_000)).toString('base64url'),
  tokenOf('2026-02-31 00:00:00+00', '1'),
  tokenOf('0000-01-01 00:00:00+00', '1'),
  tokenOf('2026-01-01 00:00:00+00', '9'.repeat(19)),
  tokenOf('2026-01-01 00:00:00+00', '-1'),
  tokenOf("now'::text", 1),
]

const texts = [
  '',
  ' ',
  'x',
  '\0',
  'a\0b',
  '\u202e\ufffe',
  "' or 1=1 --",
  '%_\\',
  '../../etc/passwd',
  '{"$ne": null}',
  'x'.repeat(200_000),
  nowhere,
  nowhere.toUpperCase(),
]
const longs = ['0', '-1', '253402300799', '253402300800', `${2n ** 63n - 1n}`, `${-(2n ** 63n)}`]
const enums = [0, -1, 5, 99, 2 ** 31 - 1]
const integers = [0, -1, 1, 2 ** 31 - 1, -(2 ** 31)]

/** Only fields that are the token of a page get bad tokens, which are further texts to all others. */
const isPageToken = ({ name }: DescField) => /(^|_)page_token$/.test(name)

function hostile(field: DescField): unknown[] {
  const { fieldKind, scalar, message } = field
  if (isPageToken(field)) return [...texts, ...badTokens]
  if (fieldKind === 'list' && scalar === ScalarType.STRING) {
    return [[], Array(2000).fill('x'), ...texts.map((text) => [text])]
  }
  if (fieldKind === 'list' && field.listKind === 'enum') {
    return [[], Array(2000).fill(1), ...enums.map((value) => [value])]
  }
  if (fieldKind === 'message') return hostileMessages(message)
  if (fieldKind === 'list' && message) {
    return [[], Array(2000).fill({}), ...hostileMessages(message).map((value) => [value])]
  }
  if (fieldKind === 'enum') return enums
  if (scalar === ScalarType.STRING) return texts
  if (scalar === ScalarType.BOOL) return [true]
  if (scalar === ScalarType.INT32) return integers
  if (scalar === ScalarType.INT64) return longs
  if (scalar === ScalarType.BYTES) return [Buffer.alloc(0), Buffer.from('x')]
  throw new Error(`no hostile values for ${fieldKind} ${scalar}`)
}

const hostileMessages = ({ fields }: DescMessage): object[] => [
  {},
  ...fields.flatMap((field) => hostile(field).map((value) => ({ [field.localName]: value }))),
]

const workspaceNode = () => ({ id: places.workspace, type: NodeType.WORKSPACE })
const payer = () => ({ nodeId: places.workspace, type: NodeType.WORKSPACE })
const inWorkspace = () => ({ workspaceId: places.workspace })
const shared = () => ({ id: places.figure, type: NodeType.FIGURE })
const invited = () => ({
  targetId: places.workspace,
  type: NodeType.WORKSPACE,
  email: 'bob@example.org',
  role: Role.VIEWER,
})
const newStory = () => ({
  workspaceId: places.workspace,
  name: 'a',
  slides: { slides: [{ type: 'SLIDE_TYPE_FIGURE', revisionId: published.id }] },
})
const newComment = () => ({ targetId: published.id, targetType: type, content: 'Why?' })
const ofPlace = () => ({ placeId: places.workspace, placeType: NodeType.WORKSPACE })
const newWebhook = () => ({
  ...ofPlace(),
  url: 'http://localhost:9/',
  events: ['story.restored'],
  isActive: true,
})
const ofTarget = () => ({ targetId: places.workspace, targetType: NodeType.WORKSPACE })
const newRepository = () => ({
  ...ofTarget(),
  url: 'https://localhost:9/plots.git',
  branch: 'main',
})
const newKey = () => ({ name: randomUUID() })
async function createKey() {
  const { key } = await ann.identity.unary('CreateApiKey', newKey())
  return { id: (key as { id: string }).id }
}
async function createMetadataProxy() {
  const { token } = await ann.site.unary('CreateMetadataProxy', {})
  return { token: String(token), metadataJson: '{}' }
}
const newPem = () =>
  String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
const newSshKey = () => ({ name: randomUUID(), privateKey: newPem() })
async function invite() {
  const { invitation, token } = await ann.catalog.unary('CreateInvitation', invited())
  return { id: (invitation as { id: string }).id, token: String(token) }
}

/** Valid requests, so that each hostile value reaches the code behind the other checks. */
const valid: Record<string, () => Promise<object> | object> = {
  CreateUser: () => ({
    username: randomUUID(),
    email: 'u@example.org',
    password: 'correct horse battery',
  }),
  IssueToken: () => ({ username: 'nobody', password: 'wrong horse battery' }),
  RefreshToken: () => ({}),
  RevokeToken: () => ({}),
  GetUser: () => ({ username: 'ann' }),
  SearchUsers: () => ({ query: 'a' }),
  CreateApiKey: newKey,
  ListApiKeys: () => ({ pageSize: 1 }),
  GetApiKey: () => ({ id: nowhere }),
  DeleteApiKey: createKey,
  GetSettings: () => ({}),
  GetPublicSettings: () => ({}),
  UpdateSettings: () => ({ siteName: 'a' }),
  CreateMetadataProxy: () => ({}),
  GetMetadataProxy: createMetadataProxy,
  PostMetadata: createMetadataProxy,
  DeleteMetadataProxy: createMetadataProxy,
  CreateSshKey: newSshKey,
  UpdateUser: () => ({ username: 'ann', firstName: 'A' }),
  RequestEmailVerification: () => ({ username: 'ann' }),
  VerifyEmail: () => ({ token: 'x' }),
  RequestPasswordReset: () => ({ email: `${randomUUID()}@example.org` }),
  ResetPassword: () => ({ token: 'x', password: 'correct horse battery' }),
  SetUserActive: () => ({ username: 'bob', isActive: true }),
  SetUserStaff: () => ({ username: 'bob', isStaff: true }),
  DeleteUser: () => ({ username: 'bob', password: 'x' }),
  ListAccounts: () => ({ pageSize: 1 }),
  ListSessions: () => ({ username: 'ann' }),
  EndSessions: () => ({ username: 'ann', id: nowhere }),
  ListOwnedBytes: () => ({ usernames: ['ann'] }),
  ListOwnGrants: () => ({ pageSize: 1 }),
  ListOwnActivity: () => ({ pageSize: 1 }),
  ListOwnInvitations: () => ({ pageSize: 1 }),
  ListSshKeys: () => ({ pageSize: 1 }),
  GetSshKey: () => sshKey,
  UpdateSshKey: () => sshKey,
  DeleteSshKey: () => ({ id: nowhere }),
  CreateNode: () => ({ type: NodeType.FIGURE, parentId: places.analysis, name: 'a' }),
  GetNode: () => ({ id: places.figure, type: NodeType.FIGURE }),
  ListChildren: () => ({ parentId: places.analysis, type: NodeType.FIGURE, pageSize: 1 }),
  ListNodes: () => ({ type: NodeType.FIGURE, pageSize: 1 }),
  CountNodes: () => ({ type: NodeType.FIGURE }),
  ListDescendants: () => ({ id: places.analysis, type: NodeType.ANALYSIS }),
  ListNewestRevisions: () => ({ id: places.analysis, pageSize: 1 }),
  ListScopedAssets: () => ({ analysisId: places.analysis, pageSize: 1 }),
  FindAssetsByName: () => ({ name: 'a', analysisId: places.analysis, pageSize: 1 }),
  ListActivity: () => ({ id: places.analysis, pageSize: 1, detailed: true }),
  GetActivity: () => ({ id: places.analysis, entryId: nowhere }),
  GetOverview: () => ({ workspaceId: places.workspace }),
  ListRecent: () => ({ workspaceId: places.workspace, type: NodeType.FIGURE, pageSize: 1 }),
  ListContributions: () => ({}),
  ListMemberActivity: () => ({ pageSize: 1 }),
  ListStaleFigures: () => ({ workspaceId: places.workspace, pageSize: 1 }),
  ConfirmFigure: () => ({ figureId: places.figure, reason: 'the same data' }),
  UpdateNode: () => ({ id: places.figure, type: NodeType.FIGURE, name: 'a' }),
  DeleteNode: async () => ({
    id: await createNode(ann, NodeType.FIGURE, 'a', places.analysis),
    type: NodeType.FIGURE,
  }),
  RestoreNode: async () => {
    const deleted = {
      id: await createNode(ann, NodeType.FIGURE, 'a', places.analysis),
      type: NodeType.FIGURE,
    }
    await ann.catalog.unary('DeleteNode', deleted)
    return deleted
  },
  ListDeletions: () => ({ ...workspaceNode(), pageSize: 1 }),
  ListMembers: () => ({ ...workspaceNode(), pageSize: 1 }),
  AddMember: () => ({ ...workspaceNode(), member: { username: 'bob', role: Role.VIEWER } }),
  ChangeMember: () => ({ ...workspaceNode(), member: { username: 'bob', role: Role.VIEWER } }),
  RemoveMember: () => ({ ...workspaceNode(), username: 'bob' }),
  ListUserShares: () => ({ ...shared(), pageSize: 1 }),
  SetUserShare: () => ({ ...shared(), username: 'ann', enabled: true }),
  GetLinkShare: shared,
  SetLinkShare: shared,
  CreateInvitation: invited,
  GetInvitation: async () => ({ id: (await invite()).id, type: NodeType.WORKSPACE }),
  GetInvitationByToken: async () => ({ token: (await invite()).token, type: NodeType.WORKSPACE }),
  AcceptInvitation: async () => ({ token: (await invite()).token, type: NodeType.WORKSPACE }),
  DeleteInvitation: async () => ({ id: (await invite()).id, type: NodeType.WORKSPACE }),
  ListInvitations: () => ({ targetId: places.workspace, type: NodeType.WORKSPACE, pageSize: 1 }),
  CheckAccess: () => ({ id: places.figure, permission: Permission.VIEW }),
  GetRevision: () => ({ id: published.id, type }),
  ListRevisions: () => ({ parentId: places.figure, type, pageSize: 1 }),
  ListVisibleRevisions: () => ({ type, pageSize: 1 }),
  ListLinks: async () => ({ assetRevisionId: await newAssetRevision() }),
  UnlinkFigure: async () => ({
    assetRevisionId: await newAssetRevision(),
    figureRevisionId: published.id,
  }),
  DeriveRevision: () => ({ sourceId: published.id }),
  FindByHash: () => ({ hashType: 'blake3', digest: 'a'.repeat(64) }),
  ReserveShortIdPrefix: () => ({}),
  CreateStory: newStory,
  GetStory: () => ({ id: storyId }),
  UpdateStory: () => ({ id: storyId, name: 'b' }),
  ListVersions: () => ({ storyId, pageSize: 1 }),
  ListOwnStories: () => ({ pageSize: 1 }),
  ListTelling: () => ({ revisionId: published.id }),
  ListOwnUsage: () => ({ period: '2026-11', pageSize: 1 }),
  ListUsageHistory: () => ({ pageSize: 1 }),
  ListContainerUsage: () => ({ ...workspaceNode(), period: '2026-11', pageSize: 1 }),
  ListMonthlyTokens: workspaceNode,
  ListSiteUsage: () => ({ period: '2026-11', pageSize: 1 }),
  GetVersion: () => ({ storyId, version: 1 }),
  RestoreVersion: () => ({ storyId, version: 1 }),
  ExportStory: () => ({ storyId, format: 'EXPORT_FORMAT_MARKDOWN' }),
  ReadExport: () => ({ storyId, exportId: nowhere }),
  Ask: () => ({ figure: { revisionId: published.id, prompt: 'What is it?' } }),
  Check: () => ({ revisionId: published.id }),
  ExtractCode: () => ({ revisionId: published.id }),
  ListDatasets: () => ({ revisionId: published.id }),
  Describe: () => ({ revisionId: published.id }),
  WriteSlide: () => ({ storyId, type: 'SLIDE_TYPE_FIGURE', revisionId: published.id }),
  ChangeDetail: () => ({
    storyId,
    slideId,
    direction: 'DETAIL_DIRECTION_MORE',
    currentContent: 'a',
  }),
  RefineSlides: () => ({ storyId }),
  GenerateStory: () => ({ storyId }),
  RefineStory: () => ({ storyId }),
  StartReply: () => ({ parentCommentId: commentId }),
  EditCode: () => ({
    revisionId: published.id,
    messages: [{ role: 'user', content: 'Make it red' }],
    currentCode: 'plot()',
  }),
  ReadData: () => ({ id: published.data[0]?.id }),
  GetDataStorage: () => ({ id: published.data[0]?.id }),
  ReadThumbnail: () => ({ revisionId: published.id, type }),
  ListTiers: () => ({}),
  GetLaunchOptions: inWorkspace,
  GetAllowance: inWorkspace,
  GetUsage: inWorkspace,
  ListMonthlySeconds: inWorkspace,
  ListOwnMonthlySeconds: () => ({}),
  ListInstances: () => ({ ...inWorkspace(), pageSize: 1 }),
  ListOwnInstances: () => ({ pageSize: 1 }),
  LaunchInstance: () => ({ ...inWorkspace(), name: 'a' }),
  GetInstance: () => ({ id: nowhere }),
  UpdateInstance: () => ({ id: nowhere, name: 'a' }),
  StartInstance: () => ({ id: nowhere }),
  StopInstance: () => ({ id: nowhere }),
  TerminateInstance: () => ({ id: nowhere }),
  ChangeTier: () => ({ id: nowhere, tier: 'large' }),
  GetHeartbeat: () => ({ id: nowhere }),
  ConnectInstance: () => ({ id: nowhere, app: 'jupyter' }),
  ListInstanceEvents: () => ({ id: nowhere, pageSize: 1 }),
  GetBilling: payer,
  UpdateBilling: () => ({ ...payer(), name: 'a' }),
  ListInvoices: () => ({ ...payer(), pageSize: 1 }),
  GetInvoice: () => ({ ...payer(), invoiceId: nowhere }),
  CreateCheckout: payer,
  CreatePortal: payer,
  ListAllInvoices: () => ({ pageSize: 1 }),
  GetAnyInvoice: () => ({ invoiceId: nowhere }),
  CreateCreditNote: () => ({ invoiceId: nowhere, reason: 'a' }),
  MarkInvoicePaid: () => ({ invoiceId: nowhere }),
  ReceiveProviderEvent: () => ({ payload: Buffer.from('{}'), signature: 'x' }),
  CreateWebhook: newWebhook,
  ListWebhooks: ofPlace,
  GetWebhook: () => webhook,
  UpdateWebhook: () => ({ ...webhook, events: { names: ['*'] } }),
  DeleteWebhook: () => ({ id: nowhere }),
  RotateWebhookSecret: () => webhook,
  TestWebhook: () => webhook,
  ListWebhookDeliveries: () => ({ webhookId: webhook.id, pageSize: 1 }),
  RedeliverWebhookDelivery: () => ({ id: deliveryId }),
  CreateGitRepository: newRepository,
  ListGitRepositories: ofTarget,
  GetGitRepository: () => repository,
  UpdateGitRepository: () => ({ ...repository, exclude: { patterns: ['drafts'] } }),
  DeleteGitRepository: () => ({ id: nowhere }),
  RotateGitPushSecret: () => repository,
  ImportGitRepository: () => repository,
  ListGitImports: () => ({ repositoryId: repository.id, pageSize: 1 }),
  GetNotificationSettings: () => ({}),
  UpdateNotificationSettings: () => ({ digestHour: 7, timeZone: 'UTC' }),
  Unsubscribe: () => ({ token: 'a' }),
  ReadNewestThumbnail: () => ({ id: published.id, type: NodeType.FIGURE_REVISION }),
}

async function newAssetRevision() {
  const asset = await createNode(ann, NodeType.ASSET, 'a', places.workspace)
  const parts = [{ parent: { id: asset, type: 'NODE_TYPE_ASSET_REVISION' } }, { finish: {} }]
  const { revision } = await ann.revisions.clientStream('CreateRevision', parts)
  return (revision as { id: string }).id
}

const isUnary = (method: DescMethod) => method.methodKind === 'unary'

async function call(client: GrpcClient, method: DescMethod, request: object): Promise<void> {
  if (isUnary(method)) {
    await client.unary(method.name, request)
    return
  }
  for await (const _ of client.serverStream(method.name, request));
}

const codeOf = (pending: Promise<unknown>) =>
  pending.then(
    () => 0,
    (error: { code: number }) => error.code,
  )

for (const [name, { methods }] of Object.entries(contracts)) {
  for (const method of methods) {
    if (hasOption(method, internal) || method.methodKind === 'client_streaming') continue
    test(`${method.name} rejects hostile values as a client error`, async () => {
      const client = ann[name as keyof Caller]
      const make = valid[method.name]
      assert.ok(make, `${method.name} has no valid request here`)
      for (const field of method.input.fields) {
        const ask = async (value: unknown) => {
          const request = { ...(await make()), [field.localName]: value }
          const answered = await codeOf(call(client, method, request))
          const what = `${field.name} = ${String(value).slice(0, 60)}`
          assert.ok(![code.internal, code.unknown].includes(answered), `${what}: ${answered}`)
        }
        await Promise.all(Array.from(hostile(field), ask))
      }
    })
  }
}

async function refuses(pending: Promise<unknown>, field: string) {
  const failure = await grpcFailureOf(pending)
  const [violation] = failure.fields
  assert.deepEqual([failure.code, violation?.field], [code.invalidArgument, field], failure.message)
}

test('identity rejects what REST rejects with 400', async () => {
  const account = { username: 'eve', email: 'e@example.org', password: 'correct horse battery' }
  for (const [member, field, value] of [
    ['username', 'username', ''],
    ['username', 'username', 'a b'],
    ['username', 'username', 'system'],
    ['username', 'username', '..'],
    ['username', 'username', 'x'.repeat(151)],
    ['email', 'email', 'x'],
    ['email', 'email', 'a\0@example.org'],
    ['email', 'email', `${'x'.repeat(300)}@example.org`],
    ['firstName', 'first_name', 'a\0'],
    ['lastName', 'last_name', 'x'.repeat(151)],
    ['password', 'password', 'short'],
    ['password', 'password', 'x'.repeat(1025)],
    ['password', 'password', 'correct\0horse'],
  ] as const) {
    await refuses(ann.identity.unary('CreateUser', { ...account, [member]: value }), field)
  }
  await refuses(
    ann.identity.unary('CreateUser', { ...account, password: account.username }),
    'password',
  )
  for (const query of ['', '  ', 'a\0', 'x'.repeat(302)]) {
    await refuses(ann.identity.unary('SearchUsers', { query }), 'q')
  }
  for (const [request, field] of [
    [{ name: '' }, 'name'],
    [{ name: 'a\0' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ expiresOn: { seconds: '1' } }, 'expiry'],
    [{ expiresOn: { seconds: '253402300800' } }, 'expiry'],
    [{ workspaceId: 'x' }, 'workspace'],
    [{ workspaceId: nowhere }, 'workspace'],
    [{ workspaceId: places.figure }, 'workspace'],
  ] as const) {
    await refuses(ann.identity.unary('CreateApiKey', { ...newKey(), ...request }), field)
  }
  for (const pageToken of badTokens) {
    await refuses(ann.identity.unary('ListApiKeys', { pageToken }), 'page_token')
  }
  const { token } = await createMetadataProxy()
  for (const metadataJson of [
    '',
    '{',
    '"\\u0000"',
    '['.repeat(30_000),
    `"${'x'.repeat(65_535)}"`,
  ]) {
    await refuses(ann.site.unary('PostMetadata', { token, metadataJson }), 'metadata')
  }
  const longAgo = { expiresOn: { seconds: '1' } }
  await refuses(ann.site.unary('CreateMetadataProxy', longAgo), 'expiry')
})

test('catalog rejects what REST rejects with 400', async () => {
  const { workspace, analysis, figure } = places
  const create = { type: NodeType.FIGURE, parentId: analysis, name: 'a' }
  for (const [request, field] of [
    [{ name: '' }, 'name'],
    [{ name: 'a\0' }, 'name'],
    [{ name: 'x'.repeat(501) }, 'name'],
    [{ description: '\0' }, 'description'],
    [{ description: 'x'.repeat(100_001) }, 'description'],
    [{ parentId: '' }, 'analysis'],
    [{ parentId: 'x' }, 'analysis'],
    [{ parentId: nowhere }, 'analysis'],
    [{ parentId: workspace }, 'analysis'],
    [{ type: 0 }, 'type'],
    [{ type: 99 }, 'type'],
    [{ type: NodeType.FIGURE_REVISION }, 'type'],
    [{ type: NodeType.WORKSPACE, parentId: workspace }, 'organization'],
  ] as const) {
    await refuses(ann.catalog.unary('CreateNode', { ...create, ...request }), field)
  }
  const organization = await createNode(ann, NodeType.ORGANIZATION, 'o')
  const update = { id: figure, type: NodeType.FIGURE }
  const own = { id: workspace, type: NodeType.WORKSPACE }
  for (const [request, field] of [
    [{ ...update, name: '' }, 'name'],
    [{ ...update, name: 'a\0' }, 'name'],
    [{ ...update, description: 'x'.repeat(100_001) }, 'description'],
    [{ ...update, parentId: nowhere }, 'analysis'],
    [{ ...update, type: 99 }, 'type'],
    [{ ...own, parentId: nowhere }, 'organization'],
    [{ id: organization, organization: { logo: Buffer.from('x') } }, 'logo'],
    [{ ...own, workspaceType: 1 }, 'workspace_type'],
    [{ ...own, workspaceType: 99 }, 'workspace_type'],
  ] as const) {
    await refuses(ann.catalog.unary('UpdateNode', request), field)
  }
  for (const [request, field] of [
    [{ member: undefined }, 'membership_type'],
    [{ member: { username: 'ann' } }, 'membership_type'],
    [{ member: { username: 'ann', role: Role.OWNER } }, 'membership_type'],
    [{ member: { username: 'ann', role: Role.ORG_ADMIN } }, 'membership_type'],
    [{ member: { role: Role.VIEWER } }, 'username'],
    [{ member: { username: 'a\0', role: Role.VIEWER } }, 'username'],
    [{ member: { username: 'nobody', role: Role.VIEWER } }, 'username'],
    [shared(), 'type'],
  ] as const) {
    await refuses(ann.catalog.unary('AddMember', { ...workspaceNode(), ...request }), field)
  }
  await refuses(ann.catalog.unary('SetUserShare', { ...shared(), username: 'nobody' }), 'username')
  await refuses(ann.catalog.unary('SetLinkShare', workspaceNode()), 'type')
  for (const [request, field] of [
    [{ email: 'x' }, 'email'],
    [{ role: Role.OWNER }, 'membership_type'],
    [{ targetId: figure }, 'workspace'],
    [{ type: NodeType.FIGURE }, 'type'],
    [{ expiresOn: { seconds: '253402300800' } }, 'expiry'],
    [{ expiresOn: { seconds: '1' } }, 'expiry'],
  ] as const) {
    await refuses(ann.catalog.unary('CreateInvitation', { ...invited(), ...request }), field)
  }
  await refuses(ann.catalog.unary('DeleteNode', { id: figure, type: 99 }), 'type')
  await refuses(ann.catalog.unary('CheckAccess', { id: figure, permission: 99 }), 'permission')
  await refuses(ann.catalog.unary('ListNodes', {}), 'type')
  await refuses(ann.catalog.unary('ListChildren', { parentId: analysis }), 'type')
  for (const pageToken of badTokens) {
    const list = { type: NodeType.FIGURE, pageToken }
    const children = { ...list, parentId: analysis, pageToken: `0.${pageToken}` }
    await refuses(ann.catalog.unary('ListNodes', list), 'page_token')
    await refuses(ann.catalog.unary('ListChildren', children), 'page_token')
    await refuses(ann.revisions.unary('ListVisibleRevisions', { type, pageToken }), 'page_token')
  }
})

test('revisions rejects what REST rejects with 400', async () => {
  const file = { type: DataType.FILE }
  const parent = { parent: { id: places.figure, type } }
  const nested = '['.repeat(101) + ']'.repeat(101)
  const upload = (...parts: object[]) => ann.revisions.clientStream('CreateRevision', parts)
  for (const [parts, field] of [
    [[], 'data'],
    [[{}], 'data'],
    [[parent], 'data'],
    [[parent, parent], 'figure'],
    [[{ finish: {} }], 'parent'],
    [[{ parent: { id: '', type } }], 'figure'],
    [[{ parent: { id: 'a\0', type } }], 'figure'],
    [[{ parent: { id: nowhere, type } }], 'figure'],
    [[{ parent: { id: places.analysis, type } }], 'figure'],
    [[parent, { chunk: Buffer.from('x') }, { finish: {} }], 'data'],
    [[parent, { objectEnd: {} }], 'data[0].type'],
    [[parent, { objectEnd: { type: 99 } }], 'data[0].type'],
    [[parent, { objectEnd: { ...file, name: 'a\0' } }], 'data[0].name'],
    [[parent, { objectEnd: { ...file, name: 'x'.repeat(1001) } }], 'data[0].name'],
    [[parent, { objectEnd: { ...file, metadataJson: '{' } }], 'data[0].metadata'],
    [[parent, { objectEnd: { ...file, metadataJson: '"a"' } }], 'data[0].metadata'],
    [[parent, { objectEnd: { ...file, metadataJson: nested } }], 'data[0].metadata'],
    [[parent, { objectEnd: { ...file, metadataJson: '["\\u0000"]' } }], 'data[0].metadata'],
    [[parent, { finish: { metadataJson: '\0' } }], 'metadata'],
    [[parent, { finish: { metadataJson: nested } }], 'metadata'],
    [[parent, { finish: { metadataJson: '{"\\ud800": 1}' } }], 'metadata'],
    [[parent, { finish: { metadataJson: `"${'x'.repeat(7 * 2 ** 20)}"` } }], 'metadata'],
    [[parent, { finish: { clientId: 'x' } }], 'client_id'],
    [[parent, ...Array.from({ length: 1001 }, () => ({ objectEnd: file }))], 'data'],
  ] as const) {
    await refuses(upload(...parts), field)
  }
  for (const sizePx of [-1, 4097]) {
    await refuses(
      ann.revisions.unary('ReadThumbnail', { revisionId: nowhere, type, sizePx }),
      'size',
    )
  }
})
