import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { readServerVersion } from '../../server-version.js'
import { versions } from '../../versions.js'

export const info = endpoint({
  method: 'GET',
  path: '/info/',
  since: 'v1',
  auth: 'none',
  idempotent: true,
  summary: 'What this server is; open to all',
  responses: {
    200: z.object({
      environment: z.string(),
      server_version: z.string(),
      started: z.iso.datetime(),
      api_versions: z.array(z.string()),
      your_ip: z.string(),
      ai_enabled: z.boolean(),
    }),
  },
  async handle({ cfg, startedOn, clientAddress }) {
    return ok({
      environment: cfg.environment,
      server_version: readServerVersion(),
      started: startedOn.toISOString(),
      api_versions: versions,
      your_ip: clientAddress,
      ai_enabled: false,
    })
  },
})
