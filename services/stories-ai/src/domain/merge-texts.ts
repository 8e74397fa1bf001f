import { withMembers } from '@figbase/kit/text'
import type { Content, Slide } from './content.js'

/** The texts that a model wrote for a story. */
export type StoryWriting = {
  introduction: string
  conclusion: string
  /** By revision. */
  figures: Map<string, FigureWriting>
}

/** `owned`: the members of the data of figure slides that only the server writes. */
export type FigureWriting = {
  content: string
  owned: { methods: string; data: string; availability: string }
}

/**
 * The content with texts of a model that read `base`. What an author changed since then stays: the text of a slide that
 * is not as it was, and slides that were removed. A story without an introduction, a conclusion or a slide for a figure
 * gets it.
 */
export function mergeWriting(
  now: Content,
  base: Content,
  writing: StoryWriting,
  newId: () => string,
): Content {
  const isSame = unchangedSince(base)
  const seen = new Set<string>()
  const slides = now.slides.map((slide) => {
    const text = textOf(slide, writing)
    const isFirst = !seen.has(slide.revisionId ?? slide.type)
    seen.add(slide.revisionId ?? slide.type)
    const owned = slide.revisionId ? writing.figures.get(slide.revisionId)?.owned : undefined
    return {
      ...slide,
      ...(text && isFirst && isSame(slide) && { content: text }),
      ...(owned && { data: withMembers(slide.data, JSON.stringify(owned)) }),
    }
  })
  const isMissing = (type: 'introduction' | 'conclusion') =>
    ![...now.slides, ...base.slides].some((slide) => slide.type === type)
  if (isMissing('introduction')) {
    const at = slides[0]?.type === 'title' ? 1 : 0
    slides.splice(at, 0, newSlide('introduction', writing.introduction, newId))
  }
  const end = slides.at(-1)?.type === 'conclusion' ? slides.length - 1 : slides.length
  slides.splice(end, 0, ...missingFigures(now, base, writing, newId))
  if (isMissing('conclusion')) slides.push(newSlide('conclusion', writing.conclusion, newId))
  return { ...now, slides }
}

/** The content with better texts by slide; what an author changed since `base` stays. */
export function mergeRefined(now: Content, base: Content, texts: Map<string, string>): Content {
  const isSame = unchangedSince(base)
  const slides = now.slides.map((slide) => {
    const content = texts.get(slide.id)
    return content !== undefined && isSame(slide) ? { ...slide, content } : slide
  })
  return { ...now, slides }
}

function unchangedSince(base: Content) {
  const before = new Map(base.slides.map((slide) => [slide.id, slide]))
  return ({ id, type, content, revisionId }: Slide) => {
    const old = before.get(id)
    return old?.type === type && old.content === content && old.revisionId === revisionId
  }
}

function textOf({ type, revisionId }: Slide, writing: StoryWriting): string | undefined {
  if (type === 'introduction' || type === 'conclusion') return writing[type]
  return revisionId ? writing.figures.get(revisionId)?.content : undefined
}

function missingFigures(
  now: Content,
  base: Content,
  { figures }: StoryWriting,
  newId: () => string,
) {
  const shown = new Set([...now.slides, ...base.slides].map(({ revisionId }) => revisionId))
  return now.revisionIds.flatMap((revisionId) => {
    const text = shown.has(revisionId) ? undefined : figures.get(revisionId)
    if (!text) return []
    const { content, owned } = text
    return {
      id: newId(),
      type: 'figure' as const,
      content,
      revisionId,
      data: JSON.stringify(owned),
    }
  })
}

const newSlide = (
  type: 'introduction' | 'conclusion',
  content: string,
  newId: () => string,
): Slide => ({
  id: newId(),
  type,
  content,
  revisionId: null,
  data: '{}',
})
