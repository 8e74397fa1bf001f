import type { Node, NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input } from '../../endpoint.js'
import type { Version } from '../../versions.js'
import { description, idText, name } from '../members.js'

/** What differs between workspaces, analyses, figures and assets; the routes are the same. */
export type Container = {
  segment: 'workspace' | 'analysis' | 'figure' | 'asset'
  type: NodeType
  parent?: { member: 'workspace' | 'analysis'; type: NodeType }
  /** Names what it belongs to beside its parent, or null. */
  scopeMember?: 'analysis'
  shallow(node: Node, version: Version): unknown
  shallowSchema: z.ZodType
  /** With its collections. */
  full(input: Input, node: Node): Promise<unknown>
  fullSchema: z.ZodType
  /** The objects of the list route, where they are more than shallow. */
  listed?(input: Input): AsyncIterable<unknown>
}

/** The members that a create or an update may send, whatever the kind of container. */
const members = {
  description,
  workspace: idText.optional(),
  analysis: idText.optional(),
  organization: idText.nullish(),
  workspace_type: z.string('must be `secondary`').nullish(),
}

const placeOf = ({ scopeMember }: Container) => ({
  ...members,
  ...(scopeMember && { [scopeMember]: idText.nullish() }),
})

export const createBody = (container: Container) => {
  const { parent } = container
  return z.object({ ...placeOf(container), name, ...(parent && { [parent.member]: idText }) })
}

/** Omitted members keep what is stored, with PUT as with PATCH: clients leave out nulls. */
export const updateBody = (container: Container) =>
  z.object({ ...placeOf(container), name: name.optional() })

export type ContainerBody = {
  name?: string | undefined
  description?: string | null | undefined
  workspace?: string | undefined
  analysis?: string | null | undefined
  organization?: string | null | undefined
  workspace_type?: string | null | undefined
}

export const parentIdIn = ({ parent }: Container, body: ContainerBody): string | undefined =>
  (parent && body[parent.member]) ?? undefined

/** Null in the body: to nothing but its parent. */
export function scopeIdIn({ scopeMember }: Container, body: ContainerBody): { scopeId?: string } {
  const id = scopeMember && body[scopeMember]
  return id === undefined ? {} : { scopeId: id ?? '' }
}
