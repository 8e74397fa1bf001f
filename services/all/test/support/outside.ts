import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileSystemStore } from '@figbase/kit/objects'
import { actAs, anonymous, lazyClient, user } from '@figbase/kit/rpc'
import { compose, Lifecycle } from '@figbase/kit/service'
import { createGrpcClient, type GrpcClient } from '@figbase/kit/testing/grpc'
import { NodeType } from '@figbase/proto/catalog'
import { IdentityService } from '@figbase/proto/identity'
import { SiteService } from '@figbase/proto/identity/site'
import { services } from '../../src/all-in-one.js'
import { createMigratedDatabase } from './migrated-database.js'

export const serviceNames = [
  'identity',
  'accounts',
  'site',
  'sshKeys',
  'catalog',
  'people',
  'billing',
  'revisions',
  'comments',
  'compute',
  'stories',
  'usage',
  'insight',
  'storyWriter',
  'codeEditor',
  'webhooks',
  'git',
  'notifications',
] as const
type ServiceName = (typeof serviceNames)[number]

/** Packages of services that are not named after their package. */
const packageOf: Partial<Record<ServiceName, string>> = {
  accounts: 'identity',
  site: 'identity',
  sshKeys: 'identity',
  people: 'catalog',
  billing: 'catalog',
  stories: 'stories_ai',
  usage: 'stories_ai',
  insight: 'stories_ai',
  storyWriter: 'stories_ai',
  codeEditor: 'stories_ai',
  webhooks: 'tasks',
  git: 'revisions',
  notifications: 'tasks',
}

/** An external caller at the gRPC port of all services. */
export type Caller = Record<ServiceName, GrpcClient>

export type Outside = AsyncDisposable & {
  callerWith(token?: string): Caller
  signUp(username: string): Promise<Caller>
  switchAiOn(): Promise<void>
}

/** The real services in one process, and external callers at their gRPC port. */
export async function startOutside(settings: Record<string, string> = {}): Promise<Outside> {
  const lifecycle = new Lifecycle()
  const database = await createMigratedDatabase()
  lifecycle.onStop(() => database[Symbol.asyncDispose]())
  const dir = await mkdtemp(join(tmpdir(), 'figbase-grpc-'))
  lifecycle.onStop(() => rm(dir, { recursive: true, force: true }))
  const env = {
    DATABASE_URL: database.url,
    FIGBASE_SECRET_KEY: 'a secret of the tests',
    ADMIN_PASSWORD_FILE: join(dir, 'admin-password'),
    LOG_LEVEL: 'fatal',
    EMBEDDER: 'none',
    OCR_ENABLED: 'false',
    RPC_PORT: '0',
    INVITATIONS_PER_HOUR_MAX: '100000',
    INVITATIONS_PER_HOUR_AND_ADDRESS_MAX: '100000',
    ...settings,
  }
  const objects = createFileSystemStore(join(dir, 'objects'))
  const composition = await compose(services, { env, objects, isolate: true })
  lifecycle.onStop(() => composition[Symbol.asyncDispose]())

  const clientOf = (name: ServiceName, token?: string) => {
    const owner = packageOf[name] ?? name
    const service = `figbase.${owner}.v1.${name.charAt(0).toUpperCase()}${name.slice(1)}Service`
    const file = `figbase/${owner}/v1/${name.replace(/[A-Z]/, '_$&').toLowerCase()}.proto`
    const client = createGrpcClient(composition.rpcPort ?? 0, file, service, token)
    lifecycle.onStop(() => client[Symbol.dispose]())
    return client
  }
  const callerWith = (token?: string): Caller => ({
    identity: clientOf('identity', token),
    accounts: clientOf('accounts', token),
    people: clientOf('people', token),
    billing: clientOf('billing', token),
    site: clientOf('site', token),
    sshKeys: clientOf('sshKeys', token),
    catalog: clientOf('catalog', token),
    revisions: clientOf('revisions', token),
    comments: clientOf('comments', token),
    compute: clientOf('compute', token),
    stories: clientOf('stories', token),
    usage: clientOf('usage', token),
    insight: clientOf('insight', token),
    storyWriter: clientOf('storyWriter', token),
    codeEditor: clientOf('codeEditor', token),
    webhooks: clientOf('webhooks', token),
    git: clientOf('git', token),
    notifications: clientOf('notifications', token),
  })
  return {
    callerWith,
    async signUp(username) {
      const identity = lazyClient(IdentityService, composition.transportTo)
      const email = `${username}@example.org`
      const account = { username, email, password: 'correct horse battery', firstName: 'A' }
      const { tokens } = await identity.createUser({ ...account, lastName: 'B' }, actAs(anonymous))
      return callerWith(tokens?.access)
    },
    async switchAiOn() {
      const site = lazyClient(SiteService, composition.transportTo)
      await site.updateSettings({ aiEnabled: true }, actAs(user('admin', true)))
    },
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}

export async function createNode(as: Caller, type: NodeType, name: string, parentId = '') {
  const { node } = await as.catalog.unary('CreateNode', { type, name, parentId })
  return (node as { id: string }).id
}

export async function createFigure(as: Caller) {
  const workspace = await createNode(as, NodeType.WORKSPACE, 'Climate')
  const analysis = await createNode(as, NodeType.ANALYSIS, 'Temperatures', workspace)
  const figure = await createNode(as, NodeType.FIGURE, 'Monthly means', analysis)
  return { workspace, analysis, figure }
}
