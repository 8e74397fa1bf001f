import { z } from 'zod'
import { created, endpoint } from '../../endpoint.js'
import { required } from '../../required.js'
import { datetime, isoOrNull, uuid } from '../../shapes/common.js'
import { resolveTarget, targetIn, targetTypes } from '../../uploads/target.js'
import { closedBody, idText } from '../body-members.js'

const targets = Object.fromEntries(
  Object.keys(targetTypes).map((name) => [name, idText.nullish()]),
) as Record<keyof typeof targetTypes, z.ZodOptional<z.ZodNullable<z.ZodString>>>

/** An upload that the client sends directly to the object store. */
export const directUpload = endpoint({
  method: 'POST',
  path: '/upload/direct/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'secret',
  operationId: 'createDirectUpload',
  summary: 'Begin an upload to the object store',
  description:
    'The client then sends the bytes with one request to the URL in the answer. The object store must support it.',
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
  errors: {
    403: ['max_storage_bytes'],
    429: ['too_many_uploads'],
    501: ['not_supported'],
  },
  async handle(input) {
    const { services, call, body } = input
    const request = {
      ...(await resolveTarget(input, targetIn(body, ''))),
      lengthBytes: BigInt(body.size_bytes),
      direct: true,
    }
    const { upload, putUrl } = await services.revisions.beginUpload(request, call)
    const { id, expiresOn } = required(upload)
    return created({ id, url: putUrl, method: 'PUT', expires: isoOrNull(expiresOn) })
  },
})
