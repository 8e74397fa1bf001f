import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { openApi } from '../../openapi/document.js'
import type { Version } from '../../versions.js'

/** `endpoints` returns all routes, including this one. */
export function openApiRoute(endpoints: () => Endpoint[]): Endpoint {
  const documents = new Map<Version, unknown>()
  return endpoint({
    method: 'GET',
    path: '/openapi.json',
    since: 'v1',
    auth: 'none',
    idempotent: true,
    operationId: 'getOpenApi',
    summary: 'Get the OpenAPI document of this version',
    description: 'Everybody may read it.',
    responses: { 200: z.record(z.string(), z.unknown()) },
    async handle({ version, cfg }) {
      const document = documents.get(version) ?? openApi(endpoints(), version, cfg)
      documents.set(version, document)
      return ok(document)
    },
  })
}
