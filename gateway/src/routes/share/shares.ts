import { Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Endpoint, Guard } from '../../endpoint.js'
import { type Resource, resources } from '../core/resources.js'
import { username } from '../member/resources.js'
import { nounOf } from '../nouns.js'

/** All core objects have these routes, but organizations and workspaces reject them, because they have members instead. */
export const shareables: Resource[] = resources

/** Reads of shares have no body, so this error does not follow from their declaration. */
export const refusedIn = (segment: string): Pick<Endpoint, 'errors'> =>
  hasMembers(segment) ? { errors: { 400: ['invalid_request'] } } : {}

const hasMembers = (segment: string) => segment === 'organization' || segment === 'workspace'

/** The description of the routes that share an object. */
export const sharingOf = ({ segment }: Shareable): string =>
  hasMembers(segment)
    ? `The request is rejected: ${nounOf(segment).a} has members, and cannot be shared.`
    : 'The caller needs the permission SHARE. Everything below the object is shared, too.'

export type Shareable = Resource

const yesOrNo = z.boolean('must be true or false')

export const shareGuard =
  ({ type }: Shareable) =>
  ({ id = '' }: Record<string, string>): Guard => ({ id, permission: Permission.SHARE, type })

export const userShareSchema = z
  .object({ username, sharing_enabled: yesOrNo })
  .meta({ id: 'UserShare', description: 'The share of an object with a user.' })
export const linkShareSchema = z
  .object({ enabled: yesOrNo })
  .meta({ id: 'LinkShare', description: 'The share of an object by link.' })
