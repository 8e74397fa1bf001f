import { join } from 'node:path'
import {
  checkMailServer,
  createLogger,
  inTime,
  keysFrom,
  openBus,
  openLimits,
  openObjectStore,
  readRuntimeSettings,
  readS3Settings,
  readSettings,
  requireStore,
} from '@figbase/kit'
import { type Finding, ok, problem } from './finding.js'

export type ServerOptions = { env: NodeJS.ProcessEnv; dataDir: string; timeoutMs: number }

/** Each server that a setting names, tried as a start tries it. */
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
      'a NATS with JetStream answers',
      async () => {
        // With NATS, nothing is asked of the database.
        const none = { url: '', isPooled: false, directUrl: undefined }
        await using _bus = await openBus(none, runtime, log)
      },
    ],
    [
      'REDIS_URL',
      redisUrl !== '',
      'a Redis answers',
      async () => {
        const keys = keysFrom('none')
        await using limits = await openLimits(redisUrl, { service: 'doctor', keys, log })
        await limits.connected(timeoutMs)
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
      'a mail server answers, and lets us in',
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
        // Each has limits of its own; this is for what they miss.
        const failure = await inTime(2 * timeoutMs, check()).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (failure === undefined) return ok(name, text)
        const why = failure instanceof Error ? failure.message : String(failure)
        return problem(name, why, 'Mend the setting or the server; a start tries the same.')
      },
    ])
}

async function discover(issuer: string, timeoutMs: number): Promise<void> {
  const url = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new Error(`it answers ${response.status} to ${url}`)
  const { issuer: itself } = (await response.json()) as { issuer?: unknown }
  const bare = (text: string) => text.replace(/\/+$/, '')
  if (typeof itself !== 'string' || bare(itself) !== bare(issuer)) {
    throw new Error(`the provider calls itself ${itself}`)
  }
}
