import type { Ctx } from '../../context.js'
import type { SignInImpl } from '../../routes.js'
import { passwordHolder } from '../issue-token.js'

export function createSession(ctx: Ctx): SignInImpl['createSession'] {
  return async (req, call) => ({
    session: ctx.tokens.session(await passwordHolder(ctx, req, call)),
  })
}
