import { z } from 'zod'
import type { FigureContext } from '../figure-context/read-figure.js'
import { figureContent } from './figure-content.js'
import { dataRules, type Prompt } from './prompt.js'

const datasetsMax = 100
const nameCharsMax = 500
const descriptionCharsMax = 2000

const dataset = z.object({
  name: z.string().max(nameCharsMax),
  description: z.string().max(descriptionCharsMax),
  type: z.enum(['file', 'table', 'database', 'address', 'other']),
})
const list = z.array(dataset).max(datasetsMax)
const datasetsSchema = z.object({ inputs: list, outputs: list })

/** What the code of a figure reads and writes. */
export const datasets = (figure: FigureContext) =>
  ({
    name: 'datasets',
    version: 1,
    system: `
You list the data that the code of a figure reads (inputs) and writes (outputs): files, tables, databases, addresses. The
name of each is as it is in the code; describe in one sentence what it contains and what it is used for. List only what
the code itself shows, each once.
${dataRules}`.trim(),
    messages: [{ role: 'user', content: figureContent(figure) }],
    json: datasetsSchema,
  }) satisfies Prompt<z.infer<typeof datasetsSchema>>
