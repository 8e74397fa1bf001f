import { syncAsset } from '@figbase/client'
import { type CommonOptions, connect } from '../connection.js'
import { openFile } from '../files.js'
import { printTable, show } from '../output.js'
import { containersOf, placeOf } from '../place.js'
import { filesIn, folderIn } from '../publish-plan.js'

/** Makes sure that a workspace has these versions of files as assets. */
export async function syncAssets(
  paths: string[],
  options: CommonOptions & { to: string },
): Promise<void> {
  const connection = await connect(options)
  const folder = await folderIn(paths)
  const files = await Promise.all(
    (folder === undefined ? paths : await filesIn(folder)).map(openFile),
  )
  const to = await containersOf(connection, await placeOf(connection, options.to))
  const synced: { name: string; asset: string; api_id: string; is_new: boolean }[] = []
  for (const { name, source } of files) {
    const { asset, api_id, isNew } = await syncAsset(connection.figbase, source, { name, ...to })
    synced.push({ name, asset, api_id, is_new: isNew })
  }
  show(options.json, synced, () =>
    printTable(synced.map((one) => [one.is_new ? 'published' : 'known', one.name, one.api_id])),
  )
}
