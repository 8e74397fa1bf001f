import { invalid } from '@figbase/kit/errors'
import { actAsSystem, forward, principal } from '@figbase/kit/rpc'
import { isOwner, requireInstance } from '../access.js'
import { openPath } from '../connect/notebook-server.js'
import { addressLifetimeSeconds } from '../connect/tickets.js'
import type { Ctx } from '../context.js'
import { instanceNotRunning, notOwner } from '../errors.js'
import type { Impl } from '../routes.js'

const apps = ['jupyter']

/** An address that opens the notebook in the browser that follows it, once. */
export function connectInstance(ctx: Ctx): Impl['connectInstance'] {
  const { accounts, notebooks, tickets } = ctx
  return async ({ id, app }, call) => {
    const { instance, member } = await requireInstance(ctx, id, call)
    if (!isOwner(instance, member)) throw notOwner()
    if (app && !apps.includes(app)) throw invalid('app', `must be ${apps.join(' or ')}`)
    if (instance.desired !== 'running' || instance.observed !== 'running') {
      throw instanceNotRunning()
    }
    const { username, apiKey } = principal(call)
    const as = { ...forward(call), ...actAsSystem() }
    const { users } = await accounts.listCredentials({ usernames: [username] }, as)
    const tokenGeneration = users[0]?.tokenGeneration
    // The account was deactivated.
    if (tokenGeneration === undefined) throw notOwner()
    const ticket = tickets.signAddress({
      id: ctx.newId(),
      instanceId: instance.id,
      runId: instance.run_id,
      username,
      tokenGeneration,
      apiKeyId: apiKey?.id ?? '',
    })
    return {
      redirectUrl: `${notebooks.origin().of(instance.id)}${openPath}?ticket=${ticket}`,
      expiresInSeconds: addressLifetimeSeconds,
    }
  }
}
