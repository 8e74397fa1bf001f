import { randomUUID } from 'node:crypto'
import { actAs, actAsSystem, anonymous, type Service, user } from '@figbase/kit'
import { startTestService, type TestService, type TestServiceOptions } from '@figbase/kit/testing'
import { type Task, TasksService } from '@figbase/proto/tasks'
import type { Ctx } from '../src/context.js'
import { tasks } from '../src/index.js'

export const transports = ['local', 'http2'] as const

export const ann = actAs(user('ann'))
export const bob = actAs(user('bob'))
export const nobody = actAs(anonymous)
export const system = actAsSystem()

export type Started = Omit<TestService, 'client'> & {
  client: ReturnType<typeof clientOf>
  ctx: Ctx
  /** A new task of ann's. */
  open(name?: string): Promise<Task>
}

const clientOf = (started: TestService) => started.client(TasksService)

export async function start(
  transport: (typeof transports)[number],
  env: Record<string, string> = {},
  more: Pick<TestServiceOptions, 'neighbours' | 'databaseUrl'> = {},
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
  if (!ctx) throw new Error('the service made no context')
  const client = clientOf(started)
  return {
    ...started,
    client,
    ctx,
    async open(name = 'Import') {
      const { task } = await client.startTask({ id: randomUUID(), name, type: 'import' }, ann)
      if (!task) throw new Error('the task was not answered')
      return task
    },
  }
}
