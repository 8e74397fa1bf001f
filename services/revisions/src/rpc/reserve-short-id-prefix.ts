import { requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import type { Db } from '../db/schema.js'
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
      const reserved = await ctx.writeOnce(
        call,
        (db) => reserve(db, prefix, username, shortIdPrefixesMax),
        () => ({ prefix }),
      )
      if (reserved) return { prefix }
    }
  }
}

/** Undefined if the prefix is taken. */
async function reserve(db: Db, prefix: string, username: string, prefixesMax: number) {
  const isMine = await reservePrefix(db, prefix, username, prefixesMax)
  if (isMine === undefined) throw tooManyPrefixes(prefixesMax)
  return isMine || undefined
}
