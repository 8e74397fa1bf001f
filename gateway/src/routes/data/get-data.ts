import { endpoint, ok } from '../../endpoint.js'
import { dataSchema, dataShape } from '../../shapes/data.js'
import { isShallow, shallowQuery } from '../members.js'
import { getDataObject, openData } from './open-data.js'

export const getData = endpoint({
  method: 'GET',
  path: '/data/:id/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  summary: 'A data object with its bytes; without them with `shallow`',
  query: shallowQuery,
  responses: { 200: dataSchema },
  async handle(input) {
    if (isShallow(input.query)) return ok(dataShape(await getDataObject(input)))
    const { object, chunks } = await openData(input)
    return ok(dataShape(object, chunks))
  },
})
