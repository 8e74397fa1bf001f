import type { Page } from '../page.js'
import { may, type Placed } from '../placed.js'
import { publishScriptPath } from '../script.js'

/** What pages load where files can be published. */
export const publishAssets = { styles: [], scripts: [publishScriptPath] } satisfies Page['assets']

/** What the page of an object loads on which files can be dropped. */
export const dropAssets = (placed: Placed): Pick<Page, 'assets'> =>
  may(placed, 'CREATE') ? { assets: publishAssets } : {}
