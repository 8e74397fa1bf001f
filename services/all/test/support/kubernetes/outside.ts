import { join } from 'node:path'
import { Lifecycle } from '@figbase/kit/service'
import { startOpenIdProvider } from '@figbase/kit/testing'
import { newSecret } from '../../../src/secrets.js'
import type { Manifest } from '../chart/manifests.js'
import { startServers } from '../replicated/servers.js'
import { startMailServer } from './mail-server.js'
import { secretOf } from './objects.js'

/** The operator's own servers, as `production-values.yaml` names them. */
export type OutsideServers = AsyncDisposable & {
  /** Values of the chart with their addresses. */
  settings: Record<string, string>
  /** The existing Secrets that the values name. */
  secrets: Manifest[]
}

/** Starts PostgreSQL 15, NATS, Redis, S3, SMTP and an identity provider; mails are written to `<dataDir>/mail`. */
export async function startOutsideServers(dataDir: string): Promise<OutsideServers> {
  const lifecycle = new Lifecycle()
  const disposed = <T extends AsyncDisposable>(started: T): T => {
    lifecycle.onStop(() => started[Symbol.asyncDispose]())
    return started
  }
  try {
    const { env } = disposed(await startServers())
    const mail = disposed(await startMailServer(join(dataDir, 'mail')))
    const provider = disposed(await startOpenIdProvider())
    const of = (name: string) => env[name] ?? ''
    const database = of('DATABASE_URL')
    const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '' } = provider.settings
    return {
      settings: {
        S3_ENDPOINT: of('S3_ENDPOINT'),
        S3_REGION: of('S3_REGION'),
        S3_BUCKET: of('S3_BUCKET'),
        OIDC_ISSUER,
        OIDC_CLIENT_ID,
      },
      secrets: [
        secretOf('figbase-secret-key', { FIGBASE_SECRET_KEY: newSecret() }),
        secretOf('figbase-database', {
          'pooler-url': database,
          url: database,
          'backup-url': database,
        }),
        secretOf('figbase-nats', { url: of('NATS_URL') }),
        secretOf('figbase-redis', { url: of('REDIS_URL') }),
        secretOf('figbase-s3', {
          'access-key': of('S3_ACCESS_KEY'),
          'secret-key': of('S3_SECRET_KEY'),
        }),
        secretOf('figbase-mail', { url: mail.url }),
        secretOf('figbase-oidc', { 'client-secret': OIDC_CLIENT_SECRET }),
      ],
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}
