import type { Migration } from '@figbase/kit/db'
import { revisions } from './0001-revisions.js'
import { thumbnailsOfData } from './0002-thumbnails-of-data.js'
import { revisionsOfAssets } from './0003-revisions-of-assets.js'
import { shortIds } from './0004-short-ids.js'
import { updates } from './0005-updates.js'
import { derive } from './0006-derive.js'
import { autoAssign } from './0007-auto-assign.js'
import { assignedFrom } from './0008-assigned-from.js'
import { storageOfUploads } from './0009-storage-of-uploads.js'
import { storages } from './0010-storages.js'
import { resumableUploads } from './0011-resumable-uploads.js'
import { processing } from './0012-processing.js'
import { garbageCollection } from './0013-keeping.js'
import { protectedStorages } from './0014-held-storages.js'
import { uploadTakeover } from './0015-asked-uploads.js'
import { unlinkedFigures } from './0016-unlinked-figures.js'
import { gitRepositories } from './0017-git-repositories.js'
import { importSources } from './0018-import-sources.js'
import { importChanges } from './0019-import-changes.js'

export const migrations: Migration[] = [
  revisions,
  thumbnailsOfData,
  revisionsOfAssets,
  shortIds,
  updates,
  derive,
  autoAssign,
  assignedFrom,
  storageOfUploads,
  storages,
  resumableUploads,
  processing,
  garbageCollection,
  protectedStorages,
  uploadTakeover,
  unlinkedFigures,
  gitRepositories,
  importSources,
  importChanges,
]
