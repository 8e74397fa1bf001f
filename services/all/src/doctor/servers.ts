import { join } from 'node:path'
import { readSettings } from '@figbase/kit/config'
import { openBus } from '@figbase/kit/events'
import { keysFrom } from '@figbase/kit/keys'
import { openLimits } from '@figbase/kit/limits'
import { createLogger } from '@figbase/kit/log'
import { checkMailServer } from '@figbase/kit/mail'
import { openObjectStore, readS3Settings, requireStore } from '@figbase/kit/objects'
import { readRuntimeSettings } from '@figbase/kit/settings'
import { withTimeout } from '@figbase/kit/timing'
import { type Finding, ok, problem } from './finding.js'

export type ServerOptions = { env: NodeJS.ProcessEnv; dataDir: string; timeoutMs: number }

/** Checks each configured server in the same way as startup. */
export function serverChecks(options: ServerOptions): [string, () => Promise<Finding>][] {
  const { env, dataDir, timeoutMs } = options
  const runtime = readSettings(
    { ...env, DATABASE_URL: env.DATABASE_URL || 'postgres://none', FIGBASE_SECRET_KEY: 'none' },
    readRuntimeSettings,
  )
  const { s3 } = readSettings(env, (reader) => ({ s3: readS3Settings(reader) }))
  const log = createLogger('doctor', 'silent')
  const { natsUrl } = runtime.events
  const { redisUrl } = runtime.limits
  const checks: [string, boolean, string, () => Promise<unknown>][] = [
    [
      'NATS_URL',
      natsUrl !== '',
      'NATS with JetStream answers',
      async () => {
        // With NATS, the database is not used.
        const none = { url: '', isPooled: false, directUrl: undefined }
        await using _bus = await openBus(none, runtime, log)
      },
    ],
    [
      'REDIS_URL',
      redisUrl !== '',
      'Redis answers',
      async () => {
        const keys = keysFrom('none')
        await using limits = await openLimits(redisUrl, { service: 'doctor', keys, log })
        await limits.waitUntilConnected(timeoutMs)
      },
    ],
    [
      'S3_ENDPOINT',
      s3 !== undefined,
      'objects can be stored, read and deleted',
      () => requireStore(openObjectStore(s3, join(dataDir, 'objects')), timeoutMs),
    ],
    [
      'SMTP_URL',
      runtime.mail.smtp !== undefined,
      'the mail server answers and accepts the credentials',
      () => checkMailServer(runtime.mail, timeoutMs),
    ],
    [
      'OIDC_ISSUER',
      Boolean(env.OIDC_ISSUER),
      'the identity provider answers',
      () => discover(env.OIDC_ISSUER ?? '', timeoutMs),
    ],
  ]
  return checks
    .filter(([, isSet]) => isSet)
    .map(([name, , text, check]) => [
      name,
      async () => {
        // Each check has its own timeouts; this one bounds the rest.
        const failure = await withTimeout(2 * timeoutMs, check()).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (failure === undefined) return ok(name, text)
        const why = failure instanceof Error ? failure.message : String(failure)
        return problem(
          name,
          why,
          'Correct the setting, or fix the server: startup makes the same check.',
        )
      },
    ])
}

async function discover(issuer: string, timeoutMs: number): Promise<void> {
  const url = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new Error(`${url} answers with status ${response.status}`)
  const { issuer: actual } = (await response.json()) as { issuer?: unknown }
  const bare = (text: string) => text.replace(/\/+$/, '')
  if (typeof actual !== 'string' || bare(actual) !== bare(issuer)) {
    throw new Error(`the issuer of the provider is ${actual}`)
  }
}
