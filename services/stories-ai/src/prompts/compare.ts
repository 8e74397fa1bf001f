import type { FigureContext } from '../figure-context/read-figure.js'
import { figureContent } from './figure-content.js'
import { dataRules, type Prompt } from './prompt.js'

const standardQuestion = 'What differs between the two figures, and what do they have in common?'

/** A question about two figures. */
export const compare = (left: FigureContext, right: FigureContext, question: string): Prompt => ({
  name: 'compare',
  version: 1,
  system: `
You help scientists to compare two figures, left and right: their pictures, the code that made them, and their data.
Answer the question of the user exactly and briefly, in Markdown. Say what you cannot know from the material.
${dataRules}`.trim(),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'The left figure:' },
        ...figureContent(left),
        { type: 'text', text: 'The right figure:' },
        ...figureContent(right),
        { type: 'text', text: `Question: ${question || standardQuestion}` },
      ],
    },
  ],
})
