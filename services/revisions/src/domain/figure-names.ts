import { DataType } from '@figbase/proto/revisions'

type Named = { name: string | null; type: number; metadata: string }

/** What clients call every picture. */
const generic = new Set(['', 'figure', 'image', 'plot'])
const members = ['figure_name', 'title', 'name']
const charsMax = 200

/**
 * What the figure of a revision may be called, by its images and its metadata (JSON), without names that say
 * nothing: the likeliest first.
 */
export function figureNames(metadata: string, data: Named[]): string[] {
  const images = data.filter(({ type }) => type === DataType.IMAGE)
  const texts = [
    ...textsIn(metadata),
    ...images.flatMap((image) => [...textsIn(image.metadata), image.name ?? '']),
  ]
  const names = texts.map((text) => text.trim().slice(0, charsMax).trim())
  return [...new Set(names)].filter((name) => !generic.has(folded(name)))
}

/** Names that are equal in this form mean the same figure. */
export const folded = (name: string): string =>
  name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

function textsIn(metadata: string): string[] {
  const value: unknown = JSON.parse(metadata)
  if (typeof value !== 'object' || value === null) return []
  const texts = members.map((member) => (value as Record<string, unknown>)[member])
  return texts.filter((text): text is string => typeof text === 'string')
}
