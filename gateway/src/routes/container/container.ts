import type { Node, NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input } from '../../endpoint.js'
import type { NodeIncludes, NodeWithLists } from '../../nodes/node-with-lists.js'
import type { Version } from '../../versions.js'
import { base64, description, idText, ignored, name } from '../body-members.js'
import type { Document } from '../document.js'
import { nounOf } from '../nouns.js'

/** The differences between the types of containers, which share all routes. */
export type Container = {
  segment: 'organization' | 'workspace' | 'analysis' | 'figure' | 'asset'
  type: NodeType
  /** A workspace need not be in an organization. */
  parent?: {
    member: 'organization' | 'workspace' | 'analysis'
    type: NodeType
    isOptional?: true
  }
  /** The member with the id of an additional scope, or null. */
  scopeMember?: 'analysis'
  shallow(node: Node, version: Version): unknown
  shallowSchema: z.ZodType
  /** The lists to request with the node. */
  includes: NodeIncludes
  /** Those of them that are not below the node in the tree, so that it does not count their changes. */
  etagIncludes?: NodeIncludes
  /** The object with its collections. */
  full(input: Input, opened: NodeWithLists): Promise<Document>
  fullSchema: z.ZodType
  /** The objects of the list route, if they are not shallow. */
  listed?(input: Input): AsyncIterable<unknown>
}

const yesOrNo = z.boolean('must be true or false')

/** The members of create and update requests, for all types of containers. */
const members = {
  description,
  workspace: idText.optional(),
  analysis: idText.nullish(),
  organization: idText.nullish(),
  workspace_type: z.unknown().optional(),
  logo: base64.nullish(),
  allow_link_sharing: yesOrNo.nullish(),
  allow_per_workspace_storage_settings: yesOrNo.nullish(),
  // Clients send back everything they read; only staff may set these, and only on create.
  created_on_behalf_name: z
    .unknown()
    .optional()
    .meta({ type: ['string', 'null'] }),
  created_on_behalf_email: z
    .unknown()
    .optional()
    .meta({ type: ['string', 'null'] }),
}

type Members = typeof members

const ofOrganizations = ['logo', 'allow_link_sharing', 'allow_per_workspace_storage_settings']

/** The same members; those that another type of container has are checked, but ignored. */
function membersFor({ segment, parent, scopeMember }: Container, isNew: boolean): Members {
  const own = new Set<string | undefined>(['description', parent?.member, scopeMember])
  if (segment === 'organization') for (const member of ofOrganizations) own.add(member)
  if (isNew) own.add('created_on_behalf_name').add('created_on_behalf_email')
  const entries = Object.entries(members).map(([member, schema]) => [
    member,
    own.has(member) ? schema : schema.meta(ignored),
  ])
  return Object.fromEntries(entries) as Members
}

export const createBody = (container: Container) => {
  const { segment, parent } = container
  return z
    .object({
      ...membersFor(container, true),
      name,
      // The primary workspace is created with its user.
      ...(segment === 'workspace' && { workspace_type: z.literal('secondary').nullish() }),
      ...(parent && !parent.isOptional && { [parent.member]: idText }),
    })
    .meta({
      id: `${nounOf(segment).idPart}Create`,
      base: `${nounOf(segment).idPart}Update`,
      description: `The members of a new ${segment}.`,
    })
}

/** Omitted members keep their values with PATCH and with PUT, because clients omit nulls. */
export const updateBody = (container: Container) =>
  z
    .object({
      ...membersFor(container, false),
      name: name.optional(),
      ...(container.segment === 'workspace' && {
        workspace_type: z
          .enum(['primary', 'secondary'], 'must be primary or secondary')
          .nullish()
          .meta(ignored),
      }),
    })
    .meta({
      id: `${nounOf(container.segment).idPart}Update`,
      description: `The members of ${nounOf(container.segment).a} to change.`,
    })

export type ContainerBody = z.output<ReturnType<typeof updateBody>>

/** The id of the parent; undefined if the body omits it, empty if it is null. */
export function parentIdIn({ parent }: Container, body: ContainerBody): string | undefined {
  const id = parent && body[parent.member]
  return id === null ? '' : id
}

/** The members specific to organizations; a null logo removes the logo. */
export function organizationIn({ segment }: Container, body: ContainerBody) {
  if (segment !== 'organization') return {}
  const { logo, allow_link_sharing, allow_per_workspace_storage_settings } = body
  return {
    organization: {
      ...(logo !== undefined && { logo: Buffer.from(logo ?? '', 'base64') }),
      ...(typeof allow_link_sharing === 'boolean' && { allowLinkSharing: allow_link_sharing }),
      ...(typeof allow_per_workspace_storage_settings === 'boolean' && {
        allowPerWorkspaceStorage: allow_per_workspace_storage_settings,
      }),
    },
  }
}

/** The person for whom staff creates an object. */
export function onBehalfIn(body: ContainerBody) {
  const { created_on_behalf_name: name, created_on_behalf_email: email } = body
  if (typeof name !== 'string') return {}
  return { onBehalf: { name, email: typeof email === 'string' ? email : '' } }
}

/** The id of the scope; empty if it is null in the body, for objects that belong only to their parent. */
export function scopeIdIn({ scopeMember }: Container, body: ContainerBody): { scopeId?: string } {
  const id = scopeMember && body[scopeMember]
  return id === undefined ? {} : { scopeId: id ?? '' }
}
