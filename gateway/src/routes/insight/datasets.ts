import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Dataset } from '@figbase/proto/insight'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { dataSchema, dataShape } from '../../shapes/data.js'
import { idIn, idText } from '../body-members.js'

const dataset = z.object({ name: z.string(), description: z.string(), type: z.string() })

export const datasets: Endpoint = endpoint({
  method: 'POST',
  path: '/deep_insight/datasets/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  isLong: true,
  summary:
    'The data of a figure: `external_data`, the tables and files of the revision and of the linked asset revisions that the caller may view; `ai_inputs` and `ai_outputs`, what its code reads and writes, as a language model says',
  body: z.object({ figure_revision: idText }),
  responses: {
    200: z.object({
      external_data: z.array(dataSchema),
      ai_inputs: z.array(dataset),
      ai_outputs: z.array(dataset),
      omissions: z.array(z.string()),
    }),
  },
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
