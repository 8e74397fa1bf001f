import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Dataset } from '@figbase/proto/insight'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { dataSchema, dataShape } from '../../shapes/data.js'
import { aiErrors } from '../ai-errors.js'
import { idIn } from '../body-members.js'
import { figureBody } from './stream.js'

const dataset = z
  .object({ name: z.string(), description: z.string(), type: z.string() })
  .meta({ id: 'Dataset', description: 'Data that code reads or writes.' })

export const datasets: Endpoint = endpoint({
  method: 'POST',
  path: '/deep_insight/datasets/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  isLong: true,
  operationId: 'listFigureDatasets',
  summary: 'List the data that a figure reads and writes',
  description:
    '`external_data` lists the tables and files of the revision and of linked asset revisions that the caller may view. A language model finds the inputs and outputs in the code.',
  body: figureBody,
  responses: {
    200: z.object({
      external_data: z.array(dataSchema),
      ai_inputs: z.array(dataset),
      ai_outputs: z.array(dataset),
      omissions: z.array(z.string()),
    }),
  },
  errors: aiErrors,
  guard: (_params, body) => ({
    id: idIn(body, 'figure_revision'),
    permission: Permission.COMMENT,
    type: NodeType.FIGURE_REVISION,
  }),
  async handle({ body, services, streamCall, version }) {
    const request = { revisionId: body.figure_revision }
    const found = await services.insight.listDatasets(request, streamCall)
    return ok({
      external_data: found.externalData.map((object) => dataShape(object, version)),
      ai_inputs: found.aiInputs.map(toShape),
      ai_outputs: found.aiOutputs.map(toShape),
      omissions: found.omissions,
    })
  },
})

const toShape = ({ name, description, type }: Dataset) => ({ name, description, type })
