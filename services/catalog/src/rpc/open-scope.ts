import { invalid, isUuid } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { findAccess } from '../queries/nodes.js'

/** The analysis that an asset of this workspace is to belong to; null for none (an empty id). */
export async function openScope(
  { db }: { db: Db },
  kind: NodeKind,
  analysisId: string,
  workspaceId: string,
  subject: Subject,
): Promise<string | null> {
  if (!analysisId) return null
  if (kind !== 'asset') throw invalid('analysis', 'only assets belong to an analysis')
  if (!isUuid(analysisId)) throw invalid('analysis', 'must be a UUID')
  const found = await findAccess(db, analysisId, subject)
  if (subject.username && found?.type !== 'analysis') throw invalid('analysis', 'does not exist')
  const analysis = authorize(found, Permission.VIEW, subject)
  if (analysis.workspace_id !== workspaceId.toLowerCase()) {
    throw invalid('analysis', 'is in another workspace')
  }
  return analysis.id
}

/** An analysis that a request narrows its question to, when the caller may view it. */
export async function openAnalysis(
  { db }: { db: Db },
  id: string,
  subject: Subject,
): Promise<string> {
  if (!isUuid(id)) throw invalid('analysis', 'must be a UUID')
  const found = await findAccess(db, id, subject)
  if (subject.username && found?.type !== 'analysis') throw invalid('analysis', 'does not exist')
  return authorize(found, Permission.VIEW, subject, 'analysis').id
}
