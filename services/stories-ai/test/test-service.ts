import { randomUUID } from 'node:crypto'
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'
import { toTimestamp } from '@figbase/kit/db'
import { conflict, denied, detailOf, notFound, precondition } from '@figbase/kit/errors'
import { actAs, user } from '@figbase/kit/rpc'
import { startTestService, type TestService } from '@figbase/kit/testing'
import { CatalogService, NodeType } from '@figbase/proto/catalog'
import { StoriesService, type Story } from '@figbase/proto/stories'
import jwt from 'jsonwebtoken'
import type { Ctx } from '../src/context.js'
import { storiesAi } from '../src/index.js'

export const ann = actAs(user('ann'))
export const eve = actAs(user('eve'))
export const workspaceId = randomUUID()
/** Ann may view them; the second one is deleted. */
export const [revision, deletedRevision, hiddenRevision] = [
  randomUUID(),
  randomUUID(),
  randomUUID(),
] as const

type StubNode = {
  name: string
  description?: string | undefined
  ownBytes: bigint
  version: number
}
type Method = 'reserve' | 'activate' | 'reserveUpdate' | 'activateUpdate'

/** A stub of catalog: ann may do everything in one workspace, eve may view it. */
export class CatalogStub {
  readonly nodes = new Map<string, StubNode & { active: boolean }>()
  /** Story by update. */
  readonly updates = new Map<string, string>()
  /** Ids that can no longer be restored. */
  readonly purgeable: string[] = []
  readonly calls: string[] = []
  /** The errors that the next calls of a method fail with. */
  readonly failures = new Map<Method, ConnectError[]>()
  /** The time that reservations return. */
  now = () => new Date()

  fail(method: Method, ...errors: ConnectError[]) {
    this.failures.set(method, errors)
  }

  readonly routes = (router: ConnectRouter) => {
    const called = (method: Method) => {
      this.calls.push(method)
      const error = this.failures.get(method)?.shift()
      if (error) throw error
    }
    const at = () => toTimestamp(`${this.now().toISOString().replace('T', ' ').slice(0, -1)}+00`)
    const found = (id: string) => {
      const node = this.nodes.get(id.toLowerCase())
      if (!node) throw notFound('this story')
      const texts = { name: node.name, ...(node.description && { description: node.description }) }
      return { id, type: NodeType.STORY, workspaceId, sizeBytes: node.ownBytes, ...texts }
    }
    const isKnown = (id: string) => id === workspaceId || this.nodes.has(id.toLowerCase())
    return router.service(CatalogService, {
      checkAccess({ id, type, permission }, { requestHeader }) {
        const claims = jwt.decode(requestHeader.get('figbase-principal') ?? '', { json: true })
        if (!isKnown(id)) throw notFound('this object')
        if (claims?.u !== 'ann') throw denied(String(permission))
        return { type, workspaceId }
      },
      getNode: ({ id }) => ({ node: found(id) }),
      resolveNodes: ({ ids }) => ({
        nodes: ids.filter((id) => id === revision).map((id) => ({ id })),
        hiddenIds: ids.filter((id) => id === hiddenRevision),
      }),
      reserve: ({ id = randomUUID(), texts }) => {
        called('reserve')
        if (this.nodes.has(id)) throw conflict('duplicate_client_id', 'exists')
        const { name = '', description } = texts ?? {}
        this.nodes.set(id, { name, description, ownBytes: 0n, version: 0, active: false })
        return { id, workspaceId, createdOn: at() }
      },
      activate: ({ id, ownBytes }) => {
        called('activate')
        const node = this.nodes.get(id)
        if (!node) throw notFound('this reservation')
        Object.assign(node, { ownBytes, active: true })
        return { node: found(id) }
      },
      abandon: ({ id }) => {
        this.nodes.delete(id)
        return {}
      },
      reserveUpdate: ({ id }) => {
        called('reserveUpdate')
        const updateId = randomUUID()
        this.updates.set(updateId, id)
        return { updateId, workspaceId, updatedOn: at() }
      },
      activateUpdate: ({ updateId, id, contentVersion, texts, ownBytes }) => {
        called('activateUpdate')
        const node = this.nodes.get(id)
        if (!node || !this.updates.delete(updateId)) throw notFound('this update')
        if (contentVersion >= node.version) {
          Object.assign(node, { ...texts, ownBytes, version: contentVersion })
        }
        return { node: found(id) }
      },
      abandonUpdate: ({ updateId }) => {
        this.updates.delete(updateId)
        return {}
      },
      listDeletedNodes: ({ pageToken }) => ({
        ids: pageToken ? [] : this.purgeable,
        nextPageToken: 'end',
        hasMore: false,
      }),
    })
  }
}

export const unavailable = () => new ConnectError('catalog is down', Code.Unavailable)
export const gone = () => notFound('the parent')
export const conflicting = () => precondition('busy', 'busy')

export type Started = TestService & {
  stories: ReturnType<typeof clientOf>
  ctx: Ctx
  catalog: CatalogStub
  create(more?: object): Promise<Story & { id: string }>
}

const clientOf = (started: TestService) => started.client(StoriesService)

export async function start(
  env: Record<string, string> = {},
  more: (router: ConnectRouter) => unknown = () => {},
): Promise<Started> {
  let ctx: Ctx | undefined
  const catalog = new CatalogStub()
  const observed = {
    ...storiesAi,
    context: (kit: never, cfg: never) => {
      ctx = storiesAi.context(kit, cfg)
      return ctx
    },
  }
  const started = await startTestService(observed, {
    transport: 'local',
    env,
    peers(router) {
      catalog.routes(router)
      more(router)
    },
  })
  if (!ctx) throw new Error('the service did not create a context')
  const stories = clientOf(started)
  return {
    ...started,
    stories,
    ctx,
    catalog,
    async create(more = {}) {
      const { story } = await stories.createStory({ workspaceId, name: 'Spring', ...more }, ann)
      if (!story?.node) throw new Error('the response has no story')
      return { ...story, id: story.node.id }
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
