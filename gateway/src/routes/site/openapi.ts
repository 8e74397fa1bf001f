import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { openApi } from '../../openapi.js'
import type { Version } from '../../versions.js'

/** Takes the list of all routes, itself among them. */
export function openApiRoute(endpoints: () => Endpoint[]): Endpoint {
  const made = new Map<Version, unknown>()
  return endpoint({
    method: 'GET',
    path: '/openapi.json',
    since: 'v1',
    auth: 'none',
    idempotent: true,
    summary: 'The OpenAPI document of this version',
    responses: { 200: z.record(z.string(), z.unknown()) },
    async handle({ version, cfg }) {
      const document = made.get(version) ?? openApi(endpoints(), version, cfg)
      made.set(version, document)
      return ok(document)
    },
  })
}
