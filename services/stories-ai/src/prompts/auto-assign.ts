import { z } from 'zod'
import type { FigureContext } from '../figure-context/read-figure.js'
import { figureContent } from './figure-content.js'
import { marked } from './figure-data.js'
import { dataRules, type Prompt } from './prompt.js'

/** The number of a candidate, from 1; 0: none. */
type Choice = { figure: number }

/** Of which of some figures a revision is a new version. */
export const autoAssign = (
  revision: FigureContext,
  candidateNames: string[],
): Prompt<Choice> & { json: z.ZodType<Choice> } => ({
  name: 'auto-assign',
  version: 1,
  system: `
You file a new figure into a collection of numbered figures. Answer with the number of the figure of which the new one is
another version: the same kind of picture of the same quantities, also if the data, the colours or the size differ. Answer
0 if it is none of them, or if you cannot decide between several.
${dataRules}`.trim(),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'The new figure:' },
        ...figureContent(revision),
        { type: 'text', text: 'The names of the numbered figures:' },
        ...candidateNames.map((text, i) => ({
          type: 'text' as const,
          text: marked({ kind: 'candidate', name: String(i + 1), text }),
        })),
        { type: 'text', text: 'Of which figure is the new one another version?' },
      ],
    },
  ],
  json: z.object({ figure: z.int().min(0).max(candidateNames.length) }),
})
