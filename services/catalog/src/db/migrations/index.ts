import type { Migration } from '@figbase/kit/db'
import { tree } from './0001-tree.js'
import { organizations } from './0002-organizations.js'
import { assets } from './0003-assets.js'
import { activity } from './0004-activity.js'
import { plans } from './0005-plans.js'
import { overview } from './0006-overview.js'
import { onBehalf } from './0007-on-behalf.js'
import { contentUpdates } from './0008-content-updates.js'
import { storages } from './0009-storages.js'
import { deletions } from './0010-deletions.js'
import { leaving } from './0011-leaving.js'
import { siteRules } from './0012-site-rules.js'
import { restoring } from './0013-restoring.js'
import { oldDeletions } from './0014-old-deletions.js'
import { nodeDeleted } from './0015-node-deleted.js'
import { nodeDeletedWorkspace } from './0016-node-deleted-workspace.js'
import { recentPlacements } from './0017-recent-placements.js'
import { compute } from './0018-compute.js'
import { changesBelow } from './0019-changes-below.js'
import { childNames } from './0020-child-names.js'
import { assetUses } from './0021-asset-uses.js'
import { usedAssets } from './0022-used-assets.js'
import { unknownUses } from './0023-unknown-uses.js'
import { scopedNames } from './0024-scoped-names.js'
import { storedMonths } from './0025-stored-months.js'
import { workspaces } from './0026-workspaces.js'
import { billing } from './0027-billing.js'
import { invoices } from './0028-invoices.js'
import { importSources } from './0031-import-sources.js'

export const migrations: Migration[] = [
  tree,
  organizations,
  assets,
  activity,
  plans,
  overview,
  onBehalf,
  contentUpdates,
  storages,
  deletions,
  leaving,
  siteRules,
  restoring,
  oldDeletions,
  nodeDeleted,
  nodeDeletedWorkspace,
  recentPlacements,
  compute,
  changesBelow,
  childNames,
  assetUses,
  usedAssets,
  unknownUses,
  scopedNames,
  storedMonths,
  workspaces,
  billing,
  invoices,
  importSources,
]
