import { z } from 'zod'
import type { SlideKind } from '../domain/content.js'
import { type DataPart, marked } from './figure-data.js'
import { dataRules, type Prompt } from './prompt.js'
import { markedStory, type StoryTexts } from './story-data.js'

const shape = z.object({
  content: z.string().describe('the text of the slide, in Markdown'),
  figures: z
    .array(
      z.object({
        number: z.int().describe('the number of the figure'),
        description: z.string().describe('what the figure shows, in one sentence'),
        methods: z.string().describe('how it was made, in one sentence; empty if unknown'),
      }),
    )
    .describe('one element for each figure'),
})

export type OverviewSlide = z.infer<typeof shape>
export type OverviewKind = Exclude<SlideKind, 'figure'>

const tasks: Record<OverviewKind, string> = {
  title: 'one sentence for the title page that says what the story is about',
  introduction: 'the introduction: the question of the story, and how its figures answer it',
  goals: 'the goals of the work that the figures show, as a short list',
  data: 'the data behind all figures: what was measured, how much, and where it comes from',
  conclusion: 'the conclusion: what the figures show together, and what remains open',
  custom: 'a summary of the story',
}

/** What is known of one figure; the model gets its number, from 1. */
export type NumberedFigure = { parts: DataPart[] }

/** A slide about the whole story. */
export const storyOverview = (
  story: StoryTexts,
  kind: OverviewKind,
  figures: NumberedFigure[],
): Prompt<OverviewSlide> & { json: z.ZodType<OverviewSlide> } => ({
  name: 'story-overview',
  version: 1,
  system: `
You write one slide of a scientific story about numbered figures. Use at most 150 words. Write nothing that the material
does not show.
${dataRules}`.trim(),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: markedStory(story) },
        ...figures.map(({ parts }, i) => ({
          type: 'text' as const,
          text: `Figure ${i + 1}:\n${parts.map(marked).join('\n')}`,
        })),
        { type: 'text', text: `Write ${tasks[kind]}.` },
      ],
    },
  ],
  json: shape,
})
