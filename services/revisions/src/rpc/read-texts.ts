import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import { TextSource } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import { listDataWithText, listTexts } from '../queries/texts.js'
import type { Impl } from '../routes.js'

const revisionsMax = 1000
/** Limits the texts in memory. */
const textsBatch = 8

const sources = {
  plain: TextSource.PLAIN,
  svg: TextSource.SVG,
  pdf: TextSource.PDF,
  columns: TextSource.COLUMNS,
}

export function readTexts(ctx: Ctx): Impl['readTexts'] {
  return async function* ({ revisionIds }, call) {
    requireSystem(call)
    if (revisionIds.length > revisionsMax) {
      throw invalid('revision_ids', `must be at most ${revisionsMax}`)
    }
    const data = await listDataWithText(ctx.db, revisionIds.filter(isUuid))
    for (let at = 0; at < data.length; at += textsBatch) {
      call.signal.throwIfAborted()
      for (const row of await listTexts(ctx.db, data.slice(at, at + textsBatch))) {
        const { revision_id: revisionId, data_id: dataId, source, text } = row
        yield { revisionId, dataId, source: sources[source], text }
      }
    }
  }
}
