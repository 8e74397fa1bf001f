import { invalid, validateAll } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { checkedText } from '@figbase/kit/text'
import type {
  AssetUses as AssetUsesMessage,
  Leaf,
  NodeTexts,
  OnBehalf as OnBehalfMessage,
  OrganizationChanges,
} from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { isPng } from '../domain/png.js'
import type { AssetUses } from '../queries/asset-uses.js'
import type { OnBehalf } from '../queries/creation.js'
import type { OrganizationChange } from '../queries/organizations.js'

export const checkedName = ({ cfg }: Ctx, name: string): string =>
  checkedText('name', name, { charsMin: 1, charsMax: cfg.nameCharsMax })

export const checkedDescription = ({ cfg }: Ctx, description: string): string =>
  checkedText('description', description, { charsMax: cfg.descriptionCharsMax })

/** The texts of a node whose content another service owns. */
export const checkedTexts = (ctx: Ctx, texts: NodeTexts | undefined) =>
  validateAll({
    name: () => checkedName(ctx, texts?.name ?? ''),
    description: () =>
      texts?.description === undefined ? null : checkedDescription(ctx, texts.description),
  })

/** The person on whose behalf a node is created; null: none. */
export function checkedOnBehalf(ctx: Ctx, message: OnBehalfMessage | undefined): OnBehalf | null {
  if (!message) return null
  const charsMax = ctx.cfg.nameCharsMax
  const text = (member: string, value: string) => checkedText(member, value, { charsMax })
  return {
    name: text('created_on_behalf_name', message.name),
    email: text('created_on_behalf_email', message.email) || null,
  }
}

/** The requested settings of an organization, as columns. */
export function checkedOrganization(
  ctx: Ctx,
  changes: OrganizationChanges | undefined,
): OrganizationChange {
  if (!changes) return {}
  const { logo, allowLinkSharing, allowPerWorkspaceStorage } = changes
  return {
    ...(logo !== undefined && { logo: checkedLogo(ctx, Buffer.from(logo)) }),
    ...(allowLinkSharing !== undefined && { allow_link_sharing: allowLinkSharing }),
    ...(allowPerWorkspaceStorage !== undefined && {
      allow_per_workspace_storage: allowPerWorkspaceStorage,
    }),
  }
}

function checkedLogo({ cfg: { organizationLogoBytesMax: bytesMax } }: Ctx, logo: Buffer) {
  if (logo.length === 0) return null
  if (logo.length > bytesMax) throw invalid('logo', `must be at most ${bytesMax} bytes`)
  if (!isPng(logo)) throw invalid('logo', 'must be a PNG')
  return logo
}

/** Validates the data objects of a node, since a wrong size would corrupt the sums of every ancestor. */
export function checkLeaves(leaves: Leaf[], ownBytes: bigint): void {
  if (ownBytes < 0n) throw invalid('own_bytes', 'must not be negative')
  for (const { id, sizeBytes } of leaves) {
    if (!isUuid(id)) throw invalid('leaves', 'every id must be a UUID')
    if (sizeBytes < 0n) throw invalid('leaves', 'sizes must not be negative')
  }
  const ids = new Set(leaves.map((leaf) => leaf.id.toLowerCase()))
  if (ids.size < leaves.length) throw invalid('leaves', 'ids must be unique')
}

/** The uses of a figure revision; undefined: not given. */
export function checkedUses(uses: AssetUsesMessage | undefined): AssetUses | undefined {
  if (!uses) return undefined
  const { figureRevisionId: id, version, assetRevisionIds: usedIds } = uses
  if (!isUuid(id)) throw invalid('uses.figure_revision_id', 'must be a UUID')
  if (version < 1) throw invalid('uses.version', 'must be at least 1')
  if (!usedIds.every(isUuid)) throw invalid('uses.asset_revision_ids', 'must be UUIDs')
  return { id, version, usedIds }
}
