export { statementTexts } from '../db/statement.js'
export { mailTemplateContract } from '../mail/template-contract.js'
export { messagesContract } from '../messages/messages-contract.js'
export { userWithKey } from './api-key.js'
export { type Browser, type BrowserPage, createBrowser } from './browser.js'
export { type CollectedSpan, type Collector, startCollector } from './collector.js'
export { createTestDatabase, databaseAt, runSql, type TestDatabase } from './database.js'
export { type Family, parseExposition, type Sample, sampleValue } from './exposition.js'
export { type Fault, type FaultyProxy, startFaultyProxy } from './faulty-proxy.js'
export { type NatsServer, natsSkipReason, startNatsServer } from './nats-server.js'
export {
  type Claims,
  type OpenIdProvider,
  type OpenIdProviderOptions,
  type ProviderKey,
  signInAtProvider,
  signInByDevice,
  startOpenIdProvider,
} from './openid-provider.js'
export {
  type PgBouncer,
  type PgBouncerOptions,
  pgBouncerSkipReason,
  startPgBouncer,
} from './pgbouncer.js'
export { assertUses, plansOf } from './plans.js'
export {
  type PostgresServer,
  type PostgresServerOptions,
  postgres15SkipReason,
  startPostgresServer,
} from './postgres-server.js'
export { type RedisServer, redisSkipReason, startRedisServer } from './redis-server.js'
export { type S3Server, s3SkipReason, startS3Server } from './s3-server.js'
export { seededRandom } from './seeded-random.js'
export { startTestService, type TestService, type TestServiceOptions } from './service.js'
export { type SilentServer, startSilentServer } from './silent-server.js'
