import { actAs, defineJob, user } from '@figbase/kit'
import type { Ctx } from '../context.js'
import type { RevisionRow } from '../db/schema.js'
import { isFinal } from '../errors.js'
import { chooseImage } from '../images/choose.js'
import { listData, updateProcessingErrors } from '../queries/data.js'
import { beginProcessing, endProcessing, findRevision } from '../queries/revisions.js'
import { upsertThumbnail } from '../queries/thumbnails.js'
import { activate } from '../upload/activate.js'

/** An image that ends the process, or a store that does not answer, gets so many chances. */
const processingAttemptsMax = 3
const activateTimeoutMs = 10_000

/** Thumbnail and image hash of a new revision; shows it if that was lost. May run twice. */
export const processRevision = defineJob<Ctx, { revisionId: string; silent: boolean }>({
  name: 'process-revision',
  attemptsMax: 25,
  timeoutMs: 5 * 60_000,
  async run(ctx, { revisionId, silent }) {
    const revision = await beginProcessing(ctx.db, revisionId)
    if (!revision) return
    if (revision.is_processing) await processImages(ctx, revision)
    // Last, because by now its creation has nearly always done it.
    await activateLate(ctx, revisionId, silent)
  },
})

async function processImages(ctx: Ctx, { id, processing_attempts: attempts }: RevisionRow) {
  const data = await listData(ctx.db, id)
  const { errors, chosen } = await chooseImage(ctx, data, attempts > processingAttemptsMax)
  const key = chosen ? `thumbnails/${id}/${chosen.data.hash}.png` : ''
  if (chosen) await ctx.objects.put(key, once(chosen.picture.png))
  const kept = await ctx.transact(async (tx) => {
    if (!(await endProcessing(tx, id, chosen?.data.hash ?? null))) return false
    await updateProcessingErrors(tx, id, errors)
    if (chosen) {
      const { width, height } = chosen.picture
      const { id: dataId, hash: digest } = chosen.data
      await upsertThumbnail(tx, { revision_id: id, data_id: dataId, key, width, height, digest })
    }
    return true
  })
  if (chosen && !kept) await ctx.objects.delete([key])
}

async function activateLate(ctx: Ctx, id: string, silent: boolean) {
  const revision = await findRevision(ctx.db, id)
  if (!revision || revision.activated) return
  const as = { ...actAs(user(revision.created_by)), timeoutMs: activateTimeoutMs }
  try {
    const leaves = await listData(ctx.db, id)
    await activate(ctx, { id, position: revision.revision_index, leaves, silent }, as)
  } catch (error) {
    // Final: the revision was removed again.
    if (!isFinal(error)) throw error
  }
}

async function* once(bytes: Uint8Array) {
  yield bytes
}
