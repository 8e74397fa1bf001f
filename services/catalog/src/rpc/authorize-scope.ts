import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { findAccess } from '../queries/access.js'

/** The requested analysis of an asset in this workspace; null for an empty id. */
export async function authorizeScope(
  { db }: { db: Db },
  kind: NodeKind,
  analysisId: string,
  workspaceId: string,
  subject: Subject,
): Promise<string | null> {
  if (!analysisId) return null
  if (kind !== 'asset') throw invalid('analysis', 'can only be set for assets')
  if (!isUuid(analysisId)) throw invalid('analysis', 'must be a UUID')
  const found = await findAccess(db, analysisId, subject)
  if (subject.username && found?.type !== 'analysis') throw invalid('analysis', 'does not exist')
  const analysis = authorize(found, Permission.VIEW, subject)
  if (analysis.workspace_id !== workspaceId.toLowerCase()) {
    throw invalid('analysis', 'is in another workspace')
  }
  return analysis.id
}

/** The analysis that a request filters by. Throws when the caller may not view it. */
export async function authorizeAnalysis(
  { db }: { db: Db },
  id: string,
  subject: Subject,
): Promise<string> {
  if (!isUuid(id)) throw invalid('analysis', 'must be a UUID')
  const found = await findAccess(db, id, subject)
  if (subject.username && found?.type !== 'analysis') throw invalid('analysis', 'does not exist')
  return authorize(found, Permission.VIEW, subject, 'analysis').id
}
