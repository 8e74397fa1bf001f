import { SlideType } from '@figbase/proto/stories'
import { DetailDirection } from '@figbase/proto/story-writer'
import type { Input } from '../../endpoint.js'
import type { SlideValues } from './slide-form.js'

type Written = { content: string; omissions: string[] }

const directions: Record<string, DetailDirection> = {
  more: DetailDirection.MORE,
  less: DetailDirection.LESS,
}

/** Lets AI write the text of a slide, or change the detail of what is typed; saves nothing. */
export async function writeText(
  { services, streamCall }: Input,
  action: string,
  place: { storyId: string; slideId: string },
  { type, revisionId, content }: SlideValues,
): Promise<Written> {
  const { storyWriter } = services
  const direction = directions[action]
  if (direction !== undefined) {
    const request = { ...place, direction, currentContent: content }
    return { ...(await storyWriter.changeDetail(request, streamCall)), omissions: [] }
  }
  const shown = type === SlideType.FIGURE ? { revisionId } : {}
  return storyWriter.writeSlide({ storyId: place.storyId, type, ...shown }, streamCall)
}
