import type { Node, NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input } from '../../endpoint.js'
import type { Version } from '../../versions.js'
import { description, idText, name } from '../members.js'

/** What differs between workspaces, analyses and figures; the routes are the same. */
export type Container = {
  segment: 'workspace' | 'analysis' | 'figure'
  type: NodeType
  parent?: { member: 'workspace' | 'analysis'; type: NodeType }
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

export const createBody = ({ parent }: Container) =>
  z.object({ ...members, name, ...(parent && { [parent.member]: idText }) })

/** Omitted members keep what is stored, with PUT as with PATCH: clients leave out nulls. */
export const updateBody = z.object({ ...members, name: name.optional() })

export type ContainerBody = z.output<typeof updateBody>

export const parentIdIn = ({ parent }: Container, body: ContainerBody): string | undefined =>
  parent && body[parent.member]
