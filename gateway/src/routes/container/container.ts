import type { Node, NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input } from '../../endpoint.js'
import type { Version } from '../../versions.js'
import { base64, description, idText, name } from '../members.js'
import type { Opening, OpenNode } from '../nodes.js'

/** What differs between the types of containers; the routes are the same. */
export type Container = {
  segment: 'organization' | 'workspace' | 'analysis' | 'figure' | 'asset'
  type: NodeType
  /** A workspace need not be in an organization. */
  parent?: {
    member: 'organization' | 'workspace' | 'analysis'
    type: NodeType
    isOptional?: true
  }
  /** Names what it belongs to beside its parent, or null. */
  scopeMember?: 'analysis'
  shallow(node: Node, version: Version): unknown
  shallowSchema: z.ZodType
  /** What its collections begin with. */
  opening: Opening
  /** With its collections. */
  full(input: Input, opened: OpenNode): Promise<unknown>
  fullSchema: z.ZodType
  /** The objects of the list route, where they are more than shallow. */
  listed?(input: Input): AsyncIterable<unknown>
}

const yesOrNo = z.boolean('must be true or false')

/** The members that a create or an update may send, whatever the kind of container. */
const members = {
  description,
  workspace: idText.optional(),
  analysis: idText.nullish(),
  organization: idText.nullish(),
  workspace_type: z.unknown().optional(),
  logo: base64.nullish(),
  allow_link_sharing: yesOrNo.nullish(),
  allow_per_workspace_storage_settings: yesOrNo.nullish(),
  // Clients send back what they read: of most of them it is ignored.
  created_on_behalf_name: z.unknown().optional(),
  created_on_behalf_email: z.unknown().optional(),
}

export const createBody = ({ segment, parent }: Container) =>
  z.object({
    ...members,
    name,
    // The primary one comes with its user.
    ...(segment === 'workspace' && { workspace_type: z.literal('secondary').nullish() }),
    ...(parent && !parent.isOptional && { [parent.member]: idText }),
  })

/** Omitted members keep what is stored, with PUT as with PATCH: clients leave out nulls. */
export const updateBody = ({ segment }: Pick<Container, 'segment'>) =>
  z.object({
    ...members,
    name: name.optional(),
    ...(segment === 'workspace' && {
      workspace_type: z.enum(['primary', 'secondary'], 'must be primary or secondary').nullish(),
    }),
  })

export type ContainerBody = z.output<ReturnType<typeof updateBody>>

/** Undefined when the body does not say, empty when it says that there is none. */
export function parentIdIn({ parent }: Container, body: ContainerBody): string | undefined {
  const id = parent && body[parent.member]
  return id === null ? '' : id
}

/** What a body says of an organization's own members; null takes the logo away. */
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

/** For whom staff makes something. */
export function onBehalfIn(body: ContainerBody) {
  const { created_on_behalf_name: name, created_on_behalf_email: email } = body
  if (typeof name !== 'string') return {}
  return { onBehalf: { name, email: typeof email === 'string' ? email : '' } }
}

/** Null in the body: to nothing but its parent. */
export function scopeIdIn({ scopeMember }: Container, body: ContainerBody): { scopeId?: string } {
  const id = scopeMember && body[scopeMember]
  return id === undefined ? {} : { scopeId: id ?? '' }
}
