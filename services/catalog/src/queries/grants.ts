import type { Role, Tx } from '../db/schema.js'

export async function insertGrant(
  tx: Tx,
  nodeId: string,
  subject: string,
  role: Role,
  grantedBy: string,
): Promise<void> {
  await tx
    .insertInto('access_grant')
    .values({ subject, node_id: nodeId, kind: 'member', role, granted_by: grantedBy })
    .execute()
}
