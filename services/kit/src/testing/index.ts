export { statementTexts } from '../db/statement.js'
export { userWithKey } from './api-key.js'
export { type BlackHole, startBlackHole } from './black-hole.js'
export { type CollectedSpan, type Collector, startCollector } from './collector.js'
export { createTestDatabase, databaseAt, runSql, type TestDatabase } from './database.js'
export { type Family, parseExposition, type Sample, sampleValue } from './exposition.js'
export { type Fault, type FaultyProxy, startFaultyProxy } from './faulty-proxy.js'
export { type NatsServer, startNatsServer, whyWithoutNats } from './nats-server.js'
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
  startPgBouncer,
  whyWithoutPgBouncer,
} from './pgbouncer.js'
export { assertUses, plansOf } from './plans.js'
export {
  type PostgresServer,
  type PostgresServerOptions,
  startPostgresServer,
  whyWithoutPostgres15,
} from './postgres-server.js'
export { randomFrom } from './random.js'
export { type RedisServer, startRedisServer, whyWithoutRedis } from './redis-server.js'
export { type S3Server, startS3Server, whyWithoutS3 } from './s3-server.js'
export { startTestService, type TestService, type TestServiceOptions } from './service.js'
export { createVisitor, type Visited, type Visitor } from './visitor.js'
