import { seal } from '@figbase/kit/keys'
import type { Ctx } from '../../context.js'
import { unknownRepository } from '../../errors.js'
import { listNewestImports } from '../../queries/git-imports.js'
import { replacePushSecret } from '../../queries/git-repositories.js'
import { requireOwned } from '../../repositories/access.js'
import { contextOf, newPushSecret } from '../../repositories/secrets.js'
import type { GitImpl } from '../../routes.js'
import { toRepository } from '../../wire-git.js'

export function rotateGitPushSecret(ctx: Ctx): GitImpl['rotateGitPushSecret'] {
  return async (req, call) => {
    const { id } = await requireOwned(ctx, req.id, call)
    const pushSecret = newPushSecret()
    const sealed = seal(ctx.gitKeys, pushSecret, contextOf('push_secret_sealed', id))
    const row = await ctx.write((db) => replacePushSecret(db, id, sealed))
    if (!row) throw unknownRepository()
    const [newest] = await listNewestImports(ctx.db, [id])
    return { repository: toRepository(row, newest), pushSecret }
  }
}
