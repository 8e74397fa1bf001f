import { marked } from './figure-data.js'

/** What a model gets to know of a story: texts of its authors. */
export type StoryTexts = { name: string; description: string | null }

export const markedStory = ({ name, description }: StoryTexts): string =>
  marked({ kind: 'story', text: [name, description].filter(Boolean).join('\n\n') })
