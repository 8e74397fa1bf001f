import { z } from 'zod'
import { created, endpoint } from '../../endpoint.js'
import { datetime, isoOrNull, uuid } from '../../shapes/common.js'
import { resolved, targetIn, targetTypes } from '../../uploads/target.js'
import { found } from '../found.js'
import { closedBody, idText } from '../members.js'

const targets = Object.fromEntries(
  Object.keys(targetTypes).map((name) => [name, idText.nullish()]),
) as Record<keyof typeof targetTypes, z.ZodOptional<z.ZodNullable<z.ZodString>>>

/** Where the object store takes the bytes itself. */
export const directUpload = endpoint({
  method: 'POST',
  path: '/upload/direct/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  summary:
    'Begin an upload that goes to the object store, by one request to the address in the answer',
  body: closedBody({
    ...targets,
    size_bytes: z.int('must be a number of bytes').min(0, 'must not be negative'),
  }),
  responses: {
    201: z.object({
      id: uuid,
      url: z.url(),
      method: z.literal('PUT'),
      expires: datetime,
    }),
  },
  async handle(input) {
    const { services, call, body } = input
    const request = {
      ...(await resolved(input, targetIn(body, ''))),
      lengthBytes: BigInt(body.size_bytes),
      direct: true,
    }
    const { upload, putUrl } = await services.revisions.beginUpload(request, call)
    const { id, expiresOn } = found(upload)
    return created({ id, url: putUrl, method: 'PUT', expires: isoOrNull(expiresOn) })
  },
})
