import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { checkedText, isContainer, problemOfJson } from '@figbase/kit/text'
import { type Slide as SlideMessage, SlideType } from '@figbase/proto/stories'
import type { Config } from '../config.js'
import { type Slide, type SlideKind, slideBytes } from './content.js'

export type SlideLimits = Pick<Config, 'slidesMax' | 'slideBytesMax' | 'revisionsMax'>

const kinds: Partial<Record<SlideType, SlideKind>> = {
  [SlideType.TITLE]: 'title',
  [SlideType.INTRODUCTION]: 'introduction',
  [SlideType.FIGURE]: 'figure',
  [SlideType.GOALS]: 'goals',
  [SlideType.DATA]: 'data',
  [SlideType.CONCLUSION]: 'conclusion',
  [SlideType.CUSTOM]: 'custom',
}

export const slideKindOf = (type: SlideType): SlideKind | undefined => kinds[type]

export const slideTypeOf = (kind: SlideKind): SlideType =>
  Number(Object.entries(kinds).find(([, one]) => one === kind)?.[0] ?? SlideType.UNSPECIFIED)

const idCharsMax = 100
const dataDepthMax = 100

/** The slides of a request. Throws if one is not valid; fields have the names of the API. */
export function parseSlides(
  messages: SlideMessage[],
  limits: SlideLimits,
  newId: () => string,
): Slide[] {
  if (messages.length > limits.slidesMax) {
    throw invalid('slides', `must have at most ${limits.slidesMax} elements`)
  }
  const slides = messages.map((message, i) => parseSlide(message, `slides[${i}]`, limits, newId))
  const ids = new Set<string>()
  for (const [i, { id }] of slides.entries()) {
    if (ids.has(id)) throw invalid(`slides[${i}].slide_id`, 'must be unique')
    ids.add(id)
  }
  return slides
}

function parseSlide(
  { id, type, content, revisionId, dataJson }: SlideMessage,
  field: string,
  { slideBytesMax }: SlideLimits,
  newId: () => string,
): Slide {
  const kind = kinds[type]
  if (!kind) throw invalid(`${field}.slide_type`, 'is unknown')
  const slide = {
    id: id === '' ? newId() : checkedText(`${field}.slide_id`, id, { charsMax: idCharsMax }),
    type: kind,
    content: checkedText(`${field}.content`, content, { charsMax: slideBytesMax }),
    revisionId: parseRevisionId(kind, revisionId, `${field}.revision_id`),
    data: parseData(dataJson, `${field}.slide_data`),
  }
  if (slideBytes(slide) > slideBytesMax) {
    throw invalid(field, `must have at most ${slideBytesMax} bytes of content and slide_data`)
  }
  return slide
}

function parseRevisionId(kind: SlideKind, id: string, field: string): string | null {
  if (kind !== 'figure') {
    if (id !== '') throw invalid(field, 'is only for figure slides')
    return null
  }
  if (id === '') throw invalid(field, 'is required for figure slides')
  if (!isUuid(id)) throw invalid(field, 'must be a UUID')
  return id.toLowerCase()
}

function parseData(json: string, field: string): string {
  if (json === '') return '{}'
  const problem = problemOfJson(json, dataDepthMax)
  if (problem) throw invalid(field, problem)
  if (!isContainer(json) || json.trimStart().startsWith('[')) {
    throw invalid(field, 'must be a JSON object')
  }
  return json
}

/** The told revisions of a request. */
export function parseRevisionIds(ids: string[], { revisionsMax }: SlideLimits): string[] {
  if (ids.length > revisionsMax) {
    throw invalid('revisions', `must have at most ${revisionsMax} elements`)
  }
  const told = new Set<string>()
  for (const [i, given] of ids.entries()) {
    if (!isUuid(given)) throw invalid(`revisions[${i}]`, 'must be a UUID')
    const id = given.toLowerCase()
    if (told.has(id)) throw invalid(`revisions[${i}]`, 'must be unique')
    told.add(id)
  }
  return [...told]
}
