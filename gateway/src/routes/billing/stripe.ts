import { z } from 'zod'
import { endpoint, noContent } from '../../endpoint.js'
import { HttpError } from '../../http/errors.js'

const payloadBytesMax = 1 << 20

/** The signature is over the bytes as they were sent. */
export const stripe = endpoint({
  method: 'POST',
  path: '/billing/stripe/',
  since: 'v1.4.1',
  auth: 'none',
  idempotent: true,
  operationId: 'receiveStripeEvent',
  summary: 'Receive an event of Stripe',
  description: 'For Stripe, which signs its events. 404 unless Stripe collects payments.',
  bytesType: 'application/json',
  bodyBytesMax: () => payloadBytesMax,
  requestHeaders: z.object({ 'Stripe-Signature': z.string() }),
  responses: { 204: null },
  errors: { 404: ['not_found'] },
  async handle({ headers, bytes, services, call }) {
    const signature = headers['stripe-signature']
    const request = {
      payload: await readAll(bytes()),
      signature: typeof signature === 'string' ? signature : '',
    }
    await services.billing.receiveProviderEvent(request, call)
    return noContent
  },
})

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > payloadBytesMax) {
      throw new HttpError(413, 'too_large', `the body has more than ${payloadBytesMax} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
