import { Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Guard } from '../../endpoint.js'
import { type Resource, resources } from '../core/resources.js'

/** Every core object has these routes; organizations and workspaces refuse them: they have members. */
export const shareables: Resource[] = resources

export type Shareable = Resource

export const yesOrNo = z.boolean('must be true or false')

export const sharing =
  ({ type }: Shareable) =>
  ({ id = '' }: Record<string, string>): Guard => ({ id, permission: Permission.SHARE, type })

export const userShareSchema = z.object({ username: z.string(), sharing_enabled: z.boolean() })
export const linkShareSchema = z.object({ enabled: z.boolean() })
