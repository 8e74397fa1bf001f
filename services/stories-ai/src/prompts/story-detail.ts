import { z } from 'zod'
import type { FigureContext } from '../figure-context/read-figure.js'
import { figureContent } from './figure-content.js'
import { marked } from './figure-data.js'
import { dataRules, type Prompt } from './prompt.js'
import { markedStory, type StoryTexts } from './story-data.js'

const shape = z.object({ content: z.string().describe('the changed text, in Markdown') })

export type Detail = z.infer<typeof shape>
export type Direction = 'more' | 'less'

const tasks: Record<Direction, string> = {
  more: 'Write the text of the slide with more detail: about twice as long. Add only what the material shows.',
  less: 'Write the text of the slide with less detail: about half as long. Keep what matters most.',
}

/** A text of a slide with more, or less, detail. `figure` is what the slide shows, if the caller may use it. */
export const storyDetail = (
  story: StoryTexts,
  text: string,
  direction: Direction,
  figure: FigureContext | undefined,
): Prompt<Detail> & { json: z.ZodType<Detail> } => ({
  name: 'story-detail',
  version: 1,
  system: `
You are the editor of a scientific story about figures. Keep the language, the facts and the Markdown of its author.
${dataRules}`.trim(),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: markedStory(story) },
        ...(figure ? figureContent(figure) : []),
        { type: 'text', text: marked({ kind: 'slide', text }) },
        { type: 'text', text: tasks[direction] },
      ],
    },
  ],
  json: shape,
})
