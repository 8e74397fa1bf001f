import { syncAsset } from '@figbase/client'
import type { Connection } from './connection.js'
import { openFile } from './files.js'
import { containersOf, type Place } from './place.js'
import { isId } from './reference.js'

/** The ids of the asset revisions of `--asset`: an id, or a file that becomes an asset of the workspace. */
export async function linkedAssets(
  connection: Connection,
  place: Place,
  assets: string[],
): Promise<string[]> {
  const { workspace } = await containersOf(connection, place)
  const ids: string[] = []
  for (const one of assets) {
    if (isId(one)) ids.push(one)
    else {
      const { name, source } = await openFile(one)
      ids.push((await syncAsset(connection.figbase, source, { name, workspace })).api_id)
    }
  }
  return ids
}
