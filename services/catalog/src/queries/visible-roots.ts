import type { NodeKind } from '../db/schema.js'

type ContainerKind = Extract<NodeKind, 'organization' | 'workspace'>

/** SQL for the ids of the organizations that the caller is a member of, or of the workspaces, theirs included. */
export const memberRoots = (kind: ContainerKind): string =>
  kind === 'organization' ? memberOf : `${memberOf} union ${inOrganizations}`

const memberOf = `
  select g.node_id as id from access_grant g
   where g.subject = :username and g.kind = 'member'
     and (:onlyWorkspaceId::uuid is null or g.node_id = :onlyWorkspaceId)`

const inOrganizations = `
  select w.id from access_grant g join node w on w.organization_id = g.node_id
   where g.subject = :username and g.kind = 'member'
     and (:onlyWorkspaceId::uuid is null or w.id = :onlyWorkspaceId)`

/** SQL for the nodes that are shared with the caller. */
export const visibleShares = `
  select n.id, n.type, n.workspace_id, n.lineage from access_grant g join node n on n.id = g.node_id
   where g.subject = :username and g.kind = 'share'
     and (:onlyWorkspaceId::uuid is null or n.workspace_id = :onlyWorkspaceId)`
