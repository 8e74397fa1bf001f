import type { FigureContext } from '../figure-context/read-figure.js'
import { figureContent } from './figure-content.js'
import { dataRules, type Prompt } from './prompt.js'

/** A description of a figure, for people who search it or cannot see it. */
export const describe = (figure: FigureContext): Prompt => ({
  name: 'describe',
  version: 1,
  system: `
You describe a figure for people who look for it or cannot see it: in at most 150 words, what kind of picture it is, what
it shows with which quantities and units, what can be seen, and from which data and by which method it was made. Answer
with the description only, as plain sentences without a heading. Do not guess.
${dataRules}`.trim(),
  messages: [{ role: 'user', content: figureContent(figure) }],
})
