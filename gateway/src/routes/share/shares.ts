import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Guard } from '../../endpoint.js'

/** Every core object has these routes; organizations and workspaces refuse them: they have members. */
export const shareables = [
  { segment: 'organization', type: NodeType.ORGANIZATION },
  { segment: 'workspace', type: NodeType.WORKSPACE },
  { segment: 'analysis', type: NodeType.ANALYSIS },
  { segment: 'figure', type: NodeType.FIGURE },
  { segment: 'revision', type: NodeType.FIGURE_REVISION },
  { segment: 'asset', type: NodeType.ASSET },
] as const

export type Shareable = (typeof shareables)[number]

export const yesOrNo = z.boolean('must be true or false')

export const sharing =
  ({ type }: Shareable) =>
  ({ id = '' }: Record<string, string>): Guard => ({ id, permission: Permission.SHARE, type })

export const userShareSchema = z.object({ username: z.string(), sharing_enabled: z.boolean() })
export const linkShareSchema = z.object({ enabled: z.boolean() })
