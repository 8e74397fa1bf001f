import { delay } from './delay.js'
import type { Figbase } from './figbase.js'
import type { Schemas } from './types.js'

/** `signal` ends the wait: `AbortSignal.timeout(60_000)` limits it. */
export type WaitInit = { signal?: AbortSignal | undefined }

export type RevisionWaitInit = WaitInit & {
  /** Whether to wait also until search finds the revision by all that is known of it. */
  indexed?: boolean
}

export type TaskWaitInit = WaitInit & {
  /** Is called with each state that is read, and awaited. */
  onProgress?: ((task: Schemas['Task']) => void | Promise<void>) | undefined
}

const pollMsMin = 50
const pollMsMax = 1000

/** A task when it is over, with the status `SUCCESS`, `FAILURE` or `REVOKED`. */
export function waitForTask(
  figbase: Figbase,
  id: string,
  { signal, onProgress }: TaskWaitInit = {},
): Promise<Schemas['Task']> {
  const path = { task_id: id }
  const read = async () => {
    const task = await figbase.get('/tasks/{task_id}/', { path, signal })
    await onProgress?.(task)
    return task
  }
  return poll(read, ({ status }) => status !== 'PENDING' && status !== 'STARTED', signal)
}

/** A figure revision when its data has been processed: then it has its thumbnail and the hash of its image. */
export async function waitForRevision(figbase: Figbase, id: string, init: RevisionWaitInit = {}) {
  const { signal } = init
  const options = { path: { id }, signal }
  await poll(() => figbase.get('/revision/{id}/status/', options), isReady(init), signal)
  return figbase.get('/revision/{id}/', options)
}

/** An asset revision when its data has been processed: then it is found by its hash. */
export async function waitForAssetRevision(
  figbase: Figbase,
  id: string,
  init: RevisionWaitInit = {},
) {
  const { signal } = init
  const options = { path: { id }, signal }
  await poll(() => figbase.get('/asset_revision/{id}/status/', options), isReady(init), signal)
  return figbase.get('/asset_revision/{id}/', options)
}

type Status = { is_processing: boolean; search: Schemas['search'] }

/** Revisions whose texts cannot be read are `failed`; `null` means that search does not respond. */
const isReady =
  ({ indexed = false }: RevisionWaitInit) =>
  ({ is_processing, search }: Status) =>
    !is_processing && !(indexed && (search === 'pending' || search === null))

async function poll<T>(
  read: () => Promise<T>,
  isReady: (state: T) => boolean,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let pollMs = pollMsMin; ; pollMs = Math.min(pollMs * 1.5, pollMsMax)) {
    const state = await read()
    if (isReady(state)) return state
    await delay(pollMs, signal)
  }
}
