import type { HandlerContext } from '@connectrpc/connect'
import { invalid, validateAll } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { actAsSystem } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { type DigestPlaces, digestPlaceFields } from '../domain/notification-settings.js'
import { listViewed } from './viewed.js'

type Field = keyof DigestPlaces

const callTimeoutMs = 10_000

const kinds = {
  digest_workspaces: {
    ...{ type: NodeType.WORKSPACE, plural: 'workspaces', max: 'digestWorkspacesMax' },
  },
  digest_organizations: {
    ...{ type: NodeType.ORGANIZATION, plural: 'organizations', max: 'digestOrganizationsMax' },
  },
} as const satisfies Record<Field, { type: NodeType; plural: string; max: keyof Ctx['cfg'] }>

/** The chosen workspaces and organizations, with their types. */
export const placesOf = (settings: DigestPlaces): { id: string; type: NodeType }[] =>
  digestPlaceFields.flatMap((field) =>
    settings[field].map((id) => ({ id, type: kinds[field].type })),
  )

/** Without duplicates. Null if the field is absent. */
export function checkedPlaces(
  { cfg }: Pick<Ctx, 'cfg'>,
  field: Field,
  ids: string[] | undefined,
): string[] | null {
  if (!ids) return null
  const max = cfg[kinds[field].max]
  if (ids.length > max) throw invalid(field, `must have at most ${max} items`)
  if (!ids.every(isUuid)) throw invalid(field, 'must be UUIDs')
  return [...new Set(ids.map((id) => id.toLowerCase()))]
}

/** The same error for objects of other types, and places that do not exist or that the user may not view. */
export async function requireViewable(
  { catalog }: Pick<Ctx, 'catalog'>,
  username: string,
  chosen: { [Name in Field]: string[] | null },
  { signal }: HandlerContext,
): Promise<void> {
  const ids = [...new Set(digestPlaceFields.flatMap((field) => chosen[field] ?? []))]
  if (ids.length === 0) return
  const call = { ...actAsSystem(), signal, timeoutMs: callTimeoutMs }
  const [viewed, { nodes }] = await Promise.all([
    listViewed({ catalog }, username, ids, call),
    catalog.readPlaces({ ids }, call),
  ])
  const types = new Map(nodes.map(({ node }) => [node?.id, node?.type]))
  const check = (field: Field) => () => {
    const { type, plural } = kinds[field]
    if (!(chosen[field] ?? []).every((id) => viewed.has(id) && types.get(id) === type))
      throw invalid(field, `must be ${plural} that you may view as a member`)
  }
  validateAll(Object.fromEntries(digestPlaceFields.map((field) => [field, check(field)])))
}
