import { invalid } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { appendTo } from '../resumable/append.js'
import { takeOver } from '../resumable/take-over.js'
import type { Impl } from '../routes.js'
import { partsOf } from '../upload/parts.js'
import { toUpload } from '../wire.js'
import { openUploadOf } from './get-upload.js'

export function appendUpload(ctx: Ctx): Impl['appendUpload'] {
  return async (messages, call) => {
    const parts = partsOf(messages, call.signal)
    try {
      const first = await parts.next()
      if (first?.case !== 'start') throw invalid('start', 'is required, and comes first')
      const { id, offsetBytes: offset, lengthBytes: length } = first.value
      const upload = await takeOver(ctx, await openUploadOf(ctx, id, call), call.signal)
      const next = async () => {
        const part = await parts.next()
        if (part && part.case !== 'chunk') throw invalid('start', 'is there twice')
        return part?.value
      }
      return { upload: toUpload(await appendTo(ctx, upload, { offset, length }, next, call)) }
    } finally {
      parts.close()
    }
  }
}
