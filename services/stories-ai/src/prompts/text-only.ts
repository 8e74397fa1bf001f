import { marked } from './figure-data.js'
import { dataRules, type Prompt } from './prompt.js'

/** A question about a text of the user, which others may have written. */
export const textOnly = (text: string, question: string): Prompt => ({
  name: 'text_only',
  version: 1,
  system: `
You help scientists with a text. Do exactly and briefly what the question of the user asks, in Markdown. Say what you
cannot know from the text.
${dataRules}`.trim(),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: marked({ kind: 'text', text }) },
        { type: 'text', text: `Question: ${question}` },
      ],
    },
  ],
})
