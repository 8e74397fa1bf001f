import { randomUUID } from 'node:crypto'
import { actAs, actAsSystem, anonymous, user } from '@figbase/kit/rpc'
import type { Service } from '@figbase/kit/service'
import { startTestService, type TestService, type TestServiceOptions } from '@figbase/kit/testing'
import { type Task, TasksService } from '@figbase/proto/tasks'
import type { Ctx } from '../../src/context.js'
import { tasks } from '../../src/index.js'

export type Transport = 'local' | 'http2'

export const ann = actAs(user('ann'))
export const bob = actAs(user('bob'))
export const nobody = actAs(anonymous)
export const system = actAsSystem()

export type Started = Omit<TestService, 'client'> & {
  client: ReturnType<typeof clientOf>
  ctx: Ctx
  /** Starts a task of ann. */
  open(name?: string): Promise<Task>
}

const clientOf = (started: TestService) => started.client(TasksService)

export async function start(
  transport: Transport,
  env: Record<string, string> = {},
  more: Pick<TestServiceOptions, 'peers' | 'databaseUrl'> = {},
): Promise<Started> {
  let ctx: Ctx | undefined
  const observed: Service = {
    ...tasks,
    context: (kit, cfg) => {
      ctx = tasks.context(kit, cfg)
      return ctx
    },
  }
  const started = await startTestService(observed, { transport, env, ...more })
  if (!ctx) throw new Error('the service created no context')
  const client = clientOf(started)
  return {
    ...started,
    client,
    ctx,
    async open(name = 'Import') {
      const { task } = await client.startTask({ id: randomUUID(), name, type: 'import' }, ann)
      if (!task) throw new Error('the response has no task')
      return task
    },
  }
}
