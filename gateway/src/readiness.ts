import { Code, type ConnectError } from '@connectrpc/connect'
import { actAs, anonymous, type Check } from '@figbase/kit'
import type { Services } from './endpoint.js'

const timeoutMs = 2000

/** Whether each service answers, by its name; that it refuses an anonymous caller is an answer. */
export function checksOf(services: Services): Map<string, Check> {
  const { identity, catalog, revisions, comments, tasks } = services
  const call = () => ({ ...actAs(anonymous), timeoutMs })
  return new Map([
    ['identity', () => answered(identity.getUser({ username: 'nobody' }, call()))],
    ['catalog', () => answered(catalog.listNodes({}, call()))],
    ['revisions', () => answered(revisions.getRevision({ id: '' }, call()))],
    ['comments', () => answered(comments.countComments({}, call()))],
    ['tasks', () => answered(tasks.listTasks({}, call()))],
  ])
}

/** The names of the services that do not answer. */
export async function missingOf(checks: Map<string, Check>): Promise<string[]> {
  const asked = [...checks].map(async ([name, check]) => ((await check()) ? [] : [name]))
  return (await Promise.all(asked)).flat()
}

async function answered(call: Promise<unknown>) {
  try {
    await call
    return true
  } catch (error) {
    const { code } = error as Partial<ConnectError>
    return code === Code.Unauthenticated || code === Code.NotFound || code === Code.InvalidArgument
  }
}
