import type { HandlerContext } from '@connectrpc/connect'
import { actAsSystem, onlyWorkspace, requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { type LiveEvent, listLaterFor } from '../queries/live-events.js'
import { readableWorkspaces } from './readable-workspaces.js'
import { viewersOf } from './viewers.js'

const pageMax = 200
const callTimeoutMs = 10_000

/** The events after `after`, up to and including `until`, that the caller may see. */
export async function* missed(
  ctx: Pick<Ctx, 'db' | 'catalog'>,
  after: bigint,
  until: bigint,
  call: HandlerContext,
): AsyncGenerator<LiveEvent> {
  if (after >= until) return
  const username = requireUser(call)
  const who = { username, onlyIn: onlyWorkspace(call) }
  const scope = { username, workspaceIds: await readableWorkspaces(ctx, call) }
  const options = { ...actAsSystem(), signal: call.signal, timeoutMs: callTimeoutMs }
  for (let last = after; ; ) {
    const events = await listLaterFor(ctx.db, scope, last, until, pageMax)
    const maySee = await viewersOf(ctx, events, [username], options)
    yield* events.filter((event) => maySee(who, event))
    if (events.length < pageMax) return
    last = events.at(-1)?.id ?? until
  }
}
