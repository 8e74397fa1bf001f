import { invalid } from '@figbase/kit/errors'
import { type Content, contentBytes, type Slide, shownRevisions } from './content.js'
import { withOwnedMembers } from './server-owned.js'

/** Members of a request; undefined: unchanged. */
export type Changes = {
  name: string | undefined
  description: string | undefined
  revisionIds: string[] | undefined
  slides: Slide[] | undefined
}

export type ContentLimits = { revisionsMax: number; slidesMax: number; storyBytesMax: number }

/** The content of a new story. Without slides, it gets a title and one slide for each revision. */
export function newContent(
  { name, description, ...changes }: Changes,
  limits: ContentLimits,
  newId: () => string,
): Content {
  const title: Slide = { id: newId(), type: 'title', content: '', revisionId: null, data: '{}' }
  const empty = { name: name ?? '', description: description ?? null, revisionIds: [], slides: [] }
  const start = changes.slides ? empty : { ...empty, slides: [title] }
  return mergeContent(start, { ...changes, name, description }, limits, newId)
}

/**
 * The content after an update. Throws if a slide shows a revision that is not told, or changes members that the server
 * owns.
 */
export function mergeContent(
  before: Content,
  changes: Changes,
  limits: ContentLimits,
  newId: () => string,
): Content {
  const { name = before.name, description = before.description } = changes
  const merged = { name, description, ...mergedSlides(before, changes, newId) }
  checkLimits(merged, limits)
  return merged
}

function mergedSlides(before: Content, changes: Changes, newId: () => string) {
  if (changes.slides) {
    const slides = keepOwnedMembers(before, changes.slides)
    const shown = shownRevisions(slides)
    if (!changes.revisionIds) {
      return { slides, revisionIds: [...new Set([...before.revisionIds, ...shown])] }
    }
    checkTold(slides, changes.revisionIds)
    return { slides, revisionIds: changes.revisionIds }
  }
  const { revisionIds } = changes
  if (!revisionIds) return { slides: before.slides, revisionIds: before.revisionIds }
  const told = new Set(revisionIds)
  const kept = before.slides.filter((one) => one.revisionId === null || told.has(one.revisionId))
  const known = new Set(before.revisionIds)
  const added = revisionIds
    .filter((id) => !known.has(id))
    .map((id) => ({
      id: newId(),
      type: 'figure' as const,
      content: '',
      revisionId: id,
      data: '{}',
    }))
  return { slides: [...kept, ...added], revisionIds }
}

function keepOwnedMembers(before: Content, slides: Slide[]): Slide[] {
  const byId = new Map(before.slides.map((slide) => [slide.id, slide]))
  return slides.map((slide, i) => {
    if (slide.revisionId === null) return slide
    const field = `slides[${i}].slide_data`
    const data = withOwnedMembers(slide.data, byId.get(slide.id), slide.revisionId, field)
    return { ...slide, data }
  })
}

function checkTold(slides: Slide[], revisionIds: string[]) {
  const told = new Set(revisionIds)
  for (const [i, { revisionId }] of slides.entries()) {
    if (revisionId !== null && !told.has(revisionId)) {
      throw invalid(`slides[${i}].revision_id`, 'must be one of the revisions')
    }
  }
}

/** Throws if a story is too large. */
export function checkLimits(
  content: Content,
  { revisionsMax, slidesMax, storyBytesMax }: ContentLimits,
) {
  const { slides, revisionIds } = content
  if (revisionIds.length > revisionsMax) {
    throw invalid('slides', `must tell at most ${revisionsMax} revisions`)
  }
  if (slides.length > slidesMax) {
    throw invalid('revisions', `a story must have at most ${slidesMax} slides`)
  }
  if (contentBytes(content) > storyBytesMax) {
    throw invalid('slides', `a story must have at most ${storyBytesMax} bytes`)
  }
}
