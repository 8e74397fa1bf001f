import type { Db, NodeKind } from '../db/schema.js'
import { alive } from './node-sql.js'
import { type ListView, lastChangeOf, type OrderedNode, orderedList } from './ordered-list.js'

type Page = { parentId: string; type: NodeKind; limit: number }

const below = (parent: string) =>
  orderedList<Page>({
    from: 'node n',
    where: `n.${parent} = :parentId and n.type = :type and ${alive}`,
    hasPositions: true,
    isIndexed: true,
    indexedNames: 'n.name is not null',
    changedOn: lastChangeOf('n'),
  })

const inTree = below('parent_id')
const inOrganization = below('organization_id')

/**
 * By age it uses node_children_idx, for workspaces of an organization node_organization_idx; by name
 * node_child_name_idx.
 */
export function listChildren(db: Db, of: Page, view: ListView = {}): Promise<OrderedNode[]> {
  return (of.type === 'workspace' ? inOrganization : inTree)(db, of, view)
}
