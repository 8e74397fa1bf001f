import { ApiError } from './api-error.js'
import type { Cluster } from './cluster.js'
import type { Kind, Manifest, Stored } from './objects.js'
import { isConflict } from './record.js'

/** Creates an object that `owner` owns, unless it has it. One that an earlier pod of the run left is replaced. */
export async function ensureOwned<K extends Kind>(
  cluster: Cluster,
  kind: K,
  manifest: Manifest<K>,
  owner: Stored<'Pod'>,
  signal: AbortSignal,
): Promise<Stored<K>> {
  const found = await ensure(cluster, kind, manifest, signal)
  const { ownerReferences = [], deletionTimestamp } = found.metadata
  const isOwned = ownerReferences.some(({ uid }) => uid === owner.metadata.uid)
  if (isOwned && !deletionTimestamp) return found
  // Another process may have made another pod meanwhile, whose object it is.
  const pod = await cluster.find('Pod', owner.metadata.name, signal)
  if (pod?.metadata.uid === owner.metadata.uid) await cluster.delete(kind, found, signal)
  throw new ApiError(409, 'AlreadyExists', `${manifest.metadata.name} is of an earlier pod`)
}

export const ensureVolume = (
  cluster: Cluster,
  manifest: Manifest<'PersistentVolumeClaim'>,
  signal: AbortSignal,
): Promise<Stored<'PersistentVolumeClaim'>> =>
  ensure(cluster, 'PersistentVolumeClaim', manifest, signal)

async function ensure<K extends Kind>(
  cluster: Cluster,
  kind: K,
  manifest: Manifest<K>,
  signal: AbortSignal,
): Promise<Stored<K>> {
  try {
    return await cluster.create(manifest, signal)
  } catch (error) {
    const found = isConflict(error) && (await cluster.find(kind, manifest.metadata.name, signal))
    if (!found) throw error
    return found
  }
}
