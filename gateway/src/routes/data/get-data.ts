import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { wantsBytes } from '../../http/conditions.js'
import { dataSchema, dataShape } from '../../shapes/data.js'
import { prefetchFirst } from '../pagination.js'
import { isShallow, isTrue, shallowQuery } from '../query-flags.js'
import { download } from './download.js'
import { getDataObject, openData } from './open-data.js'

/** The same URL serves JSON and raw bytes. */
const vary = { vary: 'Accept, Accept-Encoding' }

export const getData = endpoint({
  method: 'GET',
  path: '/data/:id/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  summary:
    'Get a data object with its bytes, or without them with `shallow`; with `dl=1`, or an `Accept` without JSON, only the bytes',
  query: shallowQuery.extend({ dl: z.string().optional() }),
  responses: { 200: dataSchema, 206: null, 304: null },
  mediaType: '*/*',
  async handle(input) {
    const { query, headers, version } = input
    if (isTrue(query.dl) || wantsBytes(headers.accept)) return download(input)
    if (isShallow(query)) return ok(dataShape(await getDataObject(input), version), vary)
    const { object, chunks } = await openData(input)
    return ok(dataShape(object, version, await prefetchFirst(chunks)), vary)
  },
})
