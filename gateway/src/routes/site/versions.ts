import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { type VersionEntry, versionHistory } from '../../version-history.js'
import { versions } from '../../versions.js'

/** `endpoints` returns all routes, including this one. */
export function versionsRoute(endpoints: () => Endpoint[]): Endpoint {
  let history: VersionEntry[] | undefined
  return endpoint({
    method: 'GET',
    path: '/api/versions/',
    since: 'v1',
    auth: 'none',
    idempotent: true,
    summary: 'The versions of the API, oldest first, and what each added or changed; public',
    responses: {
      200: z.array(
        z.object({
          version: z.enum(versions),
          since: z.string(),
          changes: z.array(
            z.union([
              z.object({ route: z.string(), change: z.string() }),
              z.object({ member: z.string(), change: z.string() }),
            ]),
          ),
        }),
      ),
    },
    async handle() {
      history ??= versionHistory(endpoints())
      return ok(history)
    },
  })
}
