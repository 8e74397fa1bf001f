import { z } from 'zod'
import { marked } from './figure-data.js'
import { dataRules, type Prompt } from './prompt.js'
import { markedStory, type StoryTexts } from './story-data.js'

const shape = z.object({
  slides: z.array(
    z.object({
      number: z.int().describe('the number of the slide'),
      content: z.string().describe('its better text, in Markdown'),
    }),
  ),
})

export type Refined = z.infer<typeof shape>

/** Better texts of slides, which have the numbers of their places, from 1. */
export const storyRefine = (
  story: StoryTexts,
  texts: { number: number; text: string }[],
): Prompt<Refined> & { json: z.ZodType<Refined> } => ({
  name: 'story-refine',
  version: 1,
  system: `
You are the editor of a scientific story about figures. Improve the texts of its numbered slides: clear sentences, one
term for one thing, no repetition, a thread from slide to slide. Keep the language, the facts, the numbers and about the
length of each text. Answer with all slides.
${dataRules}`.trim(),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: markedStory(story) },
        ...texts.map(({ number, text }) => ({
          type: 'text' as const,
          text: marked({ kind: 'slide', name: String(number), text }),
        })),
        { type: 'text', text: 'Improve these slides.' },
      ],
    },
  ],
  json: shape,
})
