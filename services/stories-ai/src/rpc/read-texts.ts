import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import type { Slide } from '../domain/content.js'
import { listSlides } from '../queries/stories.js'
import type { Impl } from '../routes.js'

const storiesMax = 1000
/** Slides that are in memory at once. */
const batchBytesMax = 16 * 2 ** 20

export function readTexts({ db, cfg }: Ctx): Impl['readTexts'] {
  const batch = Math.max(1, Math.floor(batchBytesMax / cfg.storyBytesMax))
  return async function* ({ storyIds }, call) {
    requireSystem(call)
    if (storyIds.length > storiesMax)
      throw invalid('story_ids', `must have at most ${storiesMax} items`)
    const ids = storyIds.filter(isUuid)
    for (let at = 0; at < ids.length; at += batch) {
      call.signal.throwIfAborted()
      for (const { story_id: storyId, slides } of await listSlides(db, ids.slice(at, at + batch))) {
        const text = (JSON.parse(slides) as Slide[]).map(({ content }) => content).join('\n')
        yield { storyId, text }
      }
    }
  }
}
