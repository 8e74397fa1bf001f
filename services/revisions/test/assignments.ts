import assert from 'node:assert/strict'
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'
import { newId } from '@figbase/kit/ids'
import { NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import { TaskStatus, TasksService } from '@figbase/proto/tasks'
import { blank } from './catalog.js'
import {
  ada,
  type Bench,
  image,
  type Message,
  startBench,
  type TestObject,
  type,
  until,
} from './service.js'

export type Assigning = {
  bench: Bench
  /** How the tasks ended. */
  outcomes: TaskStatus[]
  analysis: string
  /** Cancels the running tasks, or this one. */
  cancel(taskId?: string): void
  /** Cancellations cannot be read until this is false. */
  isUnavailable: boolean
}

type Options = {
  /** Cancels tasks before they begin. */
  isCancelled?: boolean
  env?: Record<string, string>
  others?: (router: ConnectRouter) => unknown
}

/** Uses a fake tasks service. */
export async function start(options: Options = {}): Promise<Assigning> {
  const { isCancelled = false, env = {}, others = () => {} } = options
  const outcomes: TaskStatus[] = []
  const running = new Set<string>()
  const revoked = new Set<string>()
  const made = { isUnavailable: false }
  const bench = await startBench('local', env, (router) => {
    router.service(TasksService, {
      startTask: () => ({}),
      reportTask({ id, status }) {
        if (isCancelled) return { isRevoked: true, isFinished: true }
        running.add(id)
        if (status !== undefined && status !== TaskStatus.STARTED) outcomes.push(status)
        return {}
      },
      listRevoked({ ids }) {
        if (made.isUnavailable) throw new ConnectError('unavailable', Code.Unavailable)
        return { ids: ids.filter((id) => revoked.has(id)) }
      },
    })
    others(router)
  })
  const cancel = (taskId?: string) => {
    for (const id of taskId ? [taskId] : running) revoked.add(id)
  }
  return Object.assign(made, {
    ...{ bench, outcomes, analysis: bench.catalog.analysis('ada'), cancel },
  })
}

async function* parts(id: string, object: TestObject, clientId = newId()): AsyncGenerator<Message> {
  const { bytes = new Uint8Array(), ...end } = object
  yield { part: { case: 'parent', value: { id, type, autoAssign: true } } }
  yield { part: { case: 'chunk', value: bytes } }
  yield { part: { case: 'objectEnd', value: end } }
  yield { part: { case: 'finish', value: { clientId } } }
}

export async function assign(
  { client }: Bench,
  analysis: string,
  object: TestObject = known,
): Promise<Revision> {
  const { revision } = await client.createRevision(parts(analysis, object), ada)
  assert.ok(revision)
  return revision
}
const known = { ...image(Buffer.from('no picture')), name: 'Known' }

/** A figure of the analysis; those of others are shared with ada. */
export function figure({ catalog }: Bench, parentId: string, name = 'known', owner = 'ada') {
  const id = newId()
  const node = { ...blank, id, parentId, name, owner, type: NodeType.FIGURE }
  catalog.nodes.set(id, { ...node, state: 'active' })
  catalog.shares.add(`ada ${id}`)
  return id
}

/** The revision when its assignment has ended. */
export async function ended({ client, query }: Bench, id: string): Promise<Revision> {
  const revision = await until(async () => {
    const answer = await client.getRevision({ id, type }, ada)
    return answer.revision?.isProcessing === false && answer.revision
  })
  assert.deepEqual(await query('select revision_id from assignment'), [])
  return revision
}
