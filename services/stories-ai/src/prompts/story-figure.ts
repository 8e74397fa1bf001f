import { z } from 'zod'
import type { FigureContext } from '../figure-context/read-figure.js'
import { figureContent } from './figure-content.js'
import { marked } from './figure-data.js'
import { dataRules, type Prompt } from './prompt.js'
import { markedStory, type StoryTexts } from './story-data.js'

const shape = z.object({
  content: z.string().describe('the text of the slide, in Markdown'),
  methods: z.string().describe('how the figure was made, in Markdown'),
  inputs: z.array(z.string()).describe('the data that the figure was made from'),
  outputs: z
    .array(z.string())
    .describe('what was made with the figure, such as files and statistics'),
  data: z.string().describe('what the data contain, in Markdown'),
  availability: z
    .string()
    .describe('where data and code are available, as far as the material says'),
})

export type FigureSlide = z.infer<typeof shape>

/** The slide of one figure. `overview` is what the story says so far; empty: nothing. */
export const storyFigure = (
  story: StoryTexts,
  figure: FigureContext,
  overview: string,
): Prompt<FigureSlide> & { json: z.ZodType<FigureSlide> } => ({
  name: 'story-figure',
  version: 1,
  system: `
You write one slide of a scientific story about figures. The slide shows the figure; its text says in two to five
sentences what can be seen, and what it means for the story. Do not repeat the name of the figure as a title. Write
nothing that the material does not show. Leave a member empty if the material says nothing about it.
${dataRules}`.trim(),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: markedStory(story) },
        ...(overview
          ? [{ type: 'text' as const, text: marked({ kind: 'introduction', text: overview }) }]
          : []),
        ...figureContent(figure),
        { type: 'text', text: 'Write the slide about this figure.' },
      ],
    },
  ],
  json: shape,
})
