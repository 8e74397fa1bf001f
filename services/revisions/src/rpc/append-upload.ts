import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import type { Ctx } from '../context.js'
import { uploadTakenOver } from '../errors.js'
import type { Impl } from '../routes.js'
import { partsOf } from '../staging/parts.js'
import { appendTo } from '../uploads/append.js'
import { takeOver } from '../uploads/take-over.js'
import { toUpload } from '../wire.js'
import { openUploadOf } from './get-upload.js'

export function appendUpload(ctx: Ctx): Impl['appendUpload'] {
  return async (messages, call) => {
    const parts = partsOf(messages, call.signal)
    try {
      const first = await parts.next()
      if (first?.case !== 'start') throw invalid('start', 'is required and must come first')
      const { id, offsetBytes: offset, lengthBytes: length, askId } = first.value
      if (askId !== undefined && !isUuid(askId)) throw invalid('ask_id', 'must be a UUID')
      const found = await openUploadOf(ctx, id, call)
      // An older request must not end the request that took over after it.
      if (askId !== undefined && found.asked_id !== askId) throw uploadTakenOver()
      const upload = await takeOver(ctx, found, call.signal)
      const next = async () => {
        const part = await parts.next()
        if (part && part.case !== 'chunk') throw invalid('start', 'must not be repeated')
        return part?.value
      }
      const append = { offset, length, askId }
      return { upload: toUpload(await appendTo(ctx, upload, append, next, call)) }
    } finally {
      parts.close()
    }
  }
}
