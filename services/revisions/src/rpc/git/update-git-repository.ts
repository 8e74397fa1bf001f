import { invalid, validateAll } from '@figbase/kit/errors'
import { seal, unseal } from '@figbase/kit/keys'
import type { Ctx } from '../../context.js'
import type { GitRepositoryRow } from '../../db/schema.js'
import {
  checkedBranch,
  checkedPatterns,
  checkedSchedule,
  checkedSshKeyId,
  checkedToken,
  checkedUrl,
  nextTime,
  serverOf,
} from '../../domain/git-fields.js'
import { unknownRepository } from '../../errors.js'
import { listNewestImports } from '../../queries/git-imports.js'
import { updateRepository } from '../../queries/git-repositories.js'
import { requireOwned } from '../../repositories/access.js'
import { requireCredentials } from '../../repositories/credentials.js'
import { planImport } from '../../repositories/plan-import.js'
import { contextOf } from '../../repositories/secrets.js'
import type { GitImpl } from '../../routes.js'
import { toRepository } from '../../wire-git.js'

export function updateGitRepository(ctx: Ctx): GitImpl['updateGitRepository'] {
  return async (req, call) => {
    const before = await requireOwned(ctx, req.id, call)
    const changes = validateAll({
      url: () => (req.url === undefined ? null : checkedUrl(req.url)),
      branch: () => (req.branch === undefined ? null : checkedBranch(req.branch)),
      token: () => (req.token === undefined ? undefined : checkedToken(req.token)),
      sshKeyId: () => (req.sshKeyId === undefined ? undefined : checkedSshKeyId(req.sshKeyId)),
      include: () => (req.include ? checkedPatterns('include', req.include.patterns) : null),
      exclude: () => (req.exclude ? checkedPatterns('exclude', req.exclude.patterns) : null),
      schedule: () =>
        req.schedule === undefined
          ? null
          : checkedSchedule(req.schedule, ctx.cfg.gitImports.scheduleMsMin),
    })
    const { token: sentToken, sshKeyId: sentKey, ...others } = changes
    const credentials = credentialsAfter(ctx, before, changes)
    const changesAccess = [req.url, sentToken, sentKey].some((value) => value !== undefined)
    if (changesAccess) await requireCredentials(ctx, credentials, call)
    const { token, sshKeyId } = credentials
    const nextImportOn = nextTime(changes.schedule ?? '')
    const row = await ctx.transact(async (tx) => {
      await planImport(ctx, tx, nextImportOn)
      return updateRepository(tx, before.id, {
        ...others,
        tokenSealed: changesAccess ? sealedToken(ctx, before.id, token) : null,
        sshKeyId: changesAccess ? (sshKeyId ?? '') : null,
        nextImportOn,
        forgetsHostKeys:
          req.forgetHostKeys || serverOf(credentials.url).server !== serverOf(before.url).server,
      })
    })
    if (!row) throw unknownRepository()
    const [newest] = await listNewestImports(ctx.db, [row.id])
    return { repository: toRepository(row, newest) }
  }
}

const sealedToken = ({ gitKeys }: Ctx, id: string, token: string) =>
  token === '' ? Buffer.alloc(0) : seal(gitKeys, token, contextOf('token_sealed', id))

/** A stored token is only sent to the server for which it was registered. */
function credentialsAfter(
  { gitKeys }: Ctx,
  before: GitRepositoryRow,
  sent: { url: string | null; token: string | undefined; sshKeyId: string | null | undefined },
) {
  const url = sent.url ?? before.url
  const now = serverOf(url)
  const earlier = serverOf(before.url)
  const isOther = now.isSsh !== earlier.isSsh
  const hasToken = before.token_sealed.length > 0
  if (sent.token === undefined && hasToken && !isOther && now.server !== earlier.server)
    throw invalid('token', 'is required with the URL of another server')
  const kept =
    hasToken && !isOther
      ? unseal(gitKeys, before.token_sealed, contextOf('token_sealed', before.id))
      : ''
  const keptKey = isOther ? null : before.ssh_key_id
  return {
    url,
    token: sent.token ?? kept,
    sshKeyId: sent.sshKeyId === undefined ? keptKey : sent.sshKeyId,
  }
}
