import type { UserContent } from 'ai'
import type { FigureContext } from '../figure-context/read-figure.js'
import { marked } from './figure-data.js'

type Parts = Exclude<UserContent, string>

/** The pictures of a figure and its data, which are marked as such. */
export function figureContent({ pictures, parts, omissions }: FigureContext): Parts {
  const left =
    omissions.length > 0 ? [`Left out because of its size:\n${omissions.join('\n')}`] : []
  const text = [...parts.map(marked), ...left].join('\n\n')
  return [
    ...pictures.map((image) => ({ type: 'image' as const, image, mediaType: 'image/png' })),
    { type: 'text', text },
  ]
}
