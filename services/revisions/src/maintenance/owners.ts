import type { Db } from '../db/schema.js'
import { listDataOfBlob } from '../queries/fsck.js'

/** Describes the data objects that share a blob, for operators. */
export async function describeOwners(db: Db, blobId: string): Promise<string> {
  const [first] = await listDataOfBlob(db, blobId, 1)
  if (!first) return 'not used by any data'
  const { id, name, revision_id, total } = first
  const called = name ? ` ('${name}')` : ''
  const more = total > 1 ? `, and ${total - 1} more` : ''
  return `data ${id}${called} of revision ${revision_id}${more}`
}
