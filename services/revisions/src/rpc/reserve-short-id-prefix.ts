import { requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { newPrefix } from '../domain/short-id.js'
import { tooManyPrefixes } from '../errors.js'
import { reservePrefix } from '../queries/short-ids.js'
import type { Impl } from '../routes.js'

export function reserveShortIdPrefix(ctx: Ctx): Impl['reserveShortIdPrefix'] {
  const { shortIdPrefixesMax } = ctx.cfg
  return async (_, call) => {
    const username = requireUser(call)
    for (;;) {
      const prefix = newPrefix()
      const isMine = await ctx.write((db) =>
        reservePrefix(db, prefix, username, shortIdPrefixesMax),
      )
      if (isMine === undefined) throw tooManyPrefixes(shortIdPrefixesMax)
      if (isMine) return { prefix }
    }
  }
}
