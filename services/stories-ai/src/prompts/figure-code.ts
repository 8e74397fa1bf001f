import { z } from 'zod'
import type { FigureContext } from '../figure-context/read-figure.js'
import { figureContent } from './figure-content.js'
import { dataRules, type Prompt } from './prompt.js'

const rangesMax = 200

/** Lines of code: both are included, and the first line is 1. */
const range = z.object({ part: z.int().min(1), from: z.int().min(1), to: z.int().min(1) })
export type LineRange = z.infer<typeof range>

export const lineRanges = z.object({ ranges: z.array(range).max(rangesMax) })
export type LineRanges = z.infer<typeof lineRanges>

/** Which lines of numbered code made the figure. The model returns no code, so what is returned is always stored code. */
export const figureCode = (figure: FigureContext) =>
  ({
    name: 'figure_code',
    version: 1,
    system: `
You find the code that made a figure. The parts of code are numbered, and so are the lines of each part. Answer with the
ranges of lines that are needed to make this figure again, in their order: imports, loading and preparing its data,
definitions that it uses, drawing it. Leave out what makes other figures. Without such code, answer with no ranges.
${dataRules}`.trim(),
    messages: [{ role: 'user', content: figureContent(figure) }],
    json: lineRanges,
  }) satisfies Prompt<LineRanges>
