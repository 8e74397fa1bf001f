import type { CallOptions } from '@connectrpc/connect'
import { z } from 'zod'
import { endpoint, ok, type Services } from '../../endpoint.js'
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
      ai_enabled: z.boolean().optional(),
    }),
  },
  async handle({ cfg, services, call, startedOn, clientAddress }) {
    return ok({
      environment: cfg.environment,
      server_version: readServerVersion(),
      started: startedOn.toISOString(),
      api_versions: versions,
      your_ip: clientAddress,
      ...(await publicSettings(services, call)),
    })
  },
})

const settingsTimeoutMs = 2000

/** What a server is can be told while it does not know its settings: then they are left out. */
async function publicSettings({ site }: Services, call: CallOptions) {
  try {
    const timeoutMs = settingsTimeoutMs
    const { aiEnabled } = await site.getPublicSettings({}, { ...call, timeoutMs })
    return { ai_enabled: aiEnabled }
  } catch {
    return {}
  }
}
