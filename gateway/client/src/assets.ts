import { batchReadsMax, readBatch } from './batch.js'
import { fileObject, toData } from './data-objects.js'
import type { Figbase } from './figbase.js'
import { hashOf } from './hash.js'
import type { Source } from './source.js'
import type { Schemas } from './types.js'
import type { UploadInit } from './upload.js'

export type AssetInit = Pick<UploadInit, 'signal' | 'onProgress'> & {
  /** The name of the file, also that of the asset. */
  name: string
  /** The id of the workspace. */
  workspace: string
  /** The id of an analysis that the asset belongs to. */
  analysis?: string
  metadata?: Record<string, unknown>
}

export type SyncedAsset = {
  /** The id of the asset. */
  asset: string
  /** The id of the asset revision, for `assets` of a figure revision. */
  api_id: string
  /** False if Figbase had this file already. */
  isNew: boolean
}

/**
 * Makes sure that Figbase has this version of a file: looks for its hash, then for an asset with its name, and publishes
 * what is missing.
 */
export async function syncAsset(
  figbase: Figbase,
  source: Source,
  { name, workspace, analysis, metadata, signal, onProgress }: AssetInit,
): Promise<SyncedAsset> {
  const within = analysis === undefined ? {} : { analysis }
  const digest = await hashOf(source)
  const known = await figbase.post('/asset_revision/find_by_hash/', {
    body: { hash_type: 'blake3', digest, ...within },
    signal,
  })
  const here = await firstWithin(figbase, known, workspace, signal)
  if (here) return { asset: here.asset, api_id: here.api_id, isNew: false }
  const named = await figbase.post('/asset/find_by_name/', { body: { name, ...within }, signal })
  const found = named.find((one) => one.workspace === workspace)?.api_id
  const asset =
    found ??
    (await figbase.post('/asset/', { body: { name, workspace, ...within }, signal })).api_id
  const object = fileObject({ name, source, ...(metadata && { metadata }) })
  const data = await toData(figbase, { asset }, [{ ...object, type: 'file' }], {
    signal,
    ...(onProgress && { onProgress }),
  })
  const { api_id } = await figbase.post('/asset_revision/', { body: { asset, data }, signal })
  return { asset, api_id, isNew: true }
}

type Known = Schemas['FoundAssetRevision']

/** The first revision of an asset of this workspace. */
async function firstWithin(
  figbase: Figbase,
  known: Known[],
  workspace: string,
  signal: AbortSignal | undefined,
): Promise<Known | undefined> {
  const assets = [...new Set(known.map(({ asset }) => asset))]
  for (let at = 0; at < assets.length; at += batchReadsMax) {
    const some = assets.slice(at, at + batchReadsMax)
    const paths = some.map((id) => `/asset/${id}/?fields=workspace`)
    const read = (await readBatch(figbase, paths, signal)) as ({ workspace: string } | undefined)[]
    const asset = some.find((_, index) => read[index]?.workspace === workspace)
    if (asset !== undefined) return known.find((one) => one.asset === asset)
  }
  return undefined
}
