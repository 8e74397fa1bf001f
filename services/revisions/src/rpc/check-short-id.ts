import { invalid } from '@figbase/kit/errors'
import type { Ctx } from '../context.js'
import type { RevisionKind } from '../domain/revision-kind.js'
import { prefixOf } from '../domain/short-id.js'
import { duplicateShortId } from '../errors.js'
import { hasPrefix, isRetired } from '../queries/short-ids.js'

/** Throws if the short id is not in canonical form, or this user did not reserve its prefix. */
export async function checkShortId(
  ctx: Pick<Ctx, 'db'>,
  kind: RevisionKind,
  shortId: string | null,
  username: string,
): Promise<void> {
  if (shortId === null) return
  if (kind.type !== 'figure_revision')
    throw invalid('short_id', 'is only supported for figure revisions')
  const prefix = prefixOf(shortId)
  if (prefix === undefined || !(await hasPrefix(ctx.db, prefix, username))) {
    throw invalid('short_id', 'must be a prefix that you reserved, followed by a number in base 62')
  }
  if (await isRetired(ctx.db, shortId)) throw duplicateShortId()
}
