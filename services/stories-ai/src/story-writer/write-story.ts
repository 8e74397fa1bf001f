import type { CallOptions } from '@connectrpc/connect'
import type { TaskHandle } from '@figbase/kit/tasks'
import { TaskFailed } from '@figbase/kit/tasks'
import type { Ctx } from '../context.js'
import type { Content } from '../domain/content.js'
import { type FigureWriting, mergeRefined, mergeWriting } from '../domain/merge-texts.js'
import { readFigure } from '../figure-context/read-figure.js'
import { patiently } from '../insight/ai-task.js'
import type { AnswerOptions } from '../insight/answer.js'
import { answerJson } from '../insight/answer-json.js'
import { type FigureSlide, storyFigure } from '../prompts/story-figure.js'
import { type NumberedFigure, storyOverview } from '../prompts/story-overview.js'
import { refineSlides } from './refine-slides.js'
import { usableFigures } from './usable-figures.js'
import { writeOverview } from './write-overview.js'

/** One run of a task that writes a story, in the name of its user. */
export type Run = { base: Content; as: CallOptions; options: AnswerOptions; task: TaskHandle }

/** Changes the content that is current now. */
export type Merge = (now: Content, newId: () => string) => Content

/** Writes an introduction, one slide for each figure, and a conclusion. */
export async function generate(ctx: Ctx, { base, as, options, task }: Run): Promise<Merge> {
  const usable = await usableFigures(ctx, base.revisionIds, as)
  for (const omission of usable.omissions) task.log(`Left out: ${omission}.`)
  const { figures } = usable
  if (figures.length === 0) throw new TaskFailed('the story has no figures that you may comment on')
  const steps = figures.length + 2
  let done = 0
  const finished = (what: string) => {
    task.log(`${what} written.`)
    task.progress((++done / steps) * 100, `${done} of ${steps} slides written`)
  }
  task.progress(0, `0 of ${steps} slides written`)
  const { content: introduction } = await patiently(task, () =>
    writeOverview(ctx, base, 'introduction', usable, as, options),
  )
  finished('Introduction')
  const texts = new Map<string, FigureWriting>()
  for (const place of figures) {
    const figure = await readFigure(ctx, place, ctx.cfg.ai.inputTokensMax, as)
    for (const omission of figure.omissions) task.log(`${figure.name}: left out: ${omission}.`)
    const prompt = storyFigure(base, figure, introduction)
    texts.set(place.id, toWriting(await patiently(task, () => answerJson(ctx, prompt, options))))
    finished(`Slide about ${figure.name}`)
  }
  const known: NumberedFigure[] = Array.from(texts.values(), ({ content }) => ({
    parts: [{ kind: 'slide', text: content }],
  }))
  const { content: conclusion } = await patiently(task, () =>
    answerJson(ctx, storyOverview(base, 'conclusion', known), options),
  )
  finished('Conclusion')
  const writing = { introduction, conclusion, figures: texts }
  return (now, newId) => mergeWriting(now, base, writing, newId)
}

const toWriting = ({ content, methods, data, availability }: FigureSlide): FigureWriting => ({
  content,
  owned: { methods, data, availability },
})

/** Writes better texts of the slides. */
export async function refine(ctx: Ctx, { base, options, task }: Run): Promise<Merge> {
  const onProgress = (share: number) => task.progress(share * 100)
  const { texts, omissions } = await patiently(task, () =>
    refineSlides(ctx, base, options, onProgress),
  )
  for (const omission of omissions) task.log(`Left out: ${omission}.`)
  task.log(`${texts.size} texts refined.`)
  return (now) => mergeRefined(now, base, texts)
}
