import type { FigureContext } from '../figure-context/read-figure.js'
import { figureContent } from './figure-content.js'
import { dataRules, type Prompt } from './prompt.js'

/** A question about one figure. */
export const ask = (figure: FigureContext, question: string): Prompt => ({
  name: 'ask',
  version: 2,
  system: `
You help scientists to understand a figure: its picture, the code that made it, and its data. Answer the question of the
user exactly and briefly, in Markdown. Say what you cannot know from the material.
${dataRules}`.trim(),
  messages: [
    {
      role: 'user',
      content: [...figureContent(figure), { type: 'text', text: `Question: ${question}` }],
    },
  ],
})
